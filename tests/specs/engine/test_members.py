"""What programs can name: every member of Node's modules and of globalThis, beside those of Node itself.

`members_absent.txt` lists those that rt does not have, `members_arity.txt` functions that say that they take another number of arguments
(name, Node's, rt's); of `http`, `http2`, `tls` and `net` see their own tests. Both must be exactly what is so: who adds a member takes its line out. `python tests/specs/engine/test_members.py`
writes them anew.
"""

from __future__ import annotations

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
    """Return name -> number of arguments ("" for what is no function)."""
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


def compared() -> tuple[list[str], list[str]]:
    node, ours = members(peers.node()), members(executable())
    absent = [name for name in node if name not in ours]
    arity = [
        f"{name} {count} {ours[name]}"
        for name, count in node.items()
        if count and ours.get(name, count) not in (count, "")
    ]
    return absent, arity


def test_what_is_absent_is_known() -> None:
    assert compared()[0] == ABSENT.read_text().splitlines()


def test_numbers_of_arguments_are_known() -> None:
    assert compared()[1] == ARITY.read_text().splitlines()


if __name__ == "__main__":
    for path, lines in zip((ABSENT, ARITY), compared(), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines))
