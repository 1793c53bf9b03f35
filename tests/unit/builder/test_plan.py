"""Plans for whole projects: what is built, and the fate of everything required."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pydocs_builder.config import BuildConfig
from pydocs_builder.planned.plan import Plan, make_plan
from pydocs_builder.targets import Target
from pydocs_bundle.errors import UsageError

Write = Callable[[Path, Mapping[str, str]], Path]
Install = Callable[..., Path]
InputCopy = Callable[[str], Path]


def plan(project: Path, python: Path, *, direct: bool = False) -> Plan:
    return make_plan(BuildConfig(project, project / "out", str(python), is_direct_only=direct))


def fates(found: Plan) -> dict[str, str]:
    return {f"{row.name}{row.specifier}": row.fate for row in found.requirements}


def details(found: Plan) -> dict[str, str]:
    return {row.name: row.detail for row in found.requirements}


def own(found: Plan) -> Target:
    assert found.project is not None
    return found.project.target


def targets(found: Plan) -> list[str]:
    return [f"{one.target.name} {one.target.version}" for one in found.dependencies]


class TestRequirements:
    def test_files_that_include_each_other_are_read_once(
        self, input_copy: InputCopy, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0")
        install("beta", "2.5")
        found = plan(input_copy("req-include-cycle"), environment)
        assert targets(found) == ["alpha 1.0", "beta 2.5"]
        assert len(found.notes) == 1
        assert "requirements.txt → other.txt → requirements.txt" in found.notes[0]

    def test_markers_decide_and_are_no_part_of_a_version(
        self, input_copy: InputCopy, environment: Path, install: Install
    ) -> None:
        for name, version in (("alpha", "1.1"), ("old-only", "0.7"), ("semi", "1"), ("twice", "2")):
            install(name, version)
        found = plan(input_copy("req-marker-semicolon"), environment)
        assert targets(found) == ["alpha 1.1", "semi 1", "twice 2"]
        assert fates(found) == {
            "alpha==1.1": "built",
            "old-only~=0.7": "not for this environment",
            "semi==1": "built",
            "twice==1": "not for this environment",
            "twice==2": "built",
        }

    def test_includes_are_beside_their_file_and_constraints_only_pin(
        self, input_copy: InputCopy, environment: Path, install: Install
    ) -> None:
        install("base-dep", "7.7")
        install("dev-dep")
        install("constraint-only", "1")
        found = plan(input_copy("req-dash-r-relative"), environment)
        assert targets(found) == ["base-dep 7.7", "dev-dep 1.0"]
        (note,) = found.notes
        assert "requirements/missing.txt" in note

    def test_the_pin_of_a_constraint_counts(
        self, input_copy: InputCopy, environment: Path, install: Install
    ) -> None:
        install("base-dep", "7.6")
        found = plan(input_copy("req-dash-r-relative"), environment)
        assert fates(found) == {"base-dep": "not found", "dev-dep": "not installed"}
        assert "7.7" in details(found)["base-dep"]

    def test_dynamic_fields_are_read_from_their_files(
        self, input_copy: InputCopy, environment: Path, install: Install
    ) -> None:
        install("alpha")
        found = plan(input_copy("pyproject-dynamic"), environment)
        assert fates(found) == {"alpha": "built", "beta": "not installed"}

    def test_dynamic_fields_without_source_come_from_the_installed_metadata(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("app", "1.5", "alpha", "beta ; extra == 'more'", files={})
        install("alpha")
        text = '[project]\nname = "app"\ndynamic = ["version", "dependencies"]\n'
        found = plan(write_files(tmp_path / "p", {"pyproject.toml": text}), environment)
        assert fates(found) == {"alpha": "built", "beta": "not installed"}
        assert own(found).version == "1.5"
        assert len(found.notes) == 2

    def test_a_setup_py_is_not_run(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        marker = tmp_path / "ran"
        project = write_files(tmp_path / "p", {"setup.py": f"open({str(marker)!r}, 'w')\n"})
        assert "does not run" in plan(project, environment).notes[0]
        assert not marker.exists()

    def test_manifests_anywhere_count_and_those_of_tests_are_groups(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        files = {
            "pyproject.toml": '[project]\nname = "a"\ndependencies = ["core"]\n',
            "sub/pyproject.toml": '[project]\nname = "b"\ndependencies = ["a", "deep"]\n',
            "tests/fixtures/pyproject.toml": '[project]\nname = "core"\ndependencies = ["f"]\n',
            "node_modules/x/requirements.txt": "never",
        }
        found = plan(write_files(tmp_path / "p", files), environment)
        assert fates(found) == {
            "a": "built",
            "core": "not found",
            "deep": "not found",
            "f": "not installed",
        }
        assert details(found)["a"] == "part of this project"

    def test_a_line_that_is_no_requirement_fails_and_keeps_its_place(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        found = plan(write_files(tmp_path / "p", {"requirements.txt": "a b c\n"}), environment)
        (row,) = found.requirements
        assert (row.name, row.fate) == ("a b c", "failed")
        assert row.detail.startswith("requirements.txt:1: ")

    @pytest.mark.parametrize("path", ["pyproject.toml", "setup.cfg", "uv.lock"])
    def test_a_manifest_that_cannot_be_read_fails_and_the_others_count(
        self, tmp_path: Path, write_files: Write, environment: Path, path: str
    ) -> None:
        files = {path: "]nonsense[", "requirements.txt": "alpha"}
        found = plan(write_files(tmp_path / "p", files), environment)
        assert fates(found) == {path: "failed", "alpha": "not found"}


class TestVersions:
    LOCK = (
        '[[package]]\nname = "alpha"\nversion = "1.0"\nsource = {registry = "x"}\n'
        'dependencies = [{name = "beta"}]\n'
        '[[package]]\nname = "beta"\nversion = "2.0"\nsource = {registry = "x"}\n'
    )
    PROJECT = '[project]\nname = "p"\ndependencies = ["alpha"]\n'

    def test_what_the_lock_has_is_built(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0", "beta")
        install("beta", "2.0")
        files = {"pyproject.toml": self.PROJECT, "uv.lock": self.LOCK}
        found = plan(write_files(tmp_path / "p", files), environment)
        assert targets(found) == ["alpha 1.0", "beta 2.0"]

    def test_another_version_than_the_lock_has_is_not_found(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.1")
        files = {"pyproject.toml": self.PROJECT, "uv.lock": self.LOCK}
        found = plan(write_files(tmp_path / "p", files), environment)
        assert targets(found) == []
        assert fates(found) == {"alpha": "not found", "beta": "not found"}
        assert details(found)["alpha"] == "uv.lock pins 1.0, the environment has 1.1"

    def test_the_lock_tells_what_is_behind_something_not_installed(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        files = {"pyproject.toml": self.PROJECT, "uv.lock": self.LOCK}
        found = plan(write_files(tmp_path / "p", files), environment)
        rows = [(row.name, row.version, row.fate) for row in found.requirements]
        assert rows == [("alpha", "1.0", "not found"), ("beta", "2.0", "not found")]

    def test_locks_that_disagree_are_noted(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0")
        files = {"requirements.txt": "alpha==1.1", "uv.lock": self.LOCK}
        found = plan(write_files(tmp_path / "p", files), environment)
        assert fates(found) == {"alpha==1.1": "built"}
        said = "uv.lock and requirements.txt disagree, and uv.lock counts: alpha 1.0, not 1.1"
        assert found.notes == (said,)
        assert "not ==1.1" in details(found)["alpha"]

    def test_without_a_lock_the_environment_decides(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "9.9")
        project = write_files(tmp_path / "p", {"pyproject.toml": self.PROJECT})
        assert targets(plan(project, environment)) == ["alpha 9.9"]


class TestDependencies:
    def test_the_transitive_closure_is_the_default(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0", "beta[x]")
        install("beta", "1.0", "gamma ; extra == 'x'", "delta ; extra == 'y'")
        install("gamma")
        install("delta")
        project = write_files(tmp_path / "p", {"requirements.txt": "alpha"})
        assert targets(plan(project, environment)) == ["alpha 1.0", "beta 1.0", "gamma 1.0"]
        assert targets(plan(project, environment, direct=True)) == ["alpha 1.0"]

    def test_the_fate_of_what_is_missing_depends_on_who_wants_it(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0", "behind")
        text = (
            '[project]\nname = "p"\ndependencies = ["alpha"]\n'
            '[project.optional-dependencies]\nfast = ["extra-one"]\n'
            '[dependency-groups]\ndev = ["group-one"]\n'
        )
        found = plan(write_files(tmp_path / "p", {"pyproject.toml": text}), environment)
        assert fates(found) == {
            "alpha": "built",
            "behind": "not found",
            "extra-one": "not installed",
            "group-one": "not installed",
        }
        assert details(found)["behind"].endswith("required by alpha")

    def test_names_and_modules_of_a_distribution_may_differ(
        self, input_copy: InputCopy, tmp_path: Path, write_files: Write
    ) -> None:
        site = input_copy("dist-name-not-import-name") / "site"
        project = write_files(tmp_path / "p", {"requirements.txt": "my_soup"})
        (task,) = plan(project, site).dependencies
        assert task.target.name == "My.Soup"
        assert task.target.modules == ("_bs9_native", "bs9", "soupone")

    def test_an_editable_distribution_has_the_sources_of_its_project(
        self, input_copy: InputCopy, tmp_path: Path, write_files: Write
    ) -> None:
        folder = input_copy("editable-two-metadata")
        direct = folder / "site" / "ed-1.0.dist-info" / "direct_url.json"
        direct.write_text(json.dumps({"dir_info": {"editable": True}, "url": folder.as_uri()}))
        project = write_files(tmp_path / "p", {"requirements.txt": "ed"})
        (task,) = plan(project, folder / "site").dependencies
        target = task.target
        assert (target.name, target.version, target.modules) == ("ed", "1.0", ("ed",))
        assert (target.root, target.files) == (str(folder), ("src/ed/__init__.py",))

    def test_an_editable_project_is_one_package_with_its_installed_version(
        self, input_copy: InputCopy
    ) -> None:
        folder = input_copy("editable-two-metadata")
        found = plan(folder, folder / "site")
        assert (own(found).name, own(found).version) == ("ed", "1.0")
        assert own(found).files == ("src/ed/__init__.py",)
        assert found.dependencies == ()

    def test_an_editable_distribution_without_its_folder_fails(
        self, input_copy: InputCopy, tmp_path: Path, write_files: Write
    ) -> None:
        project = write_files(tmp_path / "p", {"requirements.txt": "ed"})
        found = plan(project, input_copy("editable-two-metadata") / "site")
        assert fates(found) == {"ed": "failed"}
        assert "editable mode" in details(found)["ed"]

    def test_a_distribution_whose_files_are_gone_fails(
        self, tmp_path: Path, write_files: Write, environment: Path, site: Path, install: Install
    ) -> None:
        install("alpha")
        (site / "alpha.py").unlink()
        project = write_files(tmp_path / "p", {"requirements.txt": "alpha"})
        assert fates(plan(project, environment)) == {"alpha": "failed"}

    def test_recorded_files_that_are_gone_are_noted(
        self, tmp_path: Path, write_files: Write, environment: Path, site: Path, install: Install
    ) -> None:
        install("alpha", files={"alpha/__init__.py": "", "alpha/a.py": ""})
        (site / "alpha" / "a.py").unlink()
        project = write_files(tmp_path / "p", {"requirements.txt": "alpha"})
        (task,) = plan(project, environment).dependencies
        assert task.target.files == ("alpha/__init__.py",)
        assert "1 recorded files are not there" in task.target.notes[0]

    def test_licences_are_taken_and_the_rest_of_the_metadata_is_not(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        place = "alpha-1.0.dist-info"
        files = {
            f"{place}/licenses/LICENSE": "MIT",
            f"{place}/COPYING": "GPL",
            f"{place}/entry_points.txt": "[x]",
            f"{place}/top_level.txt": "alpha",
            "alpha/__init__.py": "",
            "alpha/data.bin": "",
        }
        install("alpha", files=files)
        project = write_files(tmp_path / "p", {"requirements.txt": "alpha"})
        (task,) = plan(project, environment).dependencies
        licences = (f"{place}/COPYING", f"{place}/licenses/LICENSE")
        assert task.target.files == (*licences, "alpha/__init__.py")
        assert task.target.licence_files == licences

    def test_what_a_dependency_requires_has_no_fate(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0", "beta>=2", "gamma ; extra == 'x'")
        project = write_files(tmp_path / "p", {"requirements.txt": "alpha"})
        (task,) = plan(project, environment).dependencies
        assert [(row.name, row.specifier, row.fate) for row in task.requirements] == [
            ("beta", ">=2", ""),
            ("gamma", "", ""),
        ]


class TestProject:
    @pytest.mark.parametrize(
        ("files", "identity"),
        [
            ({"pyproject.toml": '[project]\nname = "n"\nversion = "1"'}, ("n", "1")),
            ({"pyproject.toml": '[tool.poetry]\nname = "n"\nversion = "1"'}, ("n", "1")),
            ({"pyproject.toml": '[tool.pydocs]\nname = "n"\nversion = "1"'}, ("n", "1")),
            ({"setup.cfg": "[metadata]\nname = n\nversion = 1\n"}, ("n", "1")),
            (
                {
                    "setup.cfg": "[metadata]\nname = n\nversion = attr: m.VERSION\n",
                    "m.py": "VERSION = '2'",
                },
                ("n", "2"),
            ),
            ({"n.egg-info/PKG-INFO": "Name: n\nVersion: 3\n"}, ("n", "3")),
            ({"a.py": ""}, ("p", "0")),
            (
                {
                    "pyproject.toml": '[project]\nname = "n"\ndynamic = ["version"]\n'
                    '[tool.setuptools.dynamic]\nversion = {attr = "n.__version__"}',
                    "src/n/__init__.py": '__version__ = "4"',
                },
                ("n", "4"),
            ),
            (
                {
                    "pyproject.toml": '[project]\nname = "n"\ndynamic = ["version"]\n'
                    '[tool.setuptools.dynamic]\nversion = {file = "VERSION"}',
                    "VERSION": "5\n",
                },
                ("n", "5"),
            ),
            (
                {
                    "pyproject.toml": '[project]\nname = "n"\ndynamic = ["version"]\n'
                    '[tool.hatch.version]\npath = "n/about.py"',
                    "n/about.py": '__version__: str = "6"',
                },
                ("n", "6"),
            ),
            (
                {
                    "pyproject.toml": '[build-system]\nrequires = ["flit_core"]\n'
                    '[project]\nname = "n"\ndynamic = ["version"]\n',
                    "n.py": '__version__ = "7"',
                },
                ("n", "7"),
            ),
        ],
    )
    def test_name_and_version_come_from_what_is_static(
        self,
        tmp_path: Path,
        write_files: Write,
        environment: Path,
        files: Mapping[str, str],
        identity: tuple[str, str],
    ) -> None:
        target = own(plan(write_files(tmp_path / "p", files), environment))
        assert (target.name, target.version) == identity

    def test_a_version_is_not_read_from_outside_the_project(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        (tmp_path / "secret").write_text("9")
        text = (
            '[project]\nname = "n"\ndynamic = ["version"]\n'
            '[tool.setuptools.dynamic]\nversion = {file = "../secret"}'
        )
        project = write_files(tmp_path / "p", {"pyproject.toml": text})
        assert own(plan(project, environment)).version == "0"

    def test_sources_documents_and_licences_are_taken(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        files = dict.fromkeys(
            ("a.py", "b.pyi", "README", "docs/x.md", "docs/y.rst", "z.txt", "n.ipynb", "LICENSE",
             "pyproject.toml", "photo.png", "data.json"), "",
        )  # fmt: skip
        target = own(plan(write_files(tmp_path / "p", files), environment))
        assert set(files) - set(target.files) == {"photo.png", "data.json"}
        assert target.licence_files == ("LICENSE",)

    def test_a_file_over_the_cap_is_left_out_and_noted(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        files = {
            "pyproject.toml": "[tool.pydocs]\nmax-file-bytes = 40\n",
            "big.py": "x" * 41,
            "small.py": "x",
        }
        target = own(plan(write_files(tmp_path / "p", files), environment))
        assert target.files == ("pyproject.toml", "small.py")
        assert target.notes == ("big.py: left out, 41 bytes are over 40; raise max-file-bytes",)

    def test_a_folder_that_is_not_there_gets_a_sentence(
        self, tmp_path: Path, environment: Path
    ) -> None:
        with pytest.raises(UsageError, match="does not exist"):
            plan(tmp_path / "nowhere", environment)

    def test_a_file_is_no_project(self, tmp_path: Path, environment: Path) -> None:
        (tmp_path / "a.py").touch()
        with pytest.raises(UsageError, match="is no folder"):
            plan(tmp_path / "a.py", environment)

    @pytest.mark.skipif(os.name != "posix", reason="only POSIX has such names")
    def test_a_path_that_no_bundle_can_hold_is_left_out_and_noted(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        project = write_files(
            tmp_path / "p", {"a:b.py": "", "c\\d.md": "", "e\nf.txt": "", " ok -é.py": ""}
        )
        Path(os.fsdecode(os.fsencode(project) + b"/\xff.py")).touch()
        target = own(plan(project, environment))
        assert target.files == (" ok -é.py",)
        assert [note.partition(": left out")[0] for note in target.notes] == [
            "a:b.py",
            "c\\\\d.md",
            "e\\nf.txt",
            "\\udcff.py",
        ]

    def test_a_project_without_any_file_is_noted(self, tmp_path: Path, environment: Path) -> None:
        (tmp_path / "p").mkdir()
        assert own(plan(tmp_path / "p", environment)).notes == (
            "there are no sources or documents",
        )


class TestLocks:
    @pytest.mark.parametrize(
        ("name", "missing"),
        [
            ("lock-of-poetry", {"attrs", "iniconfig", "six"}),
            ("lock-of-pdm", {"iniconfig", "requests", "certifi", "charset-normalizer", "idna",
                             "PySocks", "urllib3"}),
            ("lock-of-pipenv", {"iniconfig", "requests", "six", "certifi", "charset-normalizer",
                                "idna", "pysocks", "urllib3"}),
            ("lock-of-pip", {"requests", "six", "certifi", "charset-normalizer", "idna",
                             "pysocks", "urllib3"}),
        ],
    )  # fmt: skip
    def test_every_lock_tells_what_the_project_cannot_do_without(
        self, input_copy: InputCopy, environment: Path, name: str, missing: set[str]
    ) -> None:
        rows = plan(input_copy(name), environment).requirements
        assert {row.name for row in rows if row.fate == "not found"} == missing
        versions = {row.version for row in rows if row.fate == "not found"}
        assert "" not in versions
        assert not [row for row in rows if row.fate == "failed"]

    def test_the_version_that_the_markers_choose_is_pinned(
        self, input_copy: InputCopy, environment: Path, install: Install
    ) -> None:
        install("attrs", "25.4.0")
        found = plan(input_copy("lock-of-poetry"), environment)
        assert "attrs 25.4.0" in targets(found)

    def test_a_lock_alone_says_what_is_wanted(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0")
        package = '[[packages]]\nname = "%s"\nversion = "1.0"\narchive = {path = "x", hashes = '
        package += '{a = "b"}}\n'
        marker = "marker = \"'dev' in dependency_groups\"\n"
        text = 'lock-version = "1.0"\ncreated-by = "x"\n'
        text += package % "alpha" + package % "beta" + marker
        found = plan(write_files(tmp_path / "p", {"pylock.toml": text}), environment)
        assert fates(found) == {"alpha": "built", "beta": "not installed"}

    def test_pins_of_examples_count_only_where_there_is_no_other(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "2.0")
        install("beta", "1.0")
        files = {
            "pyproject.toml": '[project]\nname = "p"\ndependencies = ["alpha>=1"]\n',
            "deep/er/poetry.lock": '[[package]]\nname = "alpha"\nversion = "2.0"\n',
            "examples/uv.lock": '[[package]]\nname = "alpha"\nversion = "1.0"\nsource = {}\n',
            "examples/requirements.txt": "alpha==0.1\nbeta==1.0\n",
        }
        found = plan(write_files(tmp_path / "p", files), environment)
        assert targets(found) == ["alpha 2.0", "beta 1.0"]
        assert fates(found) == {"alpha>=1": "built", "beta==1.0": "built"}
        assert [note.partition(":")[0] for note in found.notes] == [
            "deep/er/poetry.lock and examples/uv.lock disagree, and deep/er/poetry.lock counts",
            (
                "deep/er/poetry.lock and examples/requirements.txt disagree, and "
                "deep/er/poetry.lock counts"
            ),
        ]


class TestPackages:
    def packages(self, python: Path, *words: str) -> Plan:
        return make_plan(BuildConfig(None, python / "out", str(python), packages=words))

    def test_single_distributions_are_built_without_what_they_need(
        self, environment: Path, install: Install
    ) -> None:
        install("Foo.Bar", "1.0", "alpha")
        install("alpha")
        found = self.packages(environment, "foo-bar==1.0")
        assert found.project is None
        assert targets(found) == ["Foo.Bar 1.0"]
        assert [(row.name, row.fate) for row in found.requirements] == [("Foo.Bar", "built")]

    @pytest.mark.parametrize("word", ["FOO_bar", "foo.bar==1", "Foo-Bar@1.0", "foo-bar>=0.5"])
    def test_every_spelling_is_understood(
        self, environment: Path, install: Install, word: str
    ) -> None:
        install("Foo.Bar", "1.0")
        assert targets(self.packages(environment, word)) == ["Foo.Bar 1.0"]

    def test_another_version_than_asked_for_is_not_found(
        self, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0")
        (row,) = self.packages(environment, "alpha==2.0").requirements
        assert (row.fate, row.version) == ("not found", "2.0")
        assert row.detail == "the environment has 1.0"

    def test_what_is_no_name_gets_a_sentence(self, environment: Path) -> None:
        with pytest.raises(UsageError, match="neither a folder nor a distribution"):
            self.packages(environment, "alpha beta")

    def test_platforms_are_for_fetching(self, environment: Path) -> None:
        with pytest.raises(UsageError, match="--fetch"):
            make_plan(BuildConfig(None, environment, str(environment), platforms=("win32",)))


class TestOddities:
    def test_markers_on_extras_that_nobody_asks_for_are_false(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha")
        text = "alpha; extra == 'x' or python_version >= '3'\nbeta; extra == 'x'\n"
        found = plan(write_files(tmp_path / "p", {"requirements.txt": text}), environment)
        assert fates(found) == {"alpha": "built", "beta": "not for this environment"}

    def test_two_spellings_are_one_distribution(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("Foo.Bar", "1.0")
        files = {"requirements.txt": "Foo_Bar>=0.5\nfoo.bar<2\nFOO-BAR==1.0\n"}
        found = plan(write_files(tmp_path / "p", files), environment)
        (row,) = found.requirements
        assert (row.name, row.specifier, row.fate) == ("Foo.Bar", "<2, ==1.0, >=0.5", "built")

    def test_a_name_that_no_bundle_can_have_fails_with_a_reason(
        self, tmp_path: Path, write_files: Write, environment: Path, site: Path, install: Install
    ) -> None:
        place = install("alpha")
        (place / "METADATA").write_text("Name: alpha\nVersion: 1/0\n")
        assert site.is_dir()
        (row,) = plan(
            write_files(tmp_path / "p", {"requirements.txt": "alpha"}), environment
        ).requirements
        assert (row.fate, row.detail) == (
            "failed",
            "its version '1/0' has a slash, so no bundle can have it",
        )

    def test_a_project_with_such_a_name_is_told(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        files = {"pyproject.toml": '[project]\nname = "a/b"\nversion = "1"\n'}
        with pytest.raises(UsageError, match="has a slash; give another name"):
            plan(write_files(tmp_path / "p", files), environment)

    def test_only_what_is_included_is_taken(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        text = '[tool.pydocs]\nname = "p"\ninclude = ["/src/", "*.md"]\nexclude = ["old.md"]\n'
        files = {"pyproject.toml": text, "src/a.py": "", "b.py": "", "docs/c.md": "", "old.md": ""}
        found = plan(write_files(tmp_path / "p", files), environment)
        assert found.project is not None
        assert found.project.target.files == ("docs/c.md", "src/a.py")

    def test_settings_may_stand_in_another_file(
        self, tmp_path: Path, write_files: Write, environment: Path
    ) -> None:
        files = {"pyproject.toml": "[tool.pydocs]\nno = 1\n", "a.py": ""}
        project = write_files(tmp_path / "p", files)
        other = tmp_path / "other.toml"
        other.write_text('[tool.pydocs]\nname = "other"\nversion = "7"\n')
        config = BuildConfig(project, tmp_path / "out", str(environment), settings_file=other)
        found = make_plan(config).project
        assert found is not None
        assert (found.target.name, found.target.version) == ("other", "7")
        other.write_text("[tool.else]\n")
        with pytest.raises(UsageError, match=r"other\.toml: has no table"):
            make_plan(config)

    def test_conda_lists_what_pip_installs(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "1.0")
        text = "dependencies:\n- python\n- numpy\n- pip:\n  - alpha==1.0\n  - -r more.txt\n"
        files = {"environment.yml": text, "more.txt": "beta"}
        found = plan(write_files(tmp_path / "p", files), environment)
        assert fates(found) == {"alpha==1.0": "built", "beta": "not found"}
        assert "numpy are conda packages" in found.notes[0]

    def test_what_is_there_against_a_constraint_is_told(
        self, tmp_path: Path, write_files: Write, environment: Path, install: Install
    ) -> None:
        install("alpha", "3.0")
        files = {
            "requirements.txt": "-c limits.txt\nalpha",
            "limits.txt": "Alpha<2\nalpha<1; python_version < '3'\n",
        }
        (row,) = plan(write_files(tmp_path / "p", files), environment).requirements
        assert (row.fate, row.detail) == ("built", "the environment's version is not <2")
