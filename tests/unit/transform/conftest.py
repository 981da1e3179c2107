"""Runs the transpiler's output in the engine it targets.

`run` returns the lines that a source prints. Sources without import and export run as a script; `require` provides a
small React that prints the calls made from JSX.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from rt_supervisor._native import EmitConfig, Engine, Transformed, TransformOptions, transform
from rt_supervisor.engine_worker.start import library

PRELUDE = """
var lines = [];
var console = { log: (...values) => { lines.push(values.map((v) => typeof v === 'string' ? v : show(v)).join(' ')) } };
function show(v) {
  if (typeof v === 'bigint') return `${v}n`;
  if (typeof v === 'function') return `[function ${v.name}]`;
  return v === undefined ? 'undefined' : Number.isNaN(v) ? 'NaN' : typeof v === 'symbol' ? String(v) : JSON.stringify(v);
}
var named = (t) => typeof t === 'function' ? t.name : t;
var modules = {
  react: { createElement: (t, p, ...c) => ['createElement', named(t), p, ...c], Fragment: 'ClassicFragment' },
  'react/jsx-runtime': {
    Fragment: 'Fragment', jsx: (t, p, k) => ['jsx', named(t), p, k], jsxs: (t, p, k) => ['jsxs', named(t), p, k],
  },
  'react/jsx-dev-runtime': { Fragment: 'Fragment', jsxDEV: (...a) => ['jsxDEV', named(a[0]), ...a.slice(1)] },
};
var require = (name) => modules[name] ?? ((e) => { throw e })(new Error(`no module ${name}`));
"""

Run = Callable[..., list[str]]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    library.start()  # one V8 in a process: the wheel's own binding would start another
    engine = Engine()
    yield engine
    engine.close()


@pytest.fixture
def run(engine: Engine) -> Run:
    """Transform and run `source`. Return the printed lines, with a thrown error as the last one."""

    def run(source: str, path: str = "/p/a.ts", *, config: EmitConfig | None = None, **flags: object) -> list[str]:
        options = TransformOptions(**flags)  # type: ignore[arg-type]
        result = transform(source, path, options, config=config, package_type="commonjs")
        assert not result.problems, result.problems
        return execute(engine, result)

    return run


def execute(engine: Engine, result: Transformed) -> list[str]:
    body = json.dumps(f"(function (module, exports) {{{result.code}\n}})")
    call = f"(0, eval)({body}).call({{}}, {{ exports: {{}} }}, {{}})"
    guarded = f"try {{ {call} }} catch (e) {{ lines.push(`${{e.name}}: ${{e.message}}`) }}"
    shared = "Object.assign(globalThis, { console, require })"
    return str(engine.run(f"(() => {{ {PRELUDE} {shared}; {guarded}; return lines.join('\\n') }})()")).split("\n")
