"""`--max-old-space-size` and its percentage: the flag, V8's spelling, NODE_OPTIONS, workers; values beyond the engine's addresses."""

from __future__ import annotations

import pytest
from rig import Box

SHOWN = "console.log(Math.round(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20));"
ROOM_MB = 300  # for young objects, which the limit of V8 includes


@pytest.mark.parametrize("wanted_mb", [200, 1500, 3900])
@pytest.mark.parametrize("form", ["--max-old-space-size", "--max_old_space_size", "NODE_OPTIONS"])
def test_the_limit(box: Box, form: str, wanted_mb: int) -> None:
    box.write({"a.cjs": SHOWN})
    if form == "NODE_OPTIONS":
        result = box.run("a.cjs", environment={"NODE_OPTIONS": f"--max-old-space-size={wanted_mb}"})
    else:
        result = box.run(f"{form}={wanted_mb}", "a.cjs")
    assert wanted_mb <= int(result.stdout) < wanted_mb + ROOM_MB
    assert result.stderr == b""


def test_a_worker_has_the_limit_of_the_process(box: Box) -> None:
    box.write({"a.cjs": f"new (require('worker_threads').Worker)({SHOWN!r}, {{ eval: true }});"})
    assert 400 <= int(box.run("--max-old-space-size=400", "a.cjs").stdout) < 400 + ROOM_MB


def test_more_than_the_engine_addresses_is_reported(box: Box) -> None:
    box.write({"a.cjs": SHOWN})
    result = box.run("--max-old-space-size=8192", "a.cjs")
    assert (
        result.stderr
        == b"warn: --max-old-space-size=8192: rt's engine addresses 4000 MB; the heap is limited to that\n"
    )
    assert int(result.stdout) >= 4000


def test_the_message_names_the_limit(box: Box) -> None:
    box.write({"a.cjs": "const all = []; for (;;) all.push(new Array(1000).fill(1));"})
    result = box.run("--max-old-space-size=64", "a.cjs")
    assert b"its heap reached the limit of 64 MB\n" in result.stderr
    assert result.returncode == 134


def test_zero_stands_for_the_usual_limit(box: Box) -> None:
    box.write({"a.cjs": SHOWN})
    result = box.run("--max-old-space-size=0", "a.cjs")
    assert (result.stdout, result.stderr) == (box.run("a.cjs").stdout, b"")


def test_a_part_of_the_memory(box: Box) -> None:
    box.write({"a.cjs": SHOWN})
    quarter, half = (
        int(box.run("--max-old-space-size=100", f"--max-old-space-size-percentage={part}", "a.cjs").stdout)
        for part in ("25.5", "51")
    )
    assert 100 < quarter < half <= 2 * quarter


@pytest.mark.parametrize("part", ["0", "101", "1%", "-1"])
def test_refuses_other_parts(box: Box, part: str) -> None:
    result = box.run(f"--max-old-space-size-percentage={part}", "-e", "")
    text = f"error: --max-old-space-size-percentage must be greater than 0 and up to 100. Got: {part}\n"
    assert (result.stderr.decode(), result.returncode) == (text, 1)
