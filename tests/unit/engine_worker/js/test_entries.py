"""The JavaScript entries match the table in js/README.md, and Python's calls match it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from rt_supervisor.engine_worker.start import bundle

JS = Path(bundle.JS_FOLDER)
PACKAGE = JS.parents[1]
ROOT = PACKAGE.parent
ANY_NUMBER = 99


def documented_arguments() -> dict[str, range]:
    """Return the possible numbers of arguments for each entry in the table."""
    table = (JS / "README.md").read_text().partition("## The entries")[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    taken = {}
    for name, arguments in (found for cell in cells for found in re.findall(r"`(\w+)\(([^)]*)\)", cell)):
        words = [word.strip() for word in arguments.split(",") if word.strip()]
        most = ANY_NUMBER if any(word.startswith("...") for word in words) else len(words)
        taken[name] = range(sum(not word.startswith("...") and not word.endswith("?") for word in words), most + 1)
    return taken


def entry_calls() -> Iterator[tuple[str, str, range]]:
    """Yield each call of an entry in Python: location, entry, and the possible numbers of arguments."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "invoke":
                continue
            callee, *passed = (node.func.value, *node.args)
            if passed and ast.unparse(passed[0]).endswith("entry"):
                # `inspector.invoke(entry, name, ...)` calls an entry in an interrupt.
                callee, *passed = passed
            if not ast.unparse(callee).endswith("entry"):
                continue
            name, *arguments = passed
            assert isinstance(name, ast.Constant), f"{path}: an entry that is not named"
            fixed = sum(not isinstance(each, ast.Starred) for each in arguments)
            most = fixed if fixed == len(arguments) else ANY_NUMBER
            yield f"{path.relative_to(PACKAGE)}:{node.lineno}", str(name.value), range(fixed, most + 1)


def test_the_implementation_matches_the_table() -> None:
    text = (JS / "boot/runtime.js").read_text().partition("const entry = {")[2].partition("\n};")[0]
    assert set(re.findall(r"^  (\w+)[(:,]", text, re.M)) == set(documented_arguments())


def test_python_calls_existing_entries_with_valid_arguments() -> None:
    taken = documented_arguments()
    calls = list(entry_calls())
    assert len(calls) > 50, "this sees nothing"
    wrong = [(where, name) for where, name, given in calls if name not in taken or not set(given) & set(taken[name])]
    assert wrong == []


def test_every_entry_is_called() -> None:
    rooms = (ROOT / "native/src/event_loop", ROOT / "native/src/program")
    rust = "".join(path.read_text() for room in rooms for path in room.rglob("*.rs"))
    of_rust = {
        name
        for name in documented_arguments()
        if re.search(rf'(keep|invoke|asks|function)\((scope, )?"{name}"\)', rust)
    }
    assert of_rust > {"call", "timers", "immediates", "completions", "outputClosed", "start", "exit"}
    assert {name for _, name, _ in entry_calls()} | of_rust | {"guard"} == set(documented_arguments())
