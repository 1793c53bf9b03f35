"""What a program prints with rich, into a string."""

from __future__ import annotations

from io import StringIO

from rich import box
from rich.align import Align
from rich.columns import Columns
from rich.console import Console, Group
from rich.json import JSON
from rich.layout import Layout
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.pretty import Pretty
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.theme import Theme
from rich.traceback import Traceback
from rich.tree import Tree

TEXT = """# Title

Some *text* with `code` and a [link](https://example.org).

1. one
2. two

> quoted

| a | b |
|---|---|
| 1 | 2 |

```python
print("x")
```
"""


def run() -> None:
    """One of each renderable."""
    out = StringIO()
    console = Console(
        file=out, width=80, force_terminal=True, color_system="truecolor", record=True,
        theme=Theme({"own": "bold red"}),
    )  # fmt: skip
    console.print("[own]Hello[/own] :smile: [link=https://example.org]there[/link]", 12, [1, 2])
    table = Table(title="Table", box=box.ROUNDED, show_footer=True)
    table.add_column("Name", justify="right", style="cyan", footer="sum")
    table.add_column("Count", no_wrap=True)
    table.add_row("one", Text("1", style="green"))
    table.add_row("two", "[b]2[/b]", end_section=True)
    console.print(table)
    tree = Tree("root")
    tree.add("leaf").add("deeper")
    layout = Layout()
    layout.split_row(Layout(Panel("left"), size=20), Layout(Align.center("right")))
    group = Group(Panel(tree, title="Tree"), Padding("in", 1), Columns(["a", "b", "c"]), Rule("r"))
    console.print(group)
    console.print(layout, height=6)
    console.print(Markdown(TEXT))
    console.print(Syntax("def f():\n    return 1\n", "python", line_numbers=True))
    console.print(JSON('{"a": [1, true, null]}'))
    console.print(Pretty({"a": list(range(50)), "b": {"c": "d" * 90}}))
    console.log("logged", log_locals=True)
    try:
        {}["none"]
    except KeyError:
        console.print(Traceback(show_locals=True))
    text = Text.from_markup("[b]wrapped[/b] " * 20)
    text.highlight_words(["wrapped"], "red")
    text.append(" end").stylize("underline", 0, 3)
    console.print(text.wrap(console, 30))
    with Live(Text("live"), console=console, auto_refresh=False) as live:
        live.update("changed", refresh=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        task = progress.add_task("work", total=3)
        progress.advance(task, 2)
        progress.refresh()
    with console.status("busy"):
        pass
    console.export_html()
    console.export_text()
