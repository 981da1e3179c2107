"""Snapshots of a nearly full heap: by flag and by `v8.setHeapSnapshotNearHeapLimit`, in a worker with a small heap."""

from __future__ import annotations

import json

import pytest
from rig import Box

PROGRAM = """
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) {
  const worker = new Worker(__filename, { resourceLimits: { maxOldGenerationSizeMb: 24 } });
  worker.on('error', ({ code }) => console.log(code));
  worker.on('exit', (status) => console.log(status));
} else {
  SET
  class Kept {
    numbers = new Array(1000).fill(1.5);
  }
  const all = [];
  for (;;) all.push(new Kept());
}
"""


def functions_in_snapshots(box: Box, program: str, *flags: str) -> list[str]:
    """Return the names of the functions and classes in each written snapshot."""
    box.write({"a.cjs": program})
    done = box.run(*flags, "a.cjs")
    assert done.stdout.split() == [b"ERR_WORKER_OUT_OF_MEMORY", b"1"]
    paths = sorted(box.folder.rglob("Heap.*.heapsnapshot"))
    reported = [line for line in done.stderr.decode().splitlines() if line.startswith("Wrote snapshot to ")]
    assert sorted(reported) == [f"Wrote snapshot to {path}" for path in paths]
    assert all(path.name.split(".")[4:] == ["1", f"{place:03}", "heapsnapshot"] for place, path in enumerate(paths, 1))
    snapshots = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    assert all("Kept" in snapshot["strings"] for snapshot in snapshots)
    return [str(path.parent.relative_to(box.folder)) for path in paths]


@pytest.mark.parametrize("count", [0, 2])
def test_a_program_requests_snapshots(box: Box, count: int) -> None:
    asks = f"const v8 = require('node:v8'); v8.setHeapSnapshotNearHeapLimit({count or 1}); v8.setHeapSnapshotNearHeapLimit(5);"
    assert functions_in_snapshots(box, PROGRAM.replace("SET", asks if count else "")) == ["."] * count


def test_a_flag_enables_them(box: Box) -> None:
    (box.folder / "reported").mkdir()
    program = PROGRAM.replace("SET", "require('node:v8').setHeapSnapshotNearHeapLimit(5);")
    assert functions_in_snapshots(box, program, "--heapsnapshot-near-heap-limit=1", "--diagnostic-dir=reported") == [
        "reported"
    ]
