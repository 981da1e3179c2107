"""The cost of cached runs of tasks: rt beside Turborepo, on generated packages.

    benchmarks/tasks.py [--packages 1000] [--rounds 5] [--rt .venv/bin/rt] [--turbo turbo]

Each package has ten source files, depends on up to three earlier packages, and builds `dist/out.js` of its sources. Both tools read the
same turbo.json. After a run that fills both caches, the rounds alternate between the tools: a run of which everything is cached, and a
run after one source file has changed. The figures are medians of wall time and of CPU time (user and system, with all children); the
goals are ratios of wall time of at most 0.3 and 0.5.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

FILES = 10
BUILD = "mkdir -p dist && cat src/*.js > dist/out.js && echo built"
TURBO = {"tasks": {"build": {"dependsOn": ["^build"], "inputs": ["src/**"], "outputs": ["dist/**"]}}}


def make_workspace(root: Path, count: int) -> Path:
    """Write `count` packages below `root` and commit them. Return the source file to change."""
    chosen = random.Random(count)
    names = [f"p{number:05d}" for number in range(count)]
    lock = {f"node_modules/{name}": {"resolved": f"packages/{name}", "link": True} for name in names}
    manifest = {"name": "root", "private": True, "packageManager": "npm@10.0.0", "workspaces": ["packages/*"]}
    (root / "package.json").write_text(json.dumps(manifest))
    (root / "package-lock.json").write_text(
        json.dumps({"name": "root", "lockfileVersion": 3, "packages": {"": {}, **lock}})
    )
    (root / "turbo.json").write_text(json.dumps(TURBO))
    (root / ".gitignore").write_text("dist\n.turbo\nnode_modules\n")
    for number, name in enumerate(names):
        folder = root / "packages" / name
        (folder / "src").mkdir(parents=True)
        needs = {chosen.choice(names[:number]): "*" for _ in range(min(3, number))}
        package = {"name": name, "version": "1.0.0", "dependencies": needs, "scripts": {"build": BUILD}}
        (folder / "package.json").write_text(json.dumps(package))
        for place in range(FILES):
            (folder / "src" / f"{place}.js").write_text(f"export const x{place} = {number};\n" * 5)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q", "."], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], cwd=root, check=True)
    return root / "packages" / names[-1] / "src" / "0.js"


def run(words: list[str], root: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Run a command in `root`. Return its wall time and its CPU time in seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(words, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    wall_s, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed: {done.stdout[-400:]!r} {done.stderr[-400:]!r}")
    return wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rt", default=str(Path(__file__).parents[1] / ".venv/bin/rt"))
    parser.add_argument("--turbo", default=shutil.which("turbo") or str(Path.home() / ".cache/rt-peers/bin/turbo"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "workspace"
        root.mkdir()
        source = make_workspace(root, given.packages)
        environment = {**os.environ, "XDG_CACHE_HOME": f"{place}/cache", "TURBO_TELEMETRY_DISABLED": "1"}
        tools = {
            "rt": [str(Path(given.rt).resolve()), "run", "--tasks", "build"],
            "turbo": [given.turbo, "run", "build", "--no-daemon"],
        }
        for name, words in tools.items():
            wall_s, cpu_s = run(words, root, environment)
            print(f"{name:6} first run    {wall_s:8.2f} s wall {cpu_s:8.2f} s CPU")
            run(words, root, environment)
        times: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for number in range(given.rounds):
            for kind in ("all cached", "one edit"):
                if kind == "one edit":
                    source.write_text(f"export const x = {number};\n")
                for name, words in tools.items():
                    times.setdefault((kind, name), []).append(run(words, root, environment))
        for kind in ("all cached", "one edit"):
            medians = {
                name: [statistics.median(each) for each in zip(*times[kind, name], strict=True)] for name in tools
            }
            for name, (wall_s, cpu_s) in medians.items():
                print(f"{name:6} {kind:12} {wall_s:8.3f} s wall {cpu_s:8.3f} s CPU")
            wall, cpu = (ours / theirs for ours, theirs in zip(medians["rt"], medians["turbo"], strict=True))
            print(f"ratio  {kind:12} {wall:8.2f}   wall {cpu:8.2f}   CPU")


if __name__ == "__main__":
    main()
