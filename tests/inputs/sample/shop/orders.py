from dataclasses import dataclass, field
from typing import overload

from .transport import Encoder


@dataclass(frozen=True)
class Order(Encoder):
    """What somebody wants."""

    items: list[str] = field(default_factory=list)
    paid: bool = False

    def encode(self) -> str:
        return super().encode() + "".join(self.items)

    def total(self, *, tax: float = 0.2) -> float:
        """The sum, with tax."""
        return len(self.items) * (1 + tax)


@overload
def parse(text: str) -> Order: ...
@overload
def parse(text: bytes) -> Order: ...
def parse(text):
    """Reads an order."""
    order = Order()
    order.total()
    return order
