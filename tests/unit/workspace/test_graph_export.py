"""`rt graph`: every format contains every package and edge, and escapes names."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from trees import Write

from rt_supervisor.workspace.finding import Workspace, find_workspace
from rt_supervisor.workspace.graph_export import FORMATS, export_graph

ODD = '</script><b>"\\&#'


def shop(write: Write) -> Workspace:
    return find_workspace(
        str(
            write(
                {
                    "package.json": {"workspaces": ["p/*"]},
                    "p/a/package.json": {"name": "a", "dependencies": {"b": "1", ODD: "1"}, "scripts": {"build": "x"}},
                    "p/b/package.json": {"name": "b", "dependencies": {"c": "1"}},
                    "p/c/package.json": {"name": "c", "dependencies": {"b": "1"}},
                    "p/odd/package.json": {"name": ODD},
                    "p/twin/package.json": {"name": "a"},
                }
            )
        )
    )


def test_json(tree: Write) -> None:
    reported = json.loads(export_graph(shop(tree), form="json"))
    assert reported["packages"][0] == {
        "name": "a",
        "folder": "p/a",
        "dependencies": ["p/b", "p/odd"],
        "scripts": ["build"],
    }
    assert [package["folder"] for package in reported["packages"]] == ["p/a", "p/b", "p/c", "p/odd", "p/twin"]
    assert reported["cycles"] == [["p/b", "p/c", "p/b"]]


def test_a_part_of_the_graph(tree: Write) -> None:
    reported = json.loads(export_graph(shop(tree), form="json", places=(0, 1)))
    assert [(package["folder"], package["dependencies"]) for package in reported["packages"]] == [
        ("p/a", ["p/b"]),
        ("p/b", []),
    ]
    assert reported["cycles"] == []


def test_dot(tree: Write) -> None:
    lines = export_graph(shop(tree), form="dot").splitlines()
    assert '  "p/odd" [label="</script><b>\\"\\\\&#"];' in lines
    assert '  "p/a" -> "p/b";' in lines
    assert '  "p/b" -> "p/c" [color=red];' in lines
    assert (lines[0], lines[-1]) == ("digraph workspace {", "}")


def test_mermaid(tree: Write) -> None:
    lines = export_graph(shop(tree), form="mermaid").splitlines()
    assert lines[:2] == ["graph LR", '  p0["a"]']
    assert '  p3["#60;/script#62;#60;b#62;#34;\\#38;#35;"]' in lines
    assert {"  p0 --> p1", "  p0 --> p3", "  p1 --> p2", "  p2 --> p1"} <= set(lines)
    assert lines[-1] == "  linkStyle 2,3 stroke:red"


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page(tree: Write) -> None:
    text = export_graph(shop(tree), form="html")
    page = Page(text)
    boxes = {values["data-node"] for tag, values in page.elements if tag == "g"}
    drawn = {(values["data-from"], values["data-to"]) for tag, values in page.elements if tag == "path"}
    assert boxes == {"0", "1", "2", "3", "4"}
    assert drawn == {("0", "1"), ("0", "3"), ("1", "2"), ("2", "1")}
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert "b" not in [tag for tag, values in page.elements if not values and tag != "b"]
    assert ODD in page.text
    assert "cycle: b → c → b" in page.text
    assert "%%" not in text.replace("100%", "")
    assert not re.search(r"https?://|@import|url\(", text)


def test_layers_put_dependencies_to_the_right(tree: Write) -> None:
    page = Page(export_graph(shop(tree), form="html"))
    left = {
        values["data-node"]: int((values["transform"] or "").removeprefix("translate(").split()[0])
        for tag, values in page.elements
        if tag == "g"
    }
    assert left["0"] < left["1"] == left["2"] == left["3"]
    assert left["4"] == left["0"]


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_workspace(tree: Write, form: str) -> None:
    root = tree({"package.json": {"workspaces": []}})
    assert export_graph(find_workspace(str(root)), form=form).endswith("\n")
