from shop import Client, parse


def test_client_sends() -> None:
    client = Client()
    assert client.send("x") == parse("x")
