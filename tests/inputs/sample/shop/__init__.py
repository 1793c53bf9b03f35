"""A shop in one file."""

from decimal import Decimal as Decimal

from ._client import *
from ._client import DEFAULT_TIMEOUT as DEFAULT_TIMEOUT
from .orders import Order, parse

__all__ = ["Client", "Order", "parse", "version"]

version = "1.1"
"""The version of the shop."""
