"""From names in code and prose to what they mean: the edges of the reference graph."""
