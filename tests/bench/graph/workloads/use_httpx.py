"""What a program does with httpx, without a network: a client of both kinds on a mock transport."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx


def answer(request: httpx.Request) -> httpx.Response:
    """A little server."""
    match request.url.path:
        case "/json":
            return httpx.Response(200, json={"method": request.method, "q": str(request.url.query)})
        case "/moved":
            return httpx.Response(302, headers={"location": "/json?from=moved"})
        case "/cookie":
            return httpx.Response(200, headers={"set-cookie": "a=b; Path=/"}, text="set")
        case "/lines":
            return httpx.Response(200, content=b"one\ntwo\nthree")
        case "/private":
            is_known = "authorization" in request.headers
            return httpx.Response(200 if is_known else 401)
    return httpx.Response(404, html="<p>none</p>")


def app(environ: dict[str, object], start_response: object) -> Iterator[bytes]:
    """A little WSGI application."""
    assert callable(start_response)
    start_response("200 OK", [("content-type", "text/plain")])
    yield str(environ["REQUEST_METHOD"]).encode()


def run() -> None:
    """Requests of many kinds, sync and async."""
    transport = httpx.MockTransport(answer)
    with httpx.Client(
        transport=transport,
        base_url="https://example.org",
        headers={"x-one": "1"},
        params={"p": "1"},
        cookies={"c": "2"},
        timeout=httpx.Timeout(5, read=1),
        event_hooks={"response": [lambda response: response.read()]},
    ) as client:
        client.get("/json", params={"a": [1, 2]}).json()
        client.post("/json", data={"a": "b"}, files={"f": ("f.txt", b"text", "text/plain")})
        client.put("/json", json={"x": 1}).raise_for_status()
        client.patch("/json", content=b"raw")
        client.delete("/json", auth=("user", "pass"))
        client.get("/moved", follow_redirects=True)
        client.get("/cookie")
        client.get("/private", auth=httpx.DigestAuth("user", "pass"))
        with client.stream("GET", "/lines") as response:
            list(response.iter_lines())
        try:
            client.get("/gone").raise_for_status()
        except httpx.HTTPStatusError as error:
            repr(error.response)
        client.send(client.build_request("OPTIONS", "/json"))
    with httpx.Client(transport=httpx.WSGITransport(app=app)) as client:
        str(client.get("http://test/").text)
    asyncio.run(use_async())
    url = httpx.URL("https://user:pass@example.org:8080/a/b?x=1#f")
    url.join("../c").copy_with(host="ü.example").copy_merge_params({"y": "2"})
    headers = httpx.Headers([("A", "1"), ("B", "2"), ("a", "3")])
    headers.update({"C": "4"})
    del headers["b"]
    repr((headers, headers.get_list("a"), httpx.QueryParams("a=1&b=2").add("c", 3), url))


async def use_async() -> None:
    """The same with an asynchronous client."""
    transport = httpx.MockTransport(answer)
    async with httpx.AsyncClient(transport=transport, base_url="https://example.org") as client:
        (await client.get("/json")).json()
        await client.post("/json", json={"a": 1})
        async with client.stream("GET", "/lines") as response:
            async for _ in response.aiter_text():
                pass
