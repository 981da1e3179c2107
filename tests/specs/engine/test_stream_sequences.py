"""Random sequences of operations on streams (stream_sequences.cjs) emit the same events in the same order as under
Node.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import js_peers as peers
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rig import executable

PROGRAM = Path(__file__).with_name("stream_sequences.cjs")
AT_ONCE = 400


def event_log(program: str, first: int, count: int) -> list[str]:
    command = [program, str(PROGRAM), str(first), str(count)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.splitlines()


@given(first=st.integers(1, 10**6))
@example(first=1)
@settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_same_happens_in_the_same_order(first: int) -> None:
    ours = event_log(executable(), first, AT_ONCE)
    assert len(ours) == AT_ONCE
    assert ours == event_log(peers.node(), first, AT_ONCE)
