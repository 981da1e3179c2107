"""Console output compared with Bun: scripts of console calls; specs/test_printed.py prints generated values."""

from __future__ import annotations

import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from rig import executable


def _run(command: list[str], script: Path) -> tuple[str, str]:
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


SCRIPTS = {
    "directives": """
      console.log('%s %s', 'a'); console.log('%s', 'a', 'b', { c: 1 }); console.log('a', '%s', 'b'); console.log(1, '%s', 'b');
      console.log('%d %d %d', 1.5, '42.9', {}); console.log('%i', -3.9); console.log('%i', 1e21); console.log('%f', '1.5x'); console.log('%f', 1e-7);
      console.log('%j', { a: [1, { b: 2 }] }); console.log('%j', undefined); console.log('%o', { a: 1 }); console.log('%O', [1, 'a']); console.log('%o', 'str');
      console.log('%cstyled%c plain', 'color: red', ''); console.log('%x %s', 'y'); console.log('%%'); console.log('%% %s', 'x'); console.log('%%%s', 1);
      console.log('100%', 'a'); console.log('%5d', 3); console.log('%s', new String('q')); console.log('%s', [1, [2, {}]]); console.log('%s\\n%s', 1, 2);
      console.log('x'.repeat(90), [1, 2]); console.log('%s', 'x'.repeat(90), [1, 2]); console.log(['x'.repeat(90)], [1]);
    """,
    "groups": """
      console.group('G1'); console.log('in'); console.log({ a: 1, b: [1, { c: 1 }] }); console.log('a\\nb'); console.group('G2', 'x', { a: 1 });
      console.log(['x', { y: 1 }]); console.info('i'); console.warn('w'); console.error('e'); console.groupEnd(); console.log('one'); console.log();
      console.table([1]); console.count(); console.dir({ a: 1 }); console.assert(false, 'q'); console.groupEnd(); console.groupEnd(); console.log('zero');
      console.groupCollapsed('C'); console.log('y'); console.groupEnd();
    """,
    "counts": """
      console.count(); console.count(); console.count('x'); console.countReset(); console.count(); console.count(undefined); console.count(null); console.count({});
      console.assert(true, 'n'); console.assert(false); console.assert(false, 'msg %s', 'x'); console.assert(0, { a: 1 }); console.assert();
      console.dir({ a: { b: { c: { d: 1 } } } }); console.dir({ a: { b: 1 } }, { depth: 0 }); console.dir('str'); console.dirxml({ a: 1 }, [2]); console.timeEnd('none');
    """,
    "tables": """
      console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]); console.table({ r1: { c: 1 }, r2: { c: 2 }, r: 3 }); console.table([[1, 2], [3, 4]]);
      console.table([1, 'two', { three: 3 }]); console.table(new Map([['k', 1], [{ a: 1 }, [1]]])); console.table(new Set([1, 'x'])); console.table([]);
      console.table({}); console.table(5); console.table('str'); console.table(null); console.table([{ a: 1, b: 2 }], ['b']); console.table([{ a: 1 }], ['c', 'a']);
      console.table([{ 'é✓': 1, 日本: '日本語' }, { x: '\\u001b[31mred\\u001b[0m' }]); console.table([undefined, null, Symbol('s'), () => 1]);
      console.table(new Uint8Array([1, 2])); console.table([{ a: { b: { c: 1 } } }]); console.table([..."abcdefghijkl"].map((c, i) => ({ c, i }))); console.table(new Map());
    """,
    "odd values": """
      class A { a = 1; am() {} get ag() { return 1; } static st = 1; } class B extends A { b = 2; bm() {} }
      console.log(new B(), [new B()]); console.log(Object.create({ x: 1, y() {} })); console.log({ constructor: 5 }); console.log(Object.freeze({ a: 1 }));
      console.log(Object.defineProperty({}, 'h', { value: 1 })); console.log({ toJSON() { return 1; } }); console.log(new String('abc'), new Number(-0));
      console.log({ $$typeof: Symbol.for('react.element'), type: 'div', props: { a: 1, children: 'x' }, key: null });
      console.log(new Map([[new Map(), new Set([new Set()])]])); console.log([[], [[]], [{}]]); console.log({ a: [{ b: [{ c: 1 }] }] });
      console.log(new URL('https://u:p@example.com:8080/p/a?q=1&r=2#h')); console.log([new URLSearchParams('a=1&b c=2&a=3')], new URLSearchParams()); console.log([, 1, , ], new Array(5)); console.log('', ' x', '');
    """,
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_calls_print_as_the_peers_do(name: str, tmp_path: Path) -> None:
    script = tmp_path / "a.cjs"
    script.write_text(SCRIPTS[name], encoding="utf-8")
    theirs = _run([peers.peer(), str(script)], script)
    assert _run([executable(), str(script)], script) == theirs


@pytest.mark.parametrize(("depth", "shown"), [("1", "{\n  a: {\n    b: [Object ...],\n  },\n}\n"), ("0", "d: {\n")])
def test_depth_of_the_console(depth: str, shown: str, tmp_path: Path) -> None:
    script = tmp_path / "a.cjs"
    script.write_text("console.log({ a: { b: { c: { d: { e: 1 } } } } });", encoding="utf-8")
    out, _ = _run([executable(), "--console-depth", depth, str(script)], script)
    assert shown in out


def test_patched_prototypes_do_not_reach_the_console(tmp_path: Path) -> None:
    script = tmp_path / "a.cjs"
    script.write_text(
        """
        for (const name of ['push', 'map', 'join', 'slice', 'filter', 'forEach', 'includes', 'indexOf']) Array.prototype[name] = () => { throw new Error(name); };
        for (const name of ['slice', 'replace', 'split', 'charCodeAt', 'includes', 'startsWith', 'repeat', 'padEnd']) String.prototype[name] = () => { throw new Error(name); };
        Map.prototype.entries = Set.prototype.values = Map.prototype[Symbol.iterator] = RegExp.prototype.exec = () => { throw new Error('patched'); };
        console.log('%s', 'text', [1, 'two', { three: 3 }], new Map([[1, new Set(['x'])]]), class A {}, /r/, new Date(0), 'quo"te', { 'a-b': 1 });
        """,
        encoding="utf-8",
    )
    out, _ = _run([executable(), str(script)], script)
    assert out.startswith('text [ 1, "two", {') and "[class A] /r/ 1970-01-01T00:00:00.000Z" in out


def test_prototypes_of_every_global_class_print(tmp_path: Path) -> None:
    """Getters that describe instances are not called on a prototype."""
    script = tmp_path / "prototypes.mjs"
    script.write_text("""
      for (const name of Object.getOwnPropertyNames(globalThis)) {
        if (name === 'localStorage') continue; // needs a file
        const value = globalThis[name];
        if (typeof value !== 'function' || value.prototype === undefined) continue;
        try { console.log(value.prototype, [value.prototype]); } catch (error) { console.error(name, error); }
      }
    """)
    out, err = _run([str(executable()), str(script)], script)
    assert err == ""
    assert "Response {" in out and "rt.console" not in out


def test_values_of_a_timer_are_not_format_strings(tmp_path: Path) -> None:
    """As in Node and Bun."""
    script = tmp_path / "a.cjs"
    script.write_text("""
      console.time('%s'); console.timeLog('%s', 'a %s b', 'c', { d: '%d' }); console.timeLog('%s', '%cred', 'x'); console.timeLog('%s'); console.timeLog('%s', '%d', 5);
    """)
    for program in (executable(), peers.peer()):
        out, err = _run([program, str(script)], script)
        shown = [line.partition("] ")[2] or line for line in err.splitlines()]
        assert (out, shown) == ("", ["%s a %s b c {", '  d: "%d",', "}", "%s %cred x", "%s", "%s %d 5"])
