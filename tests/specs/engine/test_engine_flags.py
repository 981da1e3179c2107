"""`--stack-trace-limit`: as a flag, in V8's spelling, in NODE_OPTIONS, in a worker and in another context, compared
with Node.
"""

from __future__ import annotations

import js_peers as peers
import pytest
from node_flags import printed
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
def test_behaves_as_in_node(box: Box, flag: str, is_variable: bool) -> None:
    box.write({"a.cjs": PROGRAM})
    assert printed(executable(), box, flag, is_variable) == printed(peers.node(), box, flag, is_variable)
