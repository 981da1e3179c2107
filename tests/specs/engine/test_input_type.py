"""`--input-type` under the name `node`: what evaluated code is, and whether it has types; on the command line and for workers."""

from __future__ import annotations

import json
import re
import subprocess

import js_peers as peers
import pytest
from rig import Box, executable

CODES = (
    "import fs from 'fs'; const text: string = 'types'; console.log(text);",
    "const fs = require('fs'); const text: string = 'types'; console.log(text);",
    "import fs from 'fs'; console.log(typeof fs);",
    "const fs = require('fs'); console.log(typeof fs);",
    "console.log(typeof import.meta);",
    "console.log(this === globalThis);",
)
TYPES = ("module", "commonjs", "module-typescript", "commonjs-typescript", "other")
WORKERS = """
const { Worker } = require('node:worker_threads');
const [type, ...codes] = JSON.parse(process.argv[2]);
(async () => {
  for (const code of codes) {
    try {
      const worker = new Worker(code, { eval: true, execArgv: ['--no-warnings', `--input-type=${type}`] });
      worker.on('error', ({ name, message }) => console.log(name, message));
      await new Promise((resolve) => worker.on('exit', resolve));
    } catch ({ code, message }) {
      console.log(code, message);
    }
  }
})();
"""


def run(box: Box, *words: str, text: str = "") -> tuple[tuple[str, str | None], tuple[str, str | None]]:
    """Return what rt and Node print, and the messages of their errors."""
    node = box.folder / "node"
    if not node.exists():
        node.symlink_to(executable())
    found = []
    for command in (str(node), peers.node()):
        done = subprocess.run(
            [command, *words],
            cwd=box.folder,
            env=box.environment(),
            input=text,
            capture_output=True,
            text=True,
            timeout=60,
        )
        message = re.search(r"^[A-Z]\w*Error: .*|--input-type must be .*", done.stderr, re.MULTILINE)
        found.append((done.stdout, message and message[0]))
    return found[0], found[1]


@pytest.mark.parametrize("kind", TYPES)
def test_code_of_the_command_line(box: Box, kind: str) -> None:
    for code in CODES:
        own, other = run(box, f"--input-type={kind}", "-e", code)
        assert own == other, code
    own, other = run(box, "--input-type", kind, "-", text=CODES[2])
    assert own == other


@pytest.mark.parametrize("kind", TYPES)
def test_code_of_workers(box: Box, kind: str) -> None:
    box.write({"a.cjs": WORKERS})
    own, other = run(box, "a.cjs", json.dumps([kind, *CODES]))
    assert own == other
