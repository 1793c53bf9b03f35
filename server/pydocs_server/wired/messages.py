"""Our tools, answers and resources as the protocol's messages have them."""

from __future__ import annotations

import mcp_types as types

from pydocs_server.rendered.answer import Answer, bounded
from pydocs_server.wired.resources import PAGE, TEMPLATES, Completed, Page
from pydocs_server.wired.tools import Tool

__all__ = ["completed", "contents", "described", "listed", "result", "templates"]


def described(tool: Tool) -> types.Tool:
    """A tool as a client lists it."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=tool.output_schema(),
        annotations=types.ToolAnnotations(
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def result(answer: Answer, *, is_error: bool) -> types.CallToolResult:
    """An answer with its text and its structured content, each complete and within bounds."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        structured_content=bounded(answer.structured),
        is_error=is_error,
    )


def listed(page: Page) -> types.ListResourcesResult:
    """A page of resources."""
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=each.uri,
                name=each.name,
                description=each.description or None,
                mime_type="text/markdown",
            )
            for each in page.resources
        ],
        next_cursor=page.cursor or None,
    )


def templates() -> types.ListResourceTemplatesResult:
    """The families of resources."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                uri_template=each.uri,
                name=each.name,
                title=each.title,
                description=each.description,
            )
            for each in TEMPLATES
        ]
    )


def contents(uri: str, text: str, media_type: str) -> types.ReadResourceResult:
    """One resource, opened."""
    content = types.TextResourceContents(uri=uri, mime_type=media_type, text=text)
    return types.ReadResourceResult(contents=[content])


def completed(found: Completed) -> types.CompleteResult:
    """The values that a beginning can become."""
    return types.CompleteResult(
        completion=types.Completion(
            values=found.values, total=found.total, has_more=found.total > PAGE
        )
    )
