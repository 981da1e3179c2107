"""The cost of transpiling: one small file, a big one, a whole graph, a source map, and the memory at the end.

    python benchmarks/transpile.py [--modules 1000] [--runs 7] [--file PATH ...]

`--file` adds files, such as the TypeScript compiler's `lib/typescript.js`; each is timed as it is and as TypeScript,
which reprints it. Prints the median of the runs.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable

from rt_supervisor._native import Resolver, Transformed, TransformOptions, load_graph, transform

OPTIONS = TransformOptions()


def module_source(index: int, count: int) -> str:
    """Return a TypeScript module of about 1.6 KB that imports two others."""
    children = [child for child in (2 * index + 1, 2 * index + 2) if child < count]
    imports = "".join(f"import {{ f{child} }} from './m{child}';\n" for child in children)
    calls = " + ".join(["0", *(f"f{child}(x)" for child in children)])
    functions = "".join(
        f"export interface I{n} {{ a: number; b?: string }}\n"
        f"export function g{n}(a: number, b: string = 'x'): string "
        f"{{ const c: I{n} = {{ a, b }}; return `${{c.a}} ${{c.b}}` }}\n"
        for n in range(10)
    )
    return f"{imports}{functions}export function f{index}(x: number): number {{ return {calls} }}\n"


def median_ms(work: Callable[[], object], runs: int) -> float:
    durations = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        durations.append((time.perf_counter() - began) * 1000)
    return statistics.median(durations)


def show(label: str, milliseconds: float, note: str = "") -> None:
    print(f"{label:<44}{milliseconds:10.2f} ms  {note}")


def time_file(path: str, runs: int) -> None:
    with open(path, "rb") as file:
        source = file.read()
    name = os.path.basename(path)
    for loader in (None, "ts"):
        results: list[Transformed] = []
        label = f"{name} ({len(source) / 1e6:.1f} MB)" + (" as TypeScript" if loader else "")
        taken = median_ms(
            lambda loader=loader, kept=results: kept.append(transform(source, path, OPTIONS, loader=loader)), runs
        )
        show(label, taken, "printed again" if results[0].has_changes else "left as it is")
        if results[0].has_changes:
            began = time.perf_counter()
            source_map = results[0].map()
            assert source_map is not None
            show("  its source map", (time.perf_counter() - began) * 1000, f"{len(source_map):,} places")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--file", action="append", default=[])
    arguments = parser.parse_args()
    runs = arguments.runs
    show(
        "one line of TypeScript", median_ms(lambda: transform("const x: string = 'hi'", "/p/a.ts", OPTIONS), runs * 20)
    )
    small = module_source(0, 10)
    show("one module of 1.6 KB", median_ms(lambda: transform(small, "/p/a.ts", OPTIONS), runs * 20))
    show(
        "  its source map", median_ms(lambda: transform(small, "/p/a.ts", OPTIONS).map(), runs * 20), "with the module"
    )
    with tempfile.TemporaryDirectory() as folder:
        for index in range(arguments.modules):
            with open(os.path.join(folder, f"m{index}.ts"), "w", encoding="utf-8") as file:
                file.write(module_source(index, arguments.modules))
        entry = [os.path.join(folder, "m0.ts")]
        taken = median_ms(lambda: load_graph(entry, Resolver(), OPTIONS), runs)
        show(f"a graph of {arguments.modules:,} modules", taken, "with a new resolver")
    for path in arguments.file:
        time_file(path, runs)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
