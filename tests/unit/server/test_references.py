from __future__ import annotations

from typing import Any, cast

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_server.answered.references import get_references
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import DEFAULT_TOKENS, NotFound, count_tokens


def ask(catalog: Catalog, target: str, direction: str = "callers", limit: int = 50) -> Any:  # noqa: ANN401
    return get_references(catalog, target, direction, limit).structured


def names(found: Any) -> list[str]:  # noqa: ANN401
    return [cast("str", edge["qualified_name"]) for edge in found["edges"]]


def test_callers_are_joined_across_bundles_by_the_public_name(graph: Catalog) -> None:
    found = ask(graph, "libq.get")

    assert names(found) == ["app.main.run"]
    (edge,) = found["edges"]
    assert edge["package"] == "app"
    assert edge["version"] == "2.0"
    assert edge["tier"] == "syntactic"
    assert edge["call_site"] == {
        "address": "app@2.0/app/main.py:14",
        "line": 14,
        "column": 11,
        "text": 'return get("x")',
    }


def test_private_and_public_names_have_the_same_callers(graph: Catalog) -> None:
    assert names(ask(graph, "libq._client.get")) == names(ask(graph, "libq.get"))


def test_a_call_on_a_subclass_reaches_the_inherited_method(graph: Catalog) -> None:
    found = ask(graph, "libq._client.Base.close")

    assert names(found) == ["app.main.use", "libq._client.Client.send"]


def test_the_project_comes_before_its_dependencies(graph: Catalog) -> None:
    assert names(ask(graph, "libq.Client.send")) == ["app.main.Mine.send", "libq._client.get"]


def test_tests_come_last_and_are_told_apart(graph: Catalog) -> None:
    answer = get_references(graph, "app.main.run")

    assert names(answer.structured) == ["app.main.ping", "tests.test_app.test_run"]
    assert answer.structured["tests"] == 1
    assert "(1 in product code, 1 in tests)" in answer.text
    assert answer.text.index("app.main.ping") < answer.text.index("tests:")


def test_calls_of_the_same_name_that_are_not_resolved_are_counted_with_their_reason(
    graph: Catalog,
) -> None:
    found = ask(graph, "libq.Client.send")

    assert found["unresolved"] == {"count": 1, "reasons": {"the receiver's type is unknown": 1}}


def test_a_bundle_that_does_not_import_the_package_is_not_asked(graph: Catalog) -> None:
    assert ask(graph, "libq.Client.send")["looked_in"] == ["app@2.0", "libq@1.0"]


def test_unresolved_is_not_none(graph: Catalog) -> None:
    found = ask(graph, "app.main.Mine.send")
    answer = get_references(graph, "app.main.Mine.send")

    assert found["status"] == "unresolved"
    assert answer.text.startswith("unresolved (1): none certain")


def test_none_says_where_it_looked(graph: Catalog) -> None:
    answer = get_references(graph, "app.main.blind")

    assert answer.structured["status"] == "none"
    assert answer.text.startswith("none: no callers of app.main.blind in 1 bundle.")


def test_calling_a_class_is_calling_its_constructor(graph: Catalog) -> None:
    assert names(ask(graph, "libq.Client")) == ["libq._client.get"]


def test_callees_are_in_the_order_of_the_source_without_builtins(graph: Catalog) -> None:
    answer = get_references(graph, "libq.Client.send", "callees")

    assert names(answer.structured) == ["libq._client.Base.close"]
    assert "builtins, not listed: 1" in answer.text


def test_callees_that_are_not_mounted_keep_their_names(graph: Catalog) -> None:
    found = ask(graph, "app.main.use", "callees")

    assert names(found) == ["libq._client.Base.close", "elsewhere.call"]
    assert [edge["is_mounted"] for edge in found["edges"]] == [True, False]


def test_unresolved_callees_are_counted(graph: Catalog) -> None:
    found = ask(graph, "app.main.blind", "callees")

    assert found["status"] == "unresolved"
    assert found["unresolved"]["count"] == 1


def test_inherits_gives_bases_and_subclasses_of_other_bundles(graph: Catalog) -> None:
    found = ask(graph, "libq.Client", "inherits")

    assert [(edge["qualified_name"], edge["label"]) for edge in found["edges"]] == [
        ("libq._client.Base", "base"),
        ("app.main.Mine", "subclass"),
    ]


def test_subclasses_of_subclasses_have_their_depth(graph: Catalog) -> None:
    found = ask(graph, "libq._client.Base", "inherits")

    assert [(edge["qualified_name"], edge["depth"]) for edge in found["edges"]] == [
        ("libq._client.Client", 1),
        ("app.main.Mine", 2),
    ]


def test_a_method_gets_what_it_overrides_and_what_overrides_it(graph: Catalog) -> None:
    above = ask(graph, "app.main.Mine.send", "inherits")["edges"]
    below = ask(graph, "libq.Client.send", "inherits")["edges"]

    assert [(e["qualified_name"], e["label"]) for e in above] == [
        ("libq._client.Client.send", "overridden")
    ]
    assert [(e["qualified_name"], e["label"]) for e in below] == [
        ("app.main.Mine.send", "overrides")
    ]


def test_impact_follows_callers_of_callers_and_cuts_cycles(graph: Catalog) -> None:
    found = ask(graph, "libq.get", "impact")

    assert [(edge["qualified_name"], edge["depth"]) for edge in found["edges"]] == [
        ("app.main.run", 1),
        ("app.main.ping", 2),
        ("app.main.pong", 3),
        ("tests.test_app.test_run", 2),
    ]


def test_impact_of_a_class_holds_the_users_of_its_methods(graph: Catalog) -> None:
    found = set(names(ask(graph, "libq.Client", "impact")))

    assert {"app.main.Mine", "app.main.Mine.send", "libq._client.get", "app.main.run"} <= found


def test_governed_by_gives_decisions_on_the_symbol_and_on_what_holds_it(graph: Catalog) -> None:
    found = ask(graph, "app.main.Mine.send", "governed_by")

    (edge,) = found["edges"]
    assert edge["kind"] == "decision"
    assert edge["label"] == "accepted · 2024-02-01 · adr"


def test_the_limit_says_how_to_get_the_rest(graph: Catalog) -> None:
    answer = get_references(graph, "app.main.run", limit=1)

    assert len(names(answer.structured)) == 1
    assert answer.structured["total"] == 2
    assert answer.text.endswith(
        '1 more are not shown: get_references(target="app.main.run", direction="callers", limit=2).'
    )
    assert answer.structured["next"] in answer.text  # type: ignore[operator]


def test_text_and_rows_say_the_same(graph: Catalog) -> None:
    for direction in ("callers", "callees", "inherits", "impact", "governed_by"):
        answer = get_references(graph, "libq.Client", direction)
        for edge in answer.structured["edges"]:  # type: ignore[attr-defined]
            assert edge["public_name"] in answer.text or edge["kind"] == "decision"
        assert count_tokens(answer.text) <= DEFAULT_TOKENS


def test_an_unknown_name_gets_the_closest(graph: Catalog) -> None:
    with pytest.raises(NotFound, match=r"libq\.Client"):
        get_references(graph, "libq.Cliemt")


def test_an_unknown_direction_is_wrong_usage(graph: Catalog) -> None:
    with pytest.raises(UsageError, match="callers, callees, inherits, impact, governed_by"):
        get_references(graph, "libq.Client", "sideways")


def test_a_modules_callers_are_what_imports_from_it_elsewhere(graph: Catalog) -> None:
    found = ask(graph, "libq")

    assert names(found) == ["app.main"]
    assert found["edges"][0]["edge"] == "import"
    assert found["edges"][0]["more_lines"] == []


def test_a_modules_callees_are_its_imports(graph: Catalog) -> None:
    assert names(ask(graph, "app.main", "callees")) == ["libq._client.Client", "libq._client.get"]


def test_impact_of_a_module_holds_the_users_of_what_is_in_it(graph: Catalog) -> None:
    found = set(names(ask(graph, "libq._client", "impact")))

    assert {"app.main.Mine", "app.main.run", "app.main.ping", "tests.test_app.test_run"} <= found
