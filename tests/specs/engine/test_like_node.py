"""Programs that print the same under rt and under Node, one folder per area; each runs in an empty directory.

`recorded.json` holds digests of the programs and of what Node prints. Node itself runs only if rt prints something else, which
may depend on the machine, or if the program or Node is another one. `python tests/specs/engine/test_like_node.py` records again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2])] if __name__ == "__main__" else []

import js_peers as peers  # noqa: E402
import pytest  # noqa: E402
from rig import Box, executable  # noqa: E402

FOLDER = Path(__file__).parent / "like_node"
PROGRAMS = sorted(FOLDER.glob("*/*.[cm]js"))
RECORDED = FOLDER / "recorded.json"
TLS_IDENTITY = Path(__file__).parent / "tls_identity.cjs"  # programs require it from their parent directory
NAMES = re.compile(r"\((?:rt|node):\d+\)|`(?:rt|node\S*) --")


def name_of(program: Path) -> str:
    return f"{program.parent.name}/{program.stem}"


def outcome(box: Box, command: list[str], program: Path) -> tuple[str, str, int]:
    folder = box.folder / Path(command[0]).name
    folder.mkdir()
    shutil.copy(program, folder)
    shutil.copy(TLS_IDENTITY, box.folder)
    result = subprocess.run(
        [*command, program.name],
        cwd=folder,
        env=box.environment(),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    said = NAMES.sub("<name>", result.stderr.decode())
    return result.stdout.decode().replace(str(folder), "<DIR>"), said.replace(str(folder), "<DIR>"), result.returncode


def digest(*values: object) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:24]


def digest_of(program: Path) -> str:
    return digest(program.read_text(encoding="utf-8"), TLS_IDENTITY.read_text(encoding="utf-8"))


@functools.cache
def records() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def is_recorded(program: Path, *found: object) -> bool:
    """Return whether Node printed this; False if the program is another one since, or Node, where it is installed."""
    is_current = peers.node_version() in (None, records()["node"])
    return is_current and records()["programs"].get(name_of(program)) == [digest_of(program), digest(*found)]


@pytest.mark.parametrize("program", PROGRAMS, ids=map(name_of, PROGRAMS))
def test_prints_what_node_prints(box: Box, program: Path) -> None:
    ours = outcome(box, [executable()], program)
    if not is_recorded(program, *ours):
        assert ours == outcome(box, [peers.node()], program)


def record() -> None:
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:

        def row(program: Path) -> str:
            own = Path(folder) / name_of(program)
            own.mkdir(parents=True)
            found = outcome(Box(own), [peers.node()], program)
            return f"{json.dumps(name_of(program))}: {json.dumps([digest_of(program), digest(*found)])}"

        rows = list(pool.map(row, PROGRAMS))
    version = json.dumps(peers.node_version())
    RECORDED.write_text(f'{{"node": {version}, "programs": {{\n' + ",\n".join(rows) + "\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    record()
