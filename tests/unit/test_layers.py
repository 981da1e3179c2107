"""The layers of docs/architecture.md: no module imports upwards, and modules do not import each other in circles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "rt_supervisor"
SAME_ROOM = {"workspace", "graph"}


def layers() -> dict[str, int]:
    """Return the row of each module or package in the table, the lowest row highest."""
    return table("## Layers")


def table(heading: str) -> dict[str, int]:
    text = (ROOT / "docs/architecture.md").read_text().partition(f"\n{heading}\n")[2].partition("\n#")[0]
    rows = [line.split("|")[2] for line in text.splitlines() if line.startswith("| ") and "Modules" not in line]
    return {name: number for number, row in enumerate(rows) for name in re.findall(r"`(\w+)`", row)}


def module_name(path: Path) -> tuple[str, ...]:
    """Return the parts of a module's name below the package; a package's `__init__` has the package's name."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


MODULES = {module_name(path): path for path in PACKAGE.rglob("*.py")}


def imports(name: tuple[str, ...], *, at_start: bool = False) -> Iterator[tuple[str, ...]]:
    """Yield the modules of this package that module `name` imports, anywhere or only at its own import."""
    package = name if MODULES[name].name == "__init__.py" else name[:-1]
    nodes: list[ast.AST] = [ast.parse(MODULES[name].read_text())]
    while nodes:
        node = nodes.pop()
        if at_start and (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_for_type_checkers(node)):
            continue
        nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == PACKAGE.name:
                    yield tuple(alias.name.split(".")[1:])
        elif isinstance(node, ast.ImportFrom):
            module = tuple((node.module or "").split(".")) if node.module else ()
            if node.level:
                base = package[: len(package) - node.level + 1] + module
            elif module[:1] == (PACKAGE.name,):
                base = module[1:]
            else:
                continue
            for alias in node.names:
                yield (*base, alias.name) if (*base, alias.name) in MODULES or not base else base


def is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def test_every_module_has_a_layer() -> None:
    there = {name[0] for name in MODULES if name}
    assert there - set(layers()) == set(), "give it a row in docs/architecture.md"


def test_imports_never_point_upwards() -> None:
    row = layers()
    wrong = []
    for name in MODULES:
        if not name:
            continue
        for other in imports(name):
            if not other or other[0] == name[0] or {other[0], name[0]} == SAME_ROOM:
                continue
            is_below = row[other[0]] > row[name[0]]
            is_beside = row[other[0]] == row[name[0]] and not (PACKAGE / other[0]).is_dir()
            if not is_below and not is_beside:
                wrong.append(f"{'.'.join(name)} imports {'.'.join(other)}")
    assert wrong == []


@pytest.mark.parametrize(("room", "example"), [("cli", ("run", "supervised")), ("output", ("displays", "elided"))])
def test_imports_inside_a_room_point_down(room: str, example: tuple[str, ...]) -> None:
    """These rooms have separate tables; modules of one row do not import each other."""
    row = table(f"### Inside `{room}`")
    own = {name[1:] for name in MODULES if name[:1] == (room,) and len(name) > 1}
    assert {name[0] for name in own} == set(row), "give it a row in docs/architecture.md"
    others = {(name, other[1:]) for name in own for other in imports((room, *name)) if other[:1] == (room,)}
    assert example in {name for name, _ in others}, "the test found no imports"
    assert [(a, b) for a, b in others if a[0] != b[0] and row[b[0]] <= row[a[0]]] == []


def test_no_circles() -> None:
    """Modules that import each other when loaded work only in one order."""
    edges = {name: {other for other in imports(name, at_start=True) if other in MODULES} for name in MODULES}
    while edges:
        free = [name for name, others in edges.items() if not others & edges.keys() - {name}]
        assert free, f"modules in a circle, or above one: {sorted('.'.join(name) for name in edges)}"
        for name in free:
            del edges[name]


def test_the_rule_would_notice() -> None:
    """The rule sees all kinds of imports: lazy ones, those for type checkers, modules and names."""
    assert ("output", "displays", "elided") in set(imports(("cli", "run", "supervised")))
    assert ("output", "displays", "elided") not in set(imports(("cli", "run", "supervised"), at_start=True))
    assert ("workers", "outcomes") in set(imports(("supervising", "run_stops")))
    assert ("vocabulary", "errors") in set(imports(("cli", "main")))
