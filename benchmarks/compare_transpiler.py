"""Runs the programs of the transpiler's tests in another runtime, and shows where its output differs.

    python benchmarks/compare_transpiler.py PEER [-k SUBSTRING]

PEER is an executable that runs TypeScript files. The tests' expectations follow TypeScript and the standard; this
shows the differences that users of PEER would see. Exits with status 1 if there is an unknown difference.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TESTS = os.path.join(PROJECT, "tests", "unit", "transform")

PRINTING = """
{ const show = (v: any) => typeof v === 'string' ? v : typeof v === 'bigint' ? `${v}n`
    : typeof v === 'function' ? `[function ${v.name}]` : v === undefined ? 'undefined' : Number.isNaN(v) ? 'NaN'
    : typeof v === 'symbol' ? String(v) : JSON.stringify(v);
  const write = console.log.bind(console); console.log = (...values: any[]) => write(values.map(show).join(' ')); }
"""

KNOWN = {
    "a member decorator keeps its object": "the standard passes the object on, the peer does not",
}


def tables() -> dict[str, tuple[str, list[str]]]:
    """Return all (source, expected lines) of the test modules that run programs."""
    sys.path.insert(0, PROJECT)
    cases: dict[str, tuple[str, list[str]]] = {}
    for module, table in (("test_typescript", "ALL"), ("test_decorators", "CASES")):
        path = os.path.join(TESTS, f"{module}.py")
        spec = importlib.util.spec_from_file_location(module, path)
        assert spec is not None
        assert spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        cases.update(getattr(loaded, table))
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer")
    parser.add_argument("-k", default="")
    arguments = parser.parse_args()
    unknown = 0
    for name, (source, expected) in tables().items():
        if arguments.k not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.ts")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{PRINTING};{source}\n")
            done = subprocess.run([arguments.peer, path], capture_output=True, text=True, timeout=30, check=False)
        printed = done.stdout.rstrip("\n").split("\n")
        if printed == expected:
            print(f"same  {name}")
        elif name in KNOWN:
            print(f"known {name}: {KNOWN[name]}")
        else:
            unknown += 1
            print(f"DIFF  {name}\n  expected {expected}\n  printed  {printed}\n  {done.stderr.strip()[:300]}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
