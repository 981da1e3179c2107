"""The cost of determining what to run, step by step, and its growth with the number of packages.

    python benchmarks/knowledge.py [--packages 100 1000 5000] [--runs 7]

Each step is timed in a fresh interpreter on a workspace in which every package depends on up to three earlier ones
and five have the script (`one`); prints the median of the runs in milliseconds. `python` reads the same manifests
with the standard library, to show what the native reader saves.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

PARTS = """
import sys, time
began = time.perf_counter()
parts = {}
def part(name):
    global began
    now = time.perf_counter()
    parts[name] = (now - began) * 1000
    began = time.perf_counter()
sys.path.insert(0, sys.argv[1])
import os
cwd, script, pattern = sys.argv[2:5]
began = time.perf_counter()
from rt_supervisor import _native
part("import native")
"""

FIRST_RUN = (
    PARTS
    + """
from rt_supervisor.plan import cache as plan_cache, recipe, model as plan
part("import modules for a cached run")
request = recipe.Request(cwd=cwd, mode=plan.MODE_FILTER, scripts=(script,), patterns=(pattern,))
plan_cache.load(request)
part("cache miss")
from rt_supervisor.plan import choosing as run_plan; from rt_supervisor import graph; from rt_supervisor.workspace import selection, finding as workspace
part("import modules for a first run")
found = workspace.find_workspace(cwd)
part("find workspace")
edges = graph.find_edges(found.packages)
part("edges")
selected = selection.select(found, edges, patterns=(pattern,), cwd=cwd)
part("select")
chosen = [place for place in selected.packages if found.packages[place].script(script)]
graph.find_cycles(edges)
part("cycles")
graph.waits_for(edges, chosen)
part("order")
choice = run_plan.choose(found, request)
part("choose (edges to order, and recipes)")
made = recipe.assemble(choice, mode=plan.MODE_FILTER, concurrency=4, exit_on_error=False,
                         make_environment=lambda *_: {}, make_argv=lambda command: ("sh", "-c", command))
part("assemble")
plan_cache.store(request, choice, found)
part("store (children run by then)")
heavy = {"networkx", "json", "re", "dataclasses", "typing", "enum"} & set(sys.modules)
print(repr((parts, len(choice.recipes), sorted(heavy))))
"""
)

CACHED_RUN = (
    PARTS
    + """
from rt_supervisor.plan import cache as plan_cache, recipe, model as plan
part("import modules for a cached run")
request = recipe.Request(cwd=cwd, mode=plan.MODE_FILTER, scripts=(script,), patterns=(pattern,))
choice = plan_cache.load(request)
part("load from cache")
assert choice is not None, "no cached plan"
made = recipe.assemble(choice, mode=plan.MODE_FILTER, concurrency=4, exit_on_error=False,
                         make_environment=lambda *_: {}, make_argv=lambda command: ("sh", "-c", command))
part("assemble")
heavy = {"networkx", "json", "re", "dataclasses", "typing", "enum"} & set(sys.modules)
print(repr((parts, len(choice.recipes), sorted(heavy))))
"""
)

PLAIN_PYTHON = (
    PARTS
    + """
import json
part("import json")
packages = os.path.join(cwd, "packages")
paths = [os.path.join(packages, name, "package.json") for name in sorted(os.listdir(packages))]
part("list folder")
for path in paths:
    with open(path, "rb") as file:
        json.loads(file.read())
part("read with json")
for path in paths:
    os.stat(path)
part("stat")
_native.read_manifests(paths)
part("read natively")
identities = _native.identify([os.fsencode(path) for path in paths], 2**62)
part("identify natively")
_native.is_unchanged(identities)
part("check natively")
print(repr((parts, len(paths), [])))
"""
)


def build(folder: str, count: int) -> None:
    """Write a workspace of `count` packages in dependency order, five of which have the script `one`."""
    rng = random.Random(count)
    write(os.path.join(folder, "package.json"), {"name": "big", "workspaces": ["packages/*"]})
    for number in range(count):
        near = range(max(0, number - 50), number)
        dependencies = {f"p{other:04d}": "workspace:*" for other in rng.sample(near, min(3, len(near)))}
        scripts = {"build": "true"} | ({"one": "true"} if number < 5 else {})
        content = {"name": f"p{number:04d}", "version": "1.0.0", "dependencies": dependencies, "scripts": scripts}
        write(os.path.join(folder, f"packages/p{number:04d}/package.json"), content)


def write(path: str, content: object) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(content, file)


def measure(title: str, source: str, *arguments: str, runs: int, environment: dict[str, str]) -> None:
    taken: dict[str, list[float]] = {}
    result = ""
    for _ in range(runs):
        command = [sys.executable, "-c", source, PROJECT, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        parts, count, heavy = eval(done.stdout)
        result = f"{count} found" + (f", imported {' '.join(heavy)}" if heavy else "")
        for name, milliseconds in parts.items():
            taken.setdefault(name, []).append(milliseconds)
    print(f"  {title}: {result}")
    for name, values in taken.items():
        print(f"    {name:40} {statistics.median(values):8.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=int, nargs="+", default=[100, 1000, 5000])
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    for count in options.packages:
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            build(folder, count)
            # Files younger than the clock's tick are not trusted to remain unchanged.
            time.sleep(0.1)
            environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache")}
            print(f"{count} packages")
            for script in ("one", "build"):
                arguments = (folder, script, "*")
                print(f" rt run --filter '*' {script}")
                measure("first run", FIRST_RUN, *arguments, runs=1, environment=environment)
                environment["XDG_CACHE_HOME"] = "/dev/null"
                measure("without a cache", FIRST_RUN, *arguments, runs=options.runs, environment=environment)
                environment["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
                measure("cached run", CACHED_RUN, *arguments, runs=options.runs, environment=environment)
            measure("single steps", PLAIN_PYTHON, folder, "", "", runs=options.runs, environment=environment)


if __name__ == "__main__":
    main()
