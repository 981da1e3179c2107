"""The prefixed display: every output line starts with its script's name, however the stream is split."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.output.displays.prefixed import LONGEST_KEPT_LINE, LinePrefixer
from rt_supervisor.output.drawing.outcomes import duration


def through(blocks: list[bytes], prefix: bytes = b"p: ") -> bytes:
    written: list[bytes] = []
    prefixer = LinePrefixer(prefix, written.append)
    for block in blocks:
        prefixer.feed(block)
    prefixer.flush()
    return b"".join(written)


def reference(data: bytes, prefix: bytes = b"p: ") -> bytes:
    lines = data.split(b"\n")
    tail = lines.pop()
    return b"".join(prefix + line + b"\n" for line in [*lines, *([tail] if tail else [])])


@given(st.lists(st.lists(st.sampled_from([b"\n", b"a", b"\r", b"\xff\0"])).map(b"".join).filter(bool)))
def test_every_line_gets_the_prefix_however_the_stream_is_cut(blocks: list[bytes]) -> None:
    assert through(blocks) == reference(b"".join(blocks))


def test_a_long_line_is_forwarded_while_it_blocks_the_output() -> None:
    written: list[bytes] = []
    prefixer = LinePrefixer(b"p: ", written.append)
    prefixer.feed(b"x" * LONGEST_KEPT_LINE)
    assert written == []
    prefixer.feed(b"y")
    assert prefixer.is_mid_line
    assert sum(map(len, written)) == len(b"p: ") + LONGEST_KEPT_LINE + 1
    prefixer.feed(b"z\nnext")
    assert not prefixer.is_mid_line
    prefixer.flush()
    assert b"".join(written) == reference(b"x" * LONGEST_KEPT_LINE + b"yz\nnext")


def test_durations() -> None:
    assert [duration(seconds) for seconds in (0, 0.0123, 0.9994, 0.9996, 1.234, 61)] == [
        "0ms", "12ms", "999ms", "1.00s", "1.23s", "61.00s",
    ]  # fmt: skip
    assert duration(0.012, " ") == "12 ms"
