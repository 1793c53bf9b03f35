from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pydocs_bundle.errors import PydocsError
from pydocs_server.answered.overview import get_overview
from pydocs_server.answered.search import search_codebase
from pydocs_server.answered.symbol import get_symbol
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.answer import MOST_TOKENS, Answer, count_tokens
from pydocs_server.rendered.render import visible

PIECES = st.sampled_from(
    ["httpq", "Client", ".", "/", "@", "==", "#", ":", "0.28.1", "..", "\x00", "\u202e", "()", "-1"]
)
TYPED = st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join) | st.text(max_size=60)


@pytest.mark.parametrize("tool", [get_overview, get_symbol, search_codebase])
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=TYPED)
def test_whatever_is_typed_gets_an_answer_or_a_sentence(
    catalog: Catalog, tool: Callable[[Catalog, str], Answer], typed: str
) -> None:
    try:
        text = tool(catalog, typed).text
    except PydocsError as error:
        text = visible(str(error))

    assert text == visible(text)
    assert 0 < count_tokens(text) <= MOST_TOKENS
