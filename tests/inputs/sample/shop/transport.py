"""What the client stands on."""


class Encoder:
    def encode(self):
        return ""


class Transport(Encoder):
    def request(self, text):
        """Sends a text and waits."""
        return text.strip()


def _close(transport: Transport):
    transport.encode()
    transport.gone()
