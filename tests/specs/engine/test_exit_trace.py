"""`--trace-exit`: the stack from which a program or a worker exits, compared with Node's without its internal frames."""

from __future__ import annotations

import re
import subprocess

import js_peers as peers
import pytest
from rig import Box, executable

PROGRAM = """
const { Worker, isMainThread } = require('node:worker_threads');
const how = process.argv[2];
let depth = 0;
function leave() {
  if (how === 'deep' && ++depth < 20) return leave();
  if (how === 'really') process.reallyExit(3);
  process.exitCode = 4;
  if (how === 'status') process.exit(5);
  if (how === 'undefined') process.exit(undefined);
  process.exit();
}
process.on('exit', (status) => console.log(isMainThread, 'exit', status));
if (how === 'worker' && isMainThread) new Worker(__filename, { argv: ['worker'] }).on('exit', (status) => console.log(status));
else if (how !== 'return') leave();
"""


def outcome(program: str, box: Box, how: str, is_variable: bool) -> tuple[int, str, list[str]]:
    environment = box.environment()
    if is_variable:
        environment["NODE_OPTIONS"] = "--trace-exit"
    words = [program, *([] if is_variable else ["--trace-exit"]), "a.cjs", how]
    done = subprocess.run(
        words, cwd=box.folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )
    lines = [re.sub(r"\((?:rt|node):\d+", "(name", line) for line in done.stderr.splitlines()]
    return done.returncode, done.stdout, [line for line in lines if "WARNING" in line or "a.cjs" in line]


@pytest.mark.parametrize("how", ["plain", "status", "undefined", "really", "deep", "worker", "return"])
@pytest.mark.parametrize("is_variable", [False, True], ids=["flag", "NODE_OPTIONS"])
def test_reports_the_same_as_node(box: Box, how: str, is_variable: bool) -> None:
    box.write({"a.cjs": PROGRAM})
    assert outcome(executable(), box, how, is_variable) == outcome(peers.node(), box, how, is_variable)
