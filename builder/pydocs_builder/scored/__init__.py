"""How much of a bundle leads to each symbol, and what belongs together."""
