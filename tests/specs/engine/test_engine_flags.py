"""`--stack-trace-limit`: as a flag, in V8's spelling, in NODE_OPTIONS, in a worker and another context, beside Node."""

from __future__ import annotations

import subprocess

import js_peers as peers
import pytest
from rig import Box, executable

PROGRAM = """
const { isMainThread, Worker } = require('node:worker_threads');
const deep = (left) => (left === 0 ? new Error('deep').stack.split('\\n').length - 1 : deep(left - 1));
console.log(isMainThread, Error.stackTraceLimit, deep(60));
if (isMainThread) {
  console.log(require('node:vm').runInNewContext('Error.stackTraceLimit'));
  new Worker(__filename);
}
"""


@pytest.mark.parametrize("flag", ["--stack-trace-limit=30", "--stack_trace_limit=7", "--stack-trace-limit=0"])
@pytest.mark.parametrize("is_variable", [False, True], ids=["flag", "NODE_OPTIONS"])
def test_does_what_node_does(box: Box, flag: str, is_variable: bool) -> None:
    box.write({"a.cjs": PROGRAM})

    def printed(program: str) -> str:
        environment = box.environment()
        if is_variable:
            environment["NODE_OPTIONS"] = flag
        command = [program, *([] if is_variable else [flag]), "a.cjs"]
        return subprocess.run(
            command, cwd=box.folder, env=environment, capture_output=True, text=True, check=True, timeout=60
        ).stdout

    assert printed(executable()) == printed(peers.node())
