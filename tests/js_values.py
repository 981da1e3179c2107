"""Hypothesis strategies for JavaScript values and inspect options, both as source text.

A value is an expression; `R` is a helper object defined by the evaluating side (see `PRELUDE`), so that values which
need statements (circular references, getters, hidden properties, errors with a fixed stack) are expressions too.
"""

from __future__ import annotations

import json

from hypothesis import strategies as st

PRELUDE = r"""
const R = {
  hidden: (o, k, v) => Object.defineProperty(o, k, { value: v, enumerable: false, configurable: true, writable: true }),
  circle: (o, k) => { o[k] = o; return o; },
  inner: (o, k, i) => { o[k] = i; i.up = o; return o; },
  error: (C, m, stack, extra) => { const e = new C(m); e.stack = stack; return Object.assign(e, extra); },
  args: function () { return arguments; },
  revoked: () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; },
  iter: (it) => { it.next(); return it; },
  nul: (o) => Object.setPrototypeOf(o, null),
  rejected: (v) => { const p = Promise.reject(v); p.catch(() => {}); return p; },
  holes: (n, ...at) => { const a = new Array(n); for (const i of at) a[i] = i; return a; },
  named: (name) => ({ [name]: class { constructor(o) { Object.assign(this, o); } } })[name],
  Point: class Point { constructor(o) { Object.assign(this, o); } get sum() { return 1; } dist() {} static z = 1; },
  Sub: class Sub extends Map {}, SubArr: class SubArr extends Array {}, SubSet: class SubSet extends Set {},
  SubErr: class SubErr extends TypeError {}, ValidationError: class ValidationError extends Error {},
  SubU8: class SubU8 extends Uint8Array {}, SubDate: class SubDate extends Date {}, SubRe: class SubRe extends RegExp {},
  SubPromise: class SubPromise extends Promise {}, SubFn: class SubFn extends Function {},
  Tagged: class Tagged { get [Symbol.toStringTag]() { return 'Mark'; } },
  Private: class Private { #secret = 1; static #hidden = 2; open = 3; accessor = 4; static { this.made = true; } get g() { return #secret in this; } },
  tag: (o, t) => Object.defineProperty(o, Symbol.toStringTag, { value: t, configurable: true }),
  detached: () => { const b = new ArrayBuffer(8); b.transfer(); return b; },
  props: (f) => Object.defineProperties({}, { a: { get: f, enumerable: true }, b: { set() {}, enumerable: true }, c: { get: f, set() {} } }),
  mutual: () => { const a = { n: 1 }; const b = { a, list: [a] }; a.b = b; a.map = new Map([[a, b]]); b.set = new Set([a, b]); return a; },
  deep: (n, v) => { for (let i = 0; i < n; i++) v = { [`k${i}`]: v }; return v; },
};
"""

WORDS = ["a", "b", "key", "x1", "$d", "_u", "with space", "a-b", "1", "02", "", "é", "it's", "\\n", "longer_name"]
words = st.sampled_from([*WORDS, 'q"q', "__x", "constructor", "length", "name"])
texts = st.one_of(
    words,
    st.text(alphabet=st.sampled_from(list("ab 'x\"`$\\{\n\t\0\x1b\x7fé✓中🎉\u200b")), max_size=12),
    st.integers(10, 130).map(lambda n: "word " * (n // 5)),
    st.integers(70, 130).map(lambda n: "y" * n),
    st.sampled_from(["line\nbreak", "a\nb\n" * 12, "x" * 60 + "\n" + "y" * 20]),
).map(json.dumps)

numbers = st.one_of(
    st.integers(-5, 2000).map(str),
    st.sampled_from(
        [
            "-0",
            "NaN",
            "Infinity",
            "-Infinity",
            "1.5",
            "1e21",
            "1e-7",
            "123456.789012",
            "1234567",
            "-98765.4321",
            "0.1+0.2",
            "2**53",
        ]
    ),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
bigints = st.integers(-(10**25), 10**25).map(lambda n: f"({n}n)")
symbols = st.one_of(
    st.sampled_from(["Symbol.iterator", "Symbol()", "Symbol('')", "Symbol.for('a b')", "Symbol('a\\nb')"]),
    words.map(lambda w: f"Symbol({json.dumps(w)})"),
)
primitives = st.one_of(numbers, texts, bigints, symbols, st.sampled_from(["null", "undefined", "true", "false"]))

functions = st.sampled_from([
    "function foo() {}", "(() => {})", "(async () => {})", "(function* g() {})", "(async function* ag() {})", "class A {}",
    "class B extends R.Point {}", "(class {})", "Object.assign(function p() {}, { a: 1, b: { c: 1 } })", "Math.max", "R.nul(function n() {})",
    "class S { static x = 1; static m() {} }", "class extends null {}", "new R.SubFn('return 1')", "(x => x).bind(null)", "({ m() {} }).m",
    "Object.defineProperty(function q() {}, 'name', { value: 5 })", "(class { static name = 'own' })",
    "R.tag(function t() {}, 'Tag')", "R.tag(class T {}, 'Tag')", "R.Private", "(class extends R.Sub {})", "class L extends Array { static get x() { return 1; } }",
    "R.nul(class N {})", "R.nul(async () => {})", "Object.setPrototypeOf(function c() {}, R.Point)", "Object.assign(() => {}, { [Symbol('s')]: 1 })",
    "(async function* () {}).constructor", "Object.getPrototypeOf(async function () {})", "({ get x() { return 1; } }).__lookupGetter__('x')", "Object.assign(class P {}, { q: class {} })",
])  # fmt: skip

dates = st.sampled_from(
    [
        "new Date(0)",
        "new Date(NaN)",
        "new Date(1e12)",
        "new R.SubDate(5)",
        "Object.assign(new Date(0), { a: 1 })",
        "R.nul(new Date(0))",
    ]
)
regexps = st.sampled_from(
    ["/a(b)/gi", "/x\\/[y]+$/u", "new R.SubRe('q')", "Object.assign(/z/, { a: 1 })", "R.nul(/a/y)"]
)
boxed = st.sampled_from([
    "new Number(3)", "new Number(-0)", "new Boolean(false)", "new String('ab\\'c')", "Object(1n)", "Object(Symbol('s'))", "new (class N extends Number {})(4)",
    "Object.assign(new String('xyz'), { p: 1 })", "R.nul(new Number(1))",
])  # fmt: skip
binaries = st.sampled_from([
    "new Uint8Array([1, 2, 3])", "new Uint8Array(0)", "new Float32Array([1.5, -0, NaN])", "new BigInt64Array([1n, -2n])", "new Uint16Array(150)", "new ArrayBuffer(5)",
    "new DataView(new ArrayBuffer(3), 1)", "new SharedArrayBuffer(2)", "new R.SubU8(2)", "Object.assign(new Int8Array(2), { z: 1 })", "new Float64Array([1/3, 2/3, 1e300])",
    "R.nul(new Uint8Array(2))", "R.detached()", "(() => { const bytes = new Uint8Array(4); bytes.buffer.transfer(); return bytes; })()", "new ArrayBuffer(4, { maxByteLength: 16 })", "new Uint8ClampedArray([300, -1])", "new Int32Array([-1, 2 ** 31])",
    "new BigUint64Array([2n ** 63n])", "new Uint8Array(new ArrayBuffer(8), 2, 3)", "Buffer.from(new ArrayBuffer(4))", "Object.assign(Buffer.alloc(2), { p: 1 })", "new DataView(new ArrayBuffer(60))",
    "new Float32Array(101)", "new Uint32Array(3).subarray(1)", "Object.assign(new ArrayBuffer(1), { k: 1 })", "new ArrayBuffer(0)", "new Uint8Array(30)",
])  # fmt: skip
STACK = r"\n    at fn (/some/file.js:10:5)\n    at other (/some/file.js:20:7)"
errors = st.sampled_from([
    f'R.error(Error, "msg", "Error: msg{STACK}")',
    f'R.error(TypeError, "msg", "TypeError: msg{STACK}", {{ code: "E_X", info: {{ a: 1 }} }})',
    f'R.error(R.SubErr, "msg", "TypeError: msg{STACK}")',
    f'R.error(R.ValidationError, "bad", "Error: bad{STACK}", {{ name: "ValidationError" }})',
    'R.error(Error, "msg", "Error: msg")',
    'R.error(Error, "", "Error")',
    f'R.error(Error, "two\\nlines", "Error: two\\nlines{STACK}")',
    f'R.nul(R.error(RangeError, "nul", "RangeError: nul{STACK}"))',
    f'R.hidden(R.error(Error, "msg", "Error: msg{STACK}"), "cause", {{ why: 1 }})',
    f'R.hidden(R.error(Error, "msg", "Error: msg{STACK}"), "cause", R.error(Error, "inner", "Error: inner{STACK}"))',
    f'R.error(class extends Error {{}}, "anon", "Error: anon{STACK}")',
    f'R.error(Error, "renamed", "Error: renamed{STACK}", {{ name: "Other", message: "new" }})',
    f'R.hidden(R.error(Error, "agg", "AggregateError: agg{STACK}"), "errors", [1, R.error(Error, "e1", "Error: e1")])',
    'R.error(Error, "stackless", undefined)', 'R.error(Error, "stack is no text", { a: 1 })', f'R.error(SyntaxError, "s", "SyntaxError: s{STACK}", {{ line: 3, column: 4 }})',
    f'R.tag(R.error(Error, "tagged", "Error: tagged{STACK}"), "Tag")', f'R.error(Error, "sys", "Error: sys{STACK}", {{ errno: -2, code: "ENOENT", syscall: "open", path: "/x" }})',
    f'R.error(Error, "msg", "Error: msg{STACK}", {{ cause: "own and enumerable" }})', f'R.hidden(R.error(Error, "m", "Error: m{STACK}"), "cause", undefined)',
    f'R.hidden(R.error(Error, "m", "Error: m{STACK}"), "message", 5)', 'R.error(Error, "m", "some text alone")', f'Object.defineProperty(R.error(Error, "m", "Error: m{STACK}"), "name", {{ get() {{ return "Got"; }} }})',
    f'Object.defineProperty(R.error(Error, "m", "Error: m{STACK}"), "message", {{ get() {{ throw 1; }} }})', f'Object.defineProperty(R.error(Error, "m", "Error: m{STACK}"), "name", {{ get() {{ throw 1; }}, enumerable: true }})',
    'Object.defineProperty(new Error("m"), "stack", { get() { throw 1; } })', f'R.error(Error, "m", "Error: m{STACK}", {{ name: 5 }})', f'R.error(Error, "m", "Error: m{STACK}", {{ name: null }})',
    f'Object.defineProperty(R.error(Error, "m", "Error: m{STACK}"), "cause", {{ get() {{ throw 1; }} }})', f'R.error(Error, "m", "Error: m{STACK}", {{ errors: [1], message: "other" }})',
    'Object.create(R.error(Error, "proto", "Error: proto"))', 'new Proxy(R.error(Error, "p", "Error: p"), {})', f'R.error(RangeError, "long " + "x".repeat(150), "RangeError: long{STACK}")',
    f'R.hidden(R.error(Error, "o", "Error: o{STACK}"), "cause", R.hidden(R.error(TypeError, "i", "TypeError: i{STACK}"), "cause", R.error(Error, "ii", "Error: ii")))',
    f'R.circle(R.error(Error, "own", "Error: own{STACK}"), "self")', f'R.circle(R.error(Error, "own", "Error: own{STACK}"), "cause")',
])  # fmt: skip
oddities = st.sampled_from([
    "R.args(1, 'two')", "R.args()", "R.revoked()", "new WeakSet([{}])", "new WeakMap()", "new WeakRef({})", "(function* () {})()", "[1, 2].values()",
    "new Map([[1, 'x'], [2, {}]]).entries()", "R.iter(new Set([1, 2, 3]).values())", "new Map([['k', 1]]).keys()", "'ab'[Symbol.iterator]()", "JSON", "Reflect",
    "Promise.resolve(4)", "R.rejected({ a: 1 })", "new Promise(() => {})", "Object.assign(Promise.resolve(1), { x: 1 })", "new R.SubPromise(() => {})", "R.nul(Promise.resolve())",
    "new R.Tagged()", "Object.assign(new R.Tagged(), { q: 1 })", "Object.create(null)", "Object.create({ a: 1 })", "Object.create(Object.create(null))",
    "Object.create(R.Point.prototype)", "R.Point.prototype", "R.Sub.prototype", "Object.prototype", "new (R.named('Dyn'))({ v: 1 })", "new (class { x = 1 })()",
    "{ __proto__: { constructor: class Fake {} }, a: 1 }", "{ constructor: 'str', a: 1 }", "{ ['__proto__']: 1 }", "{ [Symbol.toStringTag]: 'Own', a: 1 }", "{ toString() { return 'x'; } }",
    "R.nul([1, 2])", "R.nul(new Map([[1, 2]]))", "R.nul(new Set([1]))", "Object.assign([1, 2], { extra: 1, '-1': 2 })", "Object.assign(new Map([[1, 2]]), { a: 1 })",
    "Object.assign(new Set([1]), { [Symbol('s')]: 1 })", "new R.SubArr(3)", "new R.SubArr()", "new R.SubSet([1])", "R.holes(7, 1, 2, 5)", "[, 1, , ]", "R.holes(200, 150)", "new FinalizationRegistry(() => {})",
    "new R.Private()", "R.mutual()", "R.deep(6, 'x')", "namespace", "{ namespace }", "[namespace, [namespace]]", "new Proxy(function f() {}, {})", "new Proxy(class C {}, {})",
    "new Proxy(new Map([[1, 2]]), {})", "new Proxy(new Proxy({ a: 1 }, { get() { return 9; } }), {})", "new Proxy([], { ownKeys() { throw new Error('trap'); } })", "new Proxy(R.revoked(), {})",
    "'aXbX'.matchAll(/X/g)", "[1, 2].entries()", "new Uint8Array(2).values()", "[1, 2, 3].values().map((x) => x)", "Object.assign(new Map([[1, 2]]).values(), { z: 1 })",
    "R.tag([1, 2], 'Tag')", "R.tag(new Map([[1, 2]]), 'Tag')", "R.tag(new R.Point({}), 'Point')", "R.tag(new Date(0), 'Tag')", "R.tag(Promise.resolve(1), 'Tag')", "R.tag(/a/, 'Tag')", "{ get [Symbol.toStringTag]() { throw 1; } }",
    "R.props(() => ({ deep: [1] }))", "R.props(() => { throw R.error(TypeError, 'no', 'TypeError: no'); })", "R.props(() => undefined)", "{ get a() { return this; } }", "new WeakRef(R.Point)", "new WeakMap([[R, 1]])", "new WeakSet([R])",
    "new R.SubPromise((f) => f([1, { a: {} }]))", "Promise.reject.bind", "R.rejected(R.error(Error, 'r', 'Error: r'))", "Object.assign(R.holes(3), { x: 1 })", "Array.from({ length: 120 }, (_, i) => i)", "'z'.repeat(20000)", "['y'.repeat(11000)]",
    "new Array(3)", "new Array(1e6)", "Object.assign([], { length: 5, 3: 'x' })", "R.holes(500, 3, 4, 450)", "new Set(Array(150).keys())", "new Map(Array.from({ length: 110 }, (_, i) => [i, { i }]))",
    "new Intl.NumberFormat('en')", "Date.prototype", "RegExp.prototype",
    "Number.prototype", "(function* g() {}).prototype", "Object.getPrototypeOf(function* () {})",
    "AbortSignal.abort().aborted", "new TextDecoder().encoding", "new Event('x').type", "[undefined, , null]", "{ a: undefined, b: null, c: () => {} }",
    "Object.defineProperty({}, 'x', { value: 1 })", "Object.defineProperty([1], 'hid', { value: 1 })", "{ a: { b: { c: { d: { e: 1 } } } } }", "[[[[[1]]]]]", "new Map([[{ a: { b: { c: {} } } }, new Map([[1, new Map([[2, {}]])]])]])",
    "Object.freeze([1])", "new Intl.Collator('en')", "new (class P1 extends R.Point { y = 2 })({ x: 1 })", "new (class extends Array {})(2)",
])  # fmt: skip

keys = st.one_of(words.map(json.dumps), symbols.map(lambda s: f"[{s}]"))


def _object(entries: list[tuple[str, str]]) -> str:
    return "({ " + ", ".join(f"{key}: {value}" for key, value in entries) + " })"


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = st.lists(inner, max_size=9).map(", ".join)
    entries = st.lists(st.tuples(keys, inner), max_size=5)
    objects = entries.map(_object)
    return st.one_of(
        objects, objects, objects,
        lists.map(lambda items: f"[{items}]"), lists.map(lambda items: f"[{items}]"),
        st.tuples(st.integers(7, 130), inner).map(lambda pair: f"Array.from({{ length: {pair[0]} }}, () => {pair[1]})"),
        st.tuples(st.integers(7, 130), st.sampled_from(["i", "i * i", "'s' + i", "i % 3 ? i : 'x'", "'é'.repeat(i % 9)", "i / 7", "BigInt(i)", "{ i }", "[i, i]"])).map(lambda pair: f"Array.from({{ length: {pair[0]} }}, (_, i) => ({pair[1]}))"),
        st.lists(st.tuples(inner, inner), max_size=5).map(lambda pairs: "new Map([" + ", ".join(f"[{k}, {v}]" for k, v in pairs) + "])"),
        lists.map(lambda items: f"new Set([{items}])"),
        lists.map(lambda items: f"R.args({items})"),
        st.lists(st.tuples(inner, inner), max_size=3).map(lambda pairs: "new R.Sub([" + ", ".join(f"[{k}, {v}]" for k, v in pairs) + "])"),
        objects.map(lambda o: f"new R.Point({o})"),
        objects.map(lambda o: f"Object.assign(Object.create(null), {o})"),
        objects.map(lambda o: f"new Proxy({o}, {{}})"),
        lists.map(lambda items: f"new Proxy([{items}], {{}})"),
        objects.map(lambda o: f"R.circle({o}, 'self')"),
        lists.map(lambda items: f"R.circle([{items}], 1)"),
        st.tuples(objects, objects).map(lambda pair: f"R.inner({pair[0]}, 'down', {pair[1]})"),
        st.tuples(objects, words, inner).map(lambda t: f"R.hidden({t[0]}, {json.dumps(t[1])}, {t[2]})"),
        inner.map(lambda v: f"Promise.resolve({v})"),
        inner.map(lambda v: f"({{ get a() {{ return {v}; }}, set b(v) {{}}, get c() {{ return 1; }}, set c(v) {{}} }})"),
        st.tuples(objects, errors).map(lambda pair: f"Object.assign({pair[1]}, {pair[0]})"),
        inner.map(lambda v: f"Object.assign(function withProp() {{}}, {{ p: {v} }})"),
        inner.map(lambda v: f"[{v}].values()"),
        inner.map(lambda v: f"new Map([[1, {v}]]).entries()"),
    )  # fmt: skip


custom_inspect = st.sampled_from([
    "({ [Symbol.for('nodejs.util.inspect.custom')](d, o) { return 'C<' + d + '>\\nline'; } })",
    "({ [Symbol.for('nodejs.util.inspect.custom')](d, o, i) { return { d, t: i({ a: { b: {} } }, o) }; } })",
    "({ [Symbol.for('nodejs.util.inspect.custom')]() { return 12; } })",
])  # fmt: skip

# Keys that Bun's engine and V8 print alike; in Bun, symbol keys do not keep their place among string keys.
console_words = st.sampled_from([*WORDS, "✓", "üx"])
console_leaves = st.one_of(
    numbers, texts, bigints,
    st.sampled_from(["null", "undefined", "true", "false", "Symbol('s')", "Symbol()"]),
    st.sampled_from(["function foo() {}", "(() => {})", "(async () => {})", "(function* g() {})", "(async function* ag() {})", "class A {}", "class B extends R.Point {}", "(class {})", "Math.max"]),
    st.sampled_from(["new Date(0)", "new Date(NaN)", "/a(b)/gi", "/x\\/[y]+$/u"]),
    st.sampled_from(["new Number(3)", "new Boolean(false)", "new String('ab')", "new (class N extends Number {})(4)"]),
    st.sampled_from(["new Uint8Array([1, 2, 3])", "new Uint8Array(0)", "new Float32Array([1.5, NaN])", "new BigInt64Array([1n, -2n])", "new Uint16Array(30)", "new ArrayBuffer(5)", "new DataView(new ArrayBuffer(3), 1)"]),
    st.sampled_from(["R.args(1, 'two')", "R.args()", "R.revoked()", "new WeakSet([{}])", "new WeakMap()", "Promise.resolve(4)", "R.rejected(1)", "new Promise(() => {})", "Object.create(null)", "({})", "[]", "new Map()", "new Set()",
                     "Object.create({ a: 1 })", "new R.Point({ x: 1 })", "new (class { x = 1 })()", "({ __proto__: { constructor: class Fake {} }, a: 1 })",
                     "Object.assign([1, 2], { extra: 1, '-1': 2 })", "R.holes(7, 1, 2, 5)", "[, 1, , ]", "R.holes(200, 150)", "Object.freeze([1])", "new Map([['k', 1]]).keys()", "R.iter(new Set([1, 2, 3]).values())",
                     "new (class P1 extends R.Point { y = 2; more() {} })({ x: 1 })", "({ m() {}, async am() {}, get g() { return 1; }, set s(v) {} })"]),
)  # fmt: skip


def _console_containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = st.lists(inner, max_size=14).map(", ".join)
    objects = st.lists(st.tuples(console_words.map(json.dumps), inner), max_size=5).map(_object)
    return st.one_of(
        objects, objects, lists.map(lambda items: f"[{items}]"), lists.map(lambda items: f"[{items}]"),
        st.tuples(st.integers(7, 130), inner).map(lambda pair: f"Array.from({{ length: {pair[0]} }}, () => {pair[1]})"),
        st.tuples(st.integers(7, 130), st.sampled_from(["i", "i * i", "'s' + i", "i % 3 ? i : 'x'", "'é'.repeat(i % 9)", "'✓'.repeat(i % 9)", "i / 7", "BigInt(i)", "{ i }", "[i, i]", "[i, 'x'.repeat(i)]"])).map(lambda pair: f"Array.from({{ length: {pair[0]} }}, (_, i) => ({pair[1]}))"),
        st.lists(st.tuples(inner, inner), max_size=5).map(lambda pairs: "new Map([" + ", ".join(f"[{k}, {v}]" for k, v in pairs) + "])"),
        lists.map(lambda items: f"new Set([{items}])"),
        objects.map(lambda o: f"new R.Point({o})"),
        objects.map(lambda o: f"Object.assign(Object.create(null), {o})"),
        objects.map(lambda o: f"new Proxy({o}, {{}})"),
        objects.map(lambda o: f"R.circle({o}, 'self')"),
        inner.map(lambda v: f"new Map([[1, {v}]]).entries()"),
        inner.map(lambda v: f"({{ [Symbol.for('nodejs.util.inspect.custom')]() {{ return {v}; }} }})"),
    )  # fmt: skip


console_values = st.recursive(console_leaves, _console_containers, max_leaves=16)


leaves = st.one_of(
    primitives,
    primitives,
    primitives,
    functions,
    dates,
    regexps,
    boxed,
    binaries,
    errors,
    oddities.map(lambda s: f"({s})"),
    custom_inspect,
)
values = st.recursive(leaves, _containers, max_leaves=14)

options = st.fixed_dictionaries(
    {},
    optional={
        "depth": st.sampled_from(["0", "1", "3", "null", "-1", "Infinity"]),
        "compact": st.sampled_from(["true", "false", "0", "1", "2", "5"]),
        "breakLength": st.sampled_from(["1", "20", "40", "80", "120", "Infinity"]),
        "sorted": st.sampled_from(["true", "(a, b) => (a < b ? 1 : -1)"]),
        "getters": st.sampled_from(["true", "'get'", "'set'"]),
        "showHidden": st.just("true"),
        "showProxy": st.just("true"),
        "colors": st.just("true"),
        "maxArrayLength": st.sampled_from(["0", "1", "3", "null", "Infinity"]),
        "maxStringLength": st.sampled_from(["0", "3", "50"]),
        "numericSeparator": st.just("true"),
        "customInspect": st.just("false"),
    },
)


def options_source(chosen: dict[str, str]) -> str:
    """Return options as an object literal. Most examples have few of them, so that defaults are tested most."""
    return "{ " + ", ".join(f"{name}: {value}" for name, value in chosen.items()) + " }"
