"""The clocks of the machines of a cluster may differ: no time of the day travels, or is compared with that of another machine."""

from __future__ import annotations

import ast
from pathlib import Path

import rt_supervisor.cluster

FOLDER = Path(rt_supervisor.cluster.__file__).parent
OF_THE_DAY = {"time", "time_ns", "now", "utcnow", "today"}
# Uses of the machine's own clock: the ages of its own files, and certificates, which allow for a difference of a day.
OWN = {
    ("pruning.py", "time.time"),
    ("contents.py", "time.time_ns"),
    ("certificates.py", "datetime.datetime.now"),
}


def uses_in(path: Path) -> set[tuple[str, str]]:
    """Return the calls of functions that return the time of the day. An event loop's `time()` is monotonic."""
    calls = (node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
    names = {ast.unparse(call) for call in calls if isinstance(call, ast.Attribute) and call.attr in OF_THE_DAY}
    return {(path.name, name) for name in names if not name.endswith(("loop.time", "get_running_loop().time"))}


def test_no_time_of_the_day_leaves_a_machine() -> None:
    found = {use for path in FOLDER.glob("*.py") for use in uses_in(path)}
    assert found == OWN
