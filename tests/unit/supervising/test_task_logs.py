"""The output of a task as it is stored with its result."""

from __future__ import annotations

from rt_supervisor.supervising.task_logs import without_returns


def test_output_of_a_terminal_is_stored_with_the_line_ends_of_the_script() -> None:
    log = [(0, 1, b"one\r"), (0, 1, b"\ntwo\r\n50%\r100%\r\n"), (1, 1, b"x" * 100_000 + b"\r\n")]
    stored = without_returns(log)
    assert stored[0] == (0, 1, b"one\ntwo\n50%\r100%\n")
    assert b"".join(block for step, _, block in stored if step == 1) == b"x" * 100_000 + b"\n"
    assert all(len(block) <= 64 << 10 for _, _, block in stored)
    assert without_returns([]) == []
