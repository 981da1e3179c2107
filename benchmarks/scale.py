"""How time and memory of a run grow with the number of packages, and with the number of scripts at once.

    python benchmarks/scale.py [--packages 1000 2500 5000 10000] [--scripts 50 100 200 500] [--runs 3]

The first table is `rt run --filter '*'` in a workspace in which each package depends on up to three earlier ones: a dry run whose plan
is made for the first time, one whose plan is in the cache, and a run of scripts that do nothing, in order. The second is a real run of scripts that all wait until
the last of them has started. Each row shows CPU time and peak memory of rt and all its children, and per package or script;
growth is linear if the latter stay equal.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from servers import RT

MEASURE = """
import os, resource, sys, time
since = time.perf_counter()
pid = os.fork()
if pid == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print(time.perf_counter() - since, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""


def make_workspace(root: Path, count: int, script: str) -> None:
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    (root / "package.json").write_text(json.dumps({"name": "root", "private": True, "workspaces": ["packages/*"]}))
    chance = random.Random(count)
    for index in range(count):
        earlier = chance.sample(range(index), min(index, 3)) if script == "true" else []
        manifest = {
            "name": f"p{index}",
            "version": "1.0.0",
            "scripts": {"job": script},
            "dependencies": {f"p{each}": "workspace:*" for each in earlier},
        }
        folder = root / "packages" / f"p{index}"
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps(manifest))


def measure(folder: Path, *command: str) -> tuple[float, float, int]:
    """Run a command without output. Return the seconds of wall and CPU time, and the peak memory of the largest process in KB."""
    measuring = [sys.executable, "-c", MEASURE, *command]
    printed = subprocess.run(measuring, cwd=folder, capture_output=True, text=True, check=True).stdout.split()
    if printed[3] != "0":
        raise SystemExit(f"{' '.join(command)} failed with status {printed[3]}")
    return float(printed[0]), float(printed[1]), int(printed[2])


def row(label: str, count: int, results: list[tuple[float, float, int]]) -> None:
    wall, cpu, memory = (median(column) for column in zip(*results, strict=True))
    print(
        f"{label:24} {count:6} {wall:8.2f} s {cpu:7.2f} s CPU {cpu / count * 1e6:8.0f} us each {memory / 1024:7.0f} MB",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=int, nargs="*", default=[1000, 2500, 5000, 10000])
    parser.add_argument("--scripts", type=int, nargs="*", default=[50, 100, 200, 500])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary, "workspace")
        dry = (RT, "run", "--filter", "*", "--dry-run", "job")
        for count in options.packages:
            firsts = []
            for _ in range(options.runs):
                make_workspace(root, count, "true")
                firsts.append(measure(root, *dry))
            row("plan, first", count, firsts)
            row("plan, cached", count, [measure(root, *dry) for _ in range(options.runs)])
            row(
                "scripts in order",
                count,
                [measure(root, RT, "run", "--filter", "*", "job") for _ in range(options.runs)],
            )
        for count in options.scripts:
            # Each script announces itself and waits for a file that the last one creates.
            job = f"mkdir ../../here/$npm_package_name; set -- ../../here/*; [ $# -eq {count} ] && : > ../../go; until [ -e ../../go ]; do sleep 3; done"
            results = []
            for _ in range(options.runs):
                make_workspace(root, count, job)
                (root / "here").mkdir()
                results.append(measure(root, RT, "run", "--filter", "*", "--concurrency", str(count), "job"))
            row("scripts at once", count, results)


if __name__ == "__main__":
    main()
