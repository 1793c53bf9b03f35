"""From what a type checker reports to exact edges: run it, read its reports, name what it saw."""
