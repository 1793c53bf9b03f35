from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pydocs_bundle.records import BundleContent
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.names import closest, members, mro, require, resolve
from pydocs_server.rendered.answer import NotFound

Write = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]


def _resolved(catalog: Catalog, name: str) -> list[tuple[str, str, str]]:
    return [
        (catalog.label(found.bundle), found.record.qualified_name, found.via)
        for found in resolve(catalog, name)
    ]


@pytest.mark.parametrize(
    ("name", "qualified", "via"),
    [
        ("httpq._client.Client", "httpq._client.Client", "definition"),
        ("httpq.Client", "httpq._client.Client", "alias"),
        ("httpq.get", "httpq._api.get", "alias"),
        ("httpq.Client.stream", "httpq._client.Client.stream", "alias"),
        ("httpq._client.Client.stream", "httpq._client.Client.stream", "definition"),
        ("httpq.Client.build_request", "httpq._client.BaseClient.build_request", "inherited"),
        ("httpq.Client.build_request()", "httpq._client.BaseClient.build_request", "inherited"),
        ("httpq._config.DEFAULT_TIMEOUT", "httpq._config.DEFAULT_TIMEOUT", "definition"),
        ("httpq", "httpq", "definition"),
        ("httpq#readme:Timeouts", "httpq#readme:Timeouts", "definition"),
    ],
)
def test_a_name_leads_to_its_definition(
    catalog: Catalog, name: str, qualified: str, via: str
) -> None:
    assert _resolved(catalog, name)[0] == ("httpq@0.28.1", qualified, via)


def test_a_member_is_found_in_a_base(catalog: Catalog) -> None:
    assert _resolved(catalog, "flasq.Flasq.route") == [
        ("flasq@3.1", "flasq.sansio.Scaffold.route", "inherited")
    ]


def test_a_base_may_lie_in_another_bundle(catalog: Catalog) -> None:
    assert _resolved(catalog, "flasq.app.Request.get_json") == [
        ("werkzeuq@3.0", "werkzeuq.Request.get_json", "inherited")
    ]


def test_an_alias_may_lead_to_another_bundle(catalog: Catalog) -> None:
    assert _resolved(catalog, "flasq.Response") == [("werkzeuq@3.0", "werkzeuq.Response", "alias")]


def test_every_mounted_version_is_found(catalog: Catalog) -> None:
    labels = [label for label, _, _ in _resolved(catalog, "pydanteq.Model.dump")]

    assert labels == ["pydanteq@2.0", "pydanteq@1.10.2"]


def test_a_version_may_stand_in_front(catalog: Catalog) -> None:
    assert _resolved(catalog, "pydanteq@1.10/pydanteq.Model") == [
        ("pydanteq@1.10.2", "pydanteq.Model", "definition")
    ]
    assert _resolved(catalog, "pydanteq==1.10/Model.dump")[0][1] == "pydanteq.Model.dump"


def test_an_address_is_the_symbol_around_its_line(catalog: Catalog) -> None:
    for address in ("httpq@0.28.1/httpq/_client.py:23", "httpq/httpq/_client.py:23-24"):
        assert _resolved(catalog, address)[0][1] == "httpq._client.Client.send"
    assert _resolved(catalog, "httpq/_client.py")[0][1] == "httpq._client"


def test_a_distribution_name_may_stand_for_its_module(catalog: Catalog) -> None:
    assert _resolved(catalog, "PyYAMP.safe_load")[0][1] == "yamp.safe_load"


def test_a_bare_name_finds_the_public_one_first(catalog: Catalog) -> None:
    assert _resolved(catalog, "Client")[0][1] == "httpq._client.Client"
    assert _resolved(catalog, "Client.stream")[0][1] == "httpq._client.Client.stream"
    assert _resolved(catalog, "Flasq.route")[0][1] == "flasq.sansio.Scaffold.route"


@pytest.mark.parametrize(
    "name",
    ["", ".", "()", "..", "x" * 5_000, "httpq.", "a." * 300 + "b", "\x00", "\udc80", "/", ":"],
)
def test_an_odd_name_is_survived(catalog: Catalog, name: str) -> None:
    assert all(found.record.qualified_name == "httpq" for found in resolve(catalog, name))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("httpq.Cleint", "httpq.Client"),
        ("httpq.client", "httpq.Client"),
        ("htpq.Client", "httpq.Client"),
        ("httpq.Client.steam", "httpq.Client.stream"),
        ("yamp.safeload", "yamp.safe_load"),
    ],
)
def test_a_slip_gets_the_closest_name_first(catalog: Catalog, wrong: str, right: str) -> None:
    assert closest(catalog, wrong)[0] == right


def test_a_miss_names_the_closest_and_the_next_call(catalog: Catalog) -> None:
    with pytest.raises(NotFound) as caught:
        require(catalog, "httpq.Cleint")
    assert caught.value.call == 'get_symbol("httpq.Client")'


def test_a_slip_in_a_member_keeps_the_class_as_it_was_called(catalog: Catalog) -> None:
    with pytest.raises(NotFound) as caught:
        require(catalog, "httpq.Client.steam")
    assert caught.value.closest[0] == "httpq.Client.stream"
    assert resolve(catalog, caught.value.closest[0])
    assert len(set(caught.value.closest)) == len(caught.value.closest)


def test_a_name_of_no_mounted_package_says_so(catalog: Catalog) -> None:
    with pytest.raises(NotFound, match="no bundle provides 'numpee'"):
        require(catalog, "numpee.qqqqqqqq")


def test_the_order_of_resolution_is_pythons(
    tmp_path: Path, write: Write, content_of: ContentOf
) -> None:
    source = "class O: pass\nclass A(O): pass\nclass B(O): pass\nclass C(A, B): pass\n"
    bases = {"m.A": ["m.O"], "m.B": ["m.O"], "m.C": ["m.A", "absent.X", "m.B"]}
    write(tmp_path, content_of("m", "1", {"m.py": source}, bases=bases))

    with mount([str(tmp_path)]) as catalog:
        order = mro(catalog, resolve(catalog, "m.C")[0])
        assert [found.record.qualified_name for found in order] == ["m.C", "m.A", "m.B", "m.O"]


def test_cycles_of_bases_and_aliases_end(
    tmp_path: Path, write: Write, content_of: ContentOf
) -> None:
    files = {"m.py": "class A: pass\nclass B: pass\n"}
    bases = {"m.A": ["m.B"], "m.B": ["m.A"]}
    leads = {"m.x": "n.x", "m.y": "m.y"}
    write(tmp_path, content_of("m", "1", files, bases=bases, leads=leads))
    write(tmp_path, content_of("n", "1", {"n.py": ""}, leads={"n.x": "m.x.z"}))

    with mount([str(tmp_path)]) as catalog:
        assert resolve(catalog, "m.A.absent") == []
        assert {found.record.qualified_name for found in resolve(catalog, "m.x")} <= {"m.x", "n.x"}
        assert len(mro(catalog, resolve(catalog, "m.A")[0])) == 2


def test_members_stand_in_source_order(catalog: Catalog) -> None:
    client = resolve(catalog, "httpq.Client")[0]
    names = [one.record.qualified_name.rpartition(".")[2] for one in members(catalog, client)]

    assert names == ["__init__", "send", "stream"]
