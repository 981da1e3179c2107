"""An agent whose clock is hours ahead: results, their order and the report are those of a run with right clocks."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

from clusters import SHIFT_S, RunCluster
from rig import Box


def test_clocks_may_differ_by_hours(cluster: RunCluster, tmp_path: Path, box: Box) -> None:
    cluster.require_early_agent()
    box.write(
        {
            ".gitignore": "out\nearly\n",
            "package.json": {
                "name": "app",
                "scripts": {"first": "date +%s > out", "early": "cat out; date +%s > early", "last": "cat out early"},
            },
            "rtfig.toml": 'envMode = "loose"\n[tasks.first]\ntags = ["big"]\noutputs = ["out"]\n'
            '[tasks.early]\ndependsOn = ["first"]\ntags = ["early"]\noutputs = ["early"]\n'
            '[tasks.last]\ndependsOn = ["early"]\noutputs = []\n',
        }
    )
    subprocess.run(["git", "init", "-q", str(box.folder)], check=True)
    began = time.time()
    summary = tmp_path / "summary.json"
    first = box.run("run", "--on", cluster.address, "--tasks", "--summarize", str(summary), "last")
    again = box.run("run", "--on", cluster.address, "--tasks", "last")
    seconds = time.time() - began
    assert (first.returncode, first.stderr, again.returncode) == (0, b"", 0), (first, again)
    here, there = int((box.folder / "out").read_text()), int((box.folder / "early").read_text())
    assert there - here >= SHIFT_S - 1, "the agent's clock was not shifted"
    assert f"app last: {here}\napp last: {there}\n".encode() in first.stdout
    assert again.stdout.count(b"cached") == 3  # the next run finds all results
    tasks = json.loads(summary.read_text())["tasks"]
    assert all(0 <= task["seconds"] <= seconds for task in tasks), tasks
