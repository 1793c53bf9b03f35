"""Templates of Jinja with most of its syntax, compiled and rendered."""

from __future__ import annotations

from jinja2 import DictLoader, Environment, StrictUndefined, TemplateSyntaxError, UndefinedError
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import SandboxedEnvironment

TEMPLATES = {
    "base.html": "<title>{% block title %}none{% endblock %}</title>{% block body %}{% endblock %}",
    "page.html": """\
{% extends "base.html" %}
{% from "macros.html" import field as input with context %}
{% block title %}{{ super() }} {{ title | upper | trim }}{% endblock %}
{% block body %}
{% for item in items if item.price > 1 recursive %}
  {{ loop.index }} {{ item.name | e }} {{ "%.2f" | format(item.price) }} {{ loop.cycle("a", "b") }}
  {% if item.parts %}{{ loop(item.parts) }}{% endif %}
{% else %}nothing{% endfor %}
{{ input("q", value="x") }} {% include "foot.html" ignore missing %}
{% set total = items | map(attribute="price") | sum %}{{ total }} {{ total is number }}
{% with x = 1 %}{{ x + 2 ** 3 }}{% endwith %} {% filter lower %}LOUD{% endfilter %}
{% call(user) dump(["a"]) %}{{ user }}{% endcall %}
{% endblock %}
{% macro dump(users) %}{% for one in users %}{{ caller(one) }}{% endfor %}{% endmacro %}
""",
    "macros.html": """\
{% macro field(name, value='') %}<input name={{ name }} value={{ value }}>{% endmacro %}
""",
    "foot.html": """\
{# foot #}{{ now() }} {{ names | sort | join(', ') }} {{ names | groupby('0') | list }}
""",
    "broken.html": "{% if %}",
}


class Item:
    """Something to sell."""

    def __init__(self, name: str, price: float, parts: tuple[Item, ...] = ()) -> None:
        self.name, self.price, self.parts = name, price, parts


def run() -> None:
    """Renders, streams, and fails."""
    environment = Environment(
        loader=DictLoader(TEMPLATES), autoescape=True, trim_blocks=True,
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols", "jinja2.ext.i18n"],
    )  # fmt: skip
    environment.globals["now"] = lambda: "now"
    environment.filters["shout"] = lambda text: f"{text}!"
    items = [Item("<one>", 2.5, (Item("part", 3),)), Item("two", 0.5)]
    given = {"title": " shop ", "items": items, "names": ["b", "a"]}
    template = environment.get_template("page.html")
    template.render(given)
    list(template.stream(given))
    environment.from_string("{{ a | shout }}{% do items.append(1) %}").render(a="x", items=[])
    environment.from_string("{% trans count=2 %}one{% pluralize %}{{ count }}{% endtrans %}")
    environment.compile_expression("a.b[0] + 1")(a={"b": [1]})
    find_undeclared_variables(environment.parse("{{ a }}{% set b = 1 %}{{ b }}"))
    try:
        environment.get_template("broken.html")
    except TemplateSyntaxError as error:
        str(error)
    strict = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - plain text
    try:
        strict.from_string("{{ missing.attribute }}").render()
    except UndefinedError as error:
        str(error)
    SandboxedEnvironment().from_string("{{ x.upper() }}").render(x="y")
