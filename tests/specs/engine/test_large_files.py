"""Large files of packages are treated as CommonJS without being parsed; files of another kind still behave correctly."""

from __future__ import annotations

import pytest
from rig import Box

from rt_supervisor import _native

FILLING = "function unused_%d(a, b) { return a + b }\n"
LARGE = "".join(FILLING % i for i in range(5000))
assert len(LARGE) > 150_000

# The end of a large file, and the output of a program that imports it and prints x.
FILES = {
    "CommonJS": ("exports.x = 1", "1"),
    "an ES module": ("export const x = 2", "2"),
    "an ES module in one line": ("; export { y as x }; var y = 3;", "3"),
    "an import in one line": ("/**/import * as path from 'path'; export var x = typeof path.join", "function"),
    "a top-level await": ("if (LATE) { await null } /**/export const x = 4", "4"),
    "import.meta": ("exports.x = typeof import.meta.url", "string"),
    "import.meta alone": ("globalThis.x = typeof import.meta.url", "string"),
    "JSX": ("exports.x = <div/>", "div"),
    "pure calls": ("var x = 5;\n/* @__PURE__ */ (() => { x = 'ran' })();\nexports.x = x", "5"),
    "sloppy code": ("with ({ y: 6 }) { exports.x = y }", "6"),
}  # fmt: skip


@pytest.mark.parametrize("form", ["require", "import", "main"])
@pytest.mark.parametrize("name", FILES)
def test_file_of_a_package(box: Box, name: str, form: str) -> None:
    end, expected = FILES[name]
    text = "var LATE = false;\n" + LARGE + end
    shows = "globalThis.x ?? p.x"
    box.write({"node_modules/p/index.js": text, "node_modules/p/package.json": {"name": "p", "main": "index.js"}})
    box.write({"require.cjs": f"const p = require('p'); console.log({shows})"})
    box.write({"import.mjs": f"import * as p from 'p'; console.log({shows})"})
    box.write({"node_modules/react/jsx-dev-runtime.js": "exports.jsxDEV = (type) => type"})
    if form == "main":
        done = box.run("./node_modules/p/index.js")
        assert (done.stderr, done.returncode) == (b"", 0)
        return
    if (name, form) == ("a top-level await", "require"):
        assert b"ERR_REQUIRE_ASYNC_MODULE" in box.run("require.cjs").stderr
        return
    done = box.run({"require": "require.cjs", "import": "import.mjs"}[form])
    assert (done.stdout.decode().strip(), done.stderr) == (expected, b"")


def test_a_syntax_error_is_shown_as_usual(box: Box) -> None:
    box.write({"node_modules/p/index.js": LARGE + "let a = ;", "main.cjs": "require('p')"})
    done = box.run("main.cjs")
    assert done.returncode == 1
    assert b"5001 | let a = ;" in done.stderr
    assert b"index.js:5001:9" in done.stderr


def test_a_stack_shows_its_lines(box: Box) -> None:
    box.write({"node_modules/p/index.js": LARGE + "throw new Error('here')", "main.cjs": "require('p')"})
    done = box.run("main.cjs")
    assert b"5001 | throw new Error('here')" in done.stderr
    assert b"index.js:5001:7" in done.stderr


def test_flags_that_change_code_reach_it(box: Box) -> None:
    box.write({"node_modules/p/index.js": LARGE + "exports.x = NAME", "main.cjs": "console.log(require('p').x)"})
    assert box.run("--define", "NAME:'given'", "main.cjs").stdout == b"given\n"


def test_each_query_is_an_instance(box: Box) -> None:
    box.write({"node_modules/p/index.js": LARGE + "exports.x = Math.random()"})
    box.write({"main.mjs": "import a from 'p'; import b from './node_modules/p/index.js?2'; console.log(a.x !== b.x)"})
    assert box.run("main.mjs").stdout == b"true\n"


def is_assumed_commonjs(box: Box, path: str, text: str) -> bool:
    box.write({path: text})
    options, resolver = _native.TransformOptions(), _native.Resolver(builtins=set())
    (record, *_) = _native.load_graph([str(box.folder / path)], resolver, options, trusting=True)
    assert record.transformed is not None
    return record.transformed.is_assumed


def test_files_accepted_unparsed(box: Box) -> None:
    """Size, location and text decide; otherwise the other tests would test nothing."""
    assert is_assumed_commonjs(box, "node_modules/p/a.js", LARGE)
    assert is_assumed_commonjs(box, "b.cjs", LARGE)
    assert is_assumed_commonjs(box, "c.js", LARGE + "module.exports = 1")
    assert is_assumed_commonjs(box, "d.js", LARGE + "if (typeof module !== 'undefined') {}")
    assert is_assumed_commonjs(box, "node_modules/p/e.js", LARGE + "var x = /* @__PURE__ */ f(/* #__PURE__ */ g())")
    assert not is_assumed_commonjs(box, "node_modules/p/f.js", FILLING % 1)
    assert not is_assumed_commonjs(box, "node_modules/p/g.ts", LARGE)
    assert not is_assumed_commonjs(box, "node_modules/p/h.js", LARGE + "export default 1")
    assert not is_assumed_commonjs(box, "node_modules/p/i.js", LARGE + "/* @__PURE__ */ f()")
    for before in ("x = !", "x = a + ", "x = [...", "x = `${", "for (x of ", "throw "):
        assert is_assumed_commonjs(box, "node_modules/p/l.js", LARGE + f"{before}/* @__PURE__ */ f()"), before
    for before in ("x++\n", "if (x) {", "x;", "else ", "xof\n", "/**/"):
        assert not is_assumed_commonjs(box, "node_modules/p/l.js", LARGE + f"{before}/* @__PURE__ */ f()"), before
    assert not is_assumed_commonjs(box, "node_modules/p/m.js", LARGE + "exports.x = `\nimport x`")
    assert is_assumed_commonjs(
        box, "node_modules/p/n.js", LARGE + "x = `\nimport x`\n0 && (module.exports = {\n  x\n});\n"
    )
    assert not is_assumed_commonjs(
        box, "node_modules/p/o.mjs", LARGE + "x = `\nimport x`\n0 && (module.exports = {\n  x\n});\n"
    )
    assert not is_assumed_commonjs(box, "j.js", LARGE)
    box.write({"package.json": {"type": "module"}})
    assert not is_assumed_commonjs(box, "k.js", LARGE + "module.exports = 1")
