"""The members of Node's modules and of globalThis, compared with Node itself.

`members_absent.txt` lists members that rt lacks, `members_arity.txt` functions with a different `length` (name,
Node's, rt's); `http`, `http2`, `tls` and `net` have separate tests. Both files must be exact: a change that adds a
member removes its line. `python tests/specs/engine/test_members.py` regenerates them.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])] if __name__ == "__main__" else []

import js_peers as peers  # noqa: E402
from rig import executable  # noqa: E402

HERE = Path(__file__).parent
ABSENT = HERE / "members_absent.txt"
ELSEWHERE = ("http", "_http", "tls", "_tls", "net.", "constants.HTTP")
ARITY = HERE / "members_arity.txt"


def members(command: str) -> dict[str, str]:
    """Return name -> number of parameters ("" for values that are not functions)."""
    result = subprocess.run(
        [command, str(HERE / "members.cjs")],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    lines = (line for line in result.stdout.splitlines() if not line.startswith(ELSEWHERE))
    return dict(line.split(" ", 1) for line in lines)


@functools.cache
def compare() -> tuple[list[str], list[str]]:
    node, ours = members(peers.node()), members(executable())
    absent = [name for name in node if name not in ours]
    arity = [
        f"{name} {count} {ours[name]}"
        for name, count in node.items()
        if count and ours.get(name, count) not in (count, "")
    ]
    return absent, arity


def test_absent_members_are_listed() -> None:
    assert compare()[0] == ABSENT.read_text().splitlines()


def test_argument_counts_match() -> None:
    assert compare()[1] == ARITY.read_text().splitlines()


if __name__ == "__main__":
    for path, lines in zip((ABSENT, ARITY), compare(), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines))
