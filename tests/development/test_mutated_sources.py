"""Mutated TypeScript is transpiled, compiled by V8 and read by the REPL's parser: accepted, or refused with a SyntaxError."""

from __future__ import annotations

import json
from pathlib import Path

import development_builds as builds
from mutations import SOURCE_MARKS, TS, TSX, Mutator

ORIGINALS = [
    TSX,
    TS,
    """@sealed class A<const T extends readonly unknown[]> { @log accessor #a = 1; static { this.b = 2 } declare c: T }
abstract class B { protected constructor(readonly x: string, public y?: number) {} abstract z(): void }
namespace M.N { export import Q = Other.Thing; export enum E { A = 1 << 2, B = A | 3, C = 'c'.length } }
function over(a: string): void; function over(this: Window, a?: any, ...rest: never[]): asserts a is string {}
""",
    """using a = open(), b = null; await using c = other(); label: for await (const x of y) { if (x) continue label }
const re = /(?<name>a|[^\\]/])+/dgv, t = tag`a${`b${1n}`}c`, big = 0x1_fn, o = { get a() { return 1 }, async *[b]() {}, ...c };
import json from './a.json' with { type: 'json' }; import defer * as d from 'd'; export * as 'str' from 'e';
const x = a?.b?.[c]?.(d) ?? (e ||= f) as const, y = <any>z!, w = v satisfies Record<string, typeof import('u')>;
""",
    """const view = <><A.B c="d" {...e} f={<g />}>text &amp; {/* h */} {i && j}</A.B><svg:k l:m='n'/></>;
'use strict'; var \\u0061b = 'é\\u{1F600}日本', z = -0 ** 2; do x++; while (x < 5) switch (x) { case 1: default: break }
if (a) function f() {} else; try { throw 1 } catch { } finally { debugger } with (a) b; <!-- html
new.target; import.meta.url; super.x; async () => { await 1 }; function* g() { yield* h } // # sourceMappingURL=x
""",
]
SHARE_OF_INPUTS = 10
PROGRAM = """
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
const sources = JSON.parse(readFileSync('sources.json', 'utf8'));
const transpilers = ['tsx', 'ts'].map((loader) => new RT.Transpiler({ loader }));
const counts = { transpiled: 0, compiled: 0, refused: 0 };
for (const [index, source] of sources.entries()) {
  const transpiler = transpilers[index % 2];
  let code;
  try {
    code = transpiler.transformSync(source);
    transpiler.scan(source);
    counts.transpiled++;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    counts.refused++;
    continue;
  }
  try {
    new vm.Script(code);
    counts.compiled++;
  } catch (error) {
    if (error.name !== 'SyntaxError') throw error;
  }
}
console.log(JSON.stringify(counts));
"""


def test_mutated_sources(tmp_path: Path) -> None:
    total = builds.count("SOURCES", 20_000)
    mutator = Mutator(builds.SEED, ORIGINALS, SOURCE_MARKS)
    sources = [mutator.mutate() for _ in range(total)]
    (tmp_path / "sources.json").write_text(json.dumps(sources))
    (tmp_path / "program.mjs").write_text(PROGRAM)
    done = builds.run("rt-debug", "program.mjs", cwd=tmp_path)
    assert builds.is_clean(done), f"seed {builds.SEED}: {done.stderr[-5000:]}"
    counts = json.loads(done.stdout)
    assert counts["transpiled"] + counts["refused"] == total
    assert min(counts.values()) > 0, counts


def test_mutated_inputs_of_the_repl(tmp_path: Path) -> None:
    """Each is abandoned if it is incomplete, and evaluated otherwise."""
    lines = [line for text in ORIGINALS for line in text.splitlines()]
    mutator = Mutator(builds.SEED, lines, SOURCE_MARKS)
    total = builds.count("SOURCES", 20_000) // SHARE_OF_INPUTS
    inputs = "".join(f"{mutator.mutate()}\n.break\n" for _ in range(total))
    done = builds.run("rt-debug", "repl", cwd=tmp_path, input=f"{inputs}'the ' + 'end'\n")
    assert builds.is_clean(done), f"seed {builds.SEED}: {done.stderr[-5000:]}"
    assert '"the end"' in done.stdout
