"""G30, the stack: infinite recursion is a RangeError wherever it happens, in JavaScript, in the runtime, or across
both.
"""

from __future__ import annotations

import pytest
from rig import Box

# Each ends in a RangeError that the program catches.
CAUGHT = {
    "functions": "(function f() { f() })()",
    "constructors": "class A { constructor() { new A() } } new A()",
    "getters": "({ get x() { return this.x } }).x",
    "proxies": "new Proxy({}, { get: (t, k, r) => r[k] }).x",
    "toString": "'' + { toString() { return '' + this } }",
    "toJSON": "JSON.stringify({ toJSON() { return JSON.stringify(this) } })",
    "custom inspection": "inspect({ [inspect.custom]() { return inspect(this) } })",
    "spread arguments": "(function f(...a) { f(...a, 1) })()",
    "host operations": "(function f() { fs.existsSync('/x'); f() })()",
    "errors of host operations": "(function f() { try { fs.readFileSync('/nonexistent') } catch { f() } })()",
    "modules that cannot be required": "(function f() { try { require('./nonexistent') } catch { f() } })()",
    "prepareStackTrace": "Error.prepareStackTrace = () => { (function f() { f() })() }; new Error().stack",
    "Error.stack": "(function f() { new Error('x').stack; f() })()",
    "listeners": "process.on('x', () => process.emit('x')); process.emit('x')",
    "console": "console._writes = 0; (function f() { inspect({ a: 1 }); f() })()",
    "callbacks of the runtime's own": "(function f() { [1].forEach(f) })()",
    "replacers": "(function f() { 'a'.replace(/a/, f) })()",
    "regular expressions in the source": "eval('/' + '('.repeat(1e5))",
    "Buffer and URL": "(function f() { Buffer.from('x'); new URL('http://x/'); f() })()",
}
HEAD = "const fs = require('fs'), { inspect } = require('util');"


@pytest.mark.parametrize("name", CAUGHT)
def test_a_program_can_catch_it_and_go_on(box: Box, name: str) -> None:
    kind = "SyntaxError" if "source" in name else "RangeError"
    source = f"let kind = ''; try {{ {CAUGHT[name]} }} catch (error) {{ kind = error.constructor.name }}"
    box.write({"main.js": f"{HEAD} {source} Error.prepareStackTrace = undefined; console.log(kind, 1 + 1)"})
    done = box.run("main.js")
    assert (done.stdout, done.stderr) == (f"{kind} 2\n".encode(), b"")


@pytest.mark.parametrize("name", ["functions", "getters", "errors of host operations", "listeners"])
def test_when_uncaught_it_is_an_ordinary_error(box: Box, name: str) -> None:
    box.write({"main.js": f"{HEAD} {CAUGHT[name]}"})
    done = box.run("main.js")
    assert done.returncode == 1
    assert b"RangeError: Maximum call stack size exceeded" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_promise_executor_that_recurses_is_a_rejection(box: Box) -> None:
    box.write(
        {
            "main.mjs": "(async function f() { await null; (function g() { g() })() })().catch((e) => console.log(e.name))"
        }
    )
    assert box.run("main.mjs").stdout == b"RangeError\n"


VALUES = {
    "console.log": "console.log(deep)",
    "inspect": "inspect(deep, { depth: Infinity }).length",
    "RT.inspect": "RT.inspect(deep, { depth: Infinity }).length",
    "JSON.stringify": "JSON.stringify(deep)",
    "isDeepStrictEqual": "require('util').isDeepStrictEqual(deep, other)",
    "an error's causes": "let e = new Error('0'); for (let i = 0; i < 50000; i++) e = new Error('n', { cause: e }); inspect(e)",
}


@pytest.mark.parametrize("name", VALUES)
def test_values_nested_a_hundred_thousand_times(box: Box, name: str) -> None:
    """They are printed, compared or rejected; the process survives."""
    nested = "const nest = () => { let v = []; for (let i = 0; i < 1e5; i++) v = [v]; return v };"
    source = f"{HEAD} {nested} const deep = nest(), other = nest(); let kind = 'fine';"
    source += f"try {{ {VALUES[name]} }} catch (error) {{ kind = error.constructor.name }} console.log('end', kind)"
    box.write({"main.js": source})
    done = box.run("main.js")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] in (b"end fine", b"end RangeError")
    assert done.stderr == b""
