"""A command line made with click, called through its own runner."""

from __future__ import annotations

import click
from click.testing import CliRunner


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--verbose/--quiet", default=False, help="Say more.")
@click.version_option("1.0")
@click.pass_context
def main(context: click.Context, *, verbose: bool) -> None:
    """A group of commands."""
    context.obj = {"verbose": verbose}


@main.command()
@click.argument("names", nargs=-1, required=True)
@click.option("-c", "--count", type=click.IntRange(1, 5), default=1, show_default=True)
@click.option("--colour", type=click.Choice(["red", "blue"]), envvar="COLOUR")
@click.pass_obj
def greet(settings: dict[str, bool], names: tuple[str, ...], count: int, colour: str) -> None:
    """Greets everybody."""
    for name in names * count:
        click.secho(f"hello {name}", fg=colour, bold=settings["verbose"])


@main.command()
@click.argument("source", type=click.File("r"))
@click.option("--out", type=click.Path(dir_okay=False, writable=True))
@click.option("--when", type=click.DateTime(), default="2020-01-01")
def copy(source: object, out: str, when: object) -> None:
    """Copies a file."""
    click.echo_via_pager([f"{source} {out} {when}\n"])


@main.command()
@click.option("--name", prompt=True)
@click.password_option()
def ask(name: str, password: str) -> None:
    """Asks for things."""
    if click.confirm("Sure?"):
        click.echo(f"{name} {len(password)}")
    with click.progressbar(range(3), label="work") as bar:
        for _ in bar:
            pass


def run() -> None:
    """Good and bad calls of each command."""
    runner = CliRunner()
    with runner.isolated_filesystem():
        with open("a.txt", "w", encoding="utf-8") as file:  # noqa: PTH123 - as click has it
            file.write("text")
        for words in (
            ["--help"],
            ["--version"],
            ["greet", "--help"],
            ["--verbose", "greet", "-c", "2", "--colour", "red", "ann", "bob"],
            ["greet", "-c", "9", "ann"],
            ["greet", "--colour", "green", "ann"],
            ["greet"],
            ["unknown"],
            ["copy", "a.txt", "--out", "b.txt"],
            ["copy", "missing.txt"],
            ["copy", "a.txt", "--when", "never"],
        ):
            runner.invoke(main, words)
        runner.invoke(main, ["ask"], input="ann\nsecret\nsecret\ny\n")
