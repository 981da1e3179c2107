"""Standard decorators: their arguments, the order in which they run, and what their results replace."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rt_supervisor._native import TransformOptions, transform

Run = Callable[..., list[str]]

CASES = {
    "each kind gets its context, in the order of the standard": (
        """
        function d(v, ctx) { console.log(typeof v, ctx.kind, String(ctx.name), ctx.static, ctx.private) }
        @d class A { @d m() {} @d static s() {} @d get g() { return 1 } @d set g(v) {} @d #p() {} @d f = 1;
          @d static sf; @d accessor z = 1 }
        """,
        [
            "function method s true false",
            "function method m false false",
            "function getter g false false",
            "function setter g false false",
            "function method #p false true",
            "object accessor z false false",
            "undefined field sf true false",
            "undefined field f false false",
            "function class A undefined undefined",
        ],
    ),
    "evaluated from the top, applied from the inside": (
        """
        const d = (n) => { console.log('eval', n); return (v, c) => { console.log('apply', n) } };
        @d('c1') @d('c2') class K { @d('m1') @d('m2') m() {} @d('f') f = console.log('init f'); }
        console.log('made'); new K();
        """,
        [
            "eval c1",
            "eval c2",
            "eval m1",
            "eval m2",
            "eval f",
            "apply m2",
            "apply m1",
            "apply f",
            "apply c2",
            "apply c1",
            "made",
            "init f",
        ],
    ),
    "results replace": (
        """
        function rep(v, c) {
          switch (c.kind) {
            case 'method': return function (...a) { return 'R' + v.apply(this, a) };
            case 'field': return (x) => x * 10;
            case 'getter': return function () { return v.call(this) + '!' };
            case 'accessor': return { get() { return v.get.call(this) + 100 }, set(x) { v.set.call(this, x * 2) }, init: (x) => x + 1 };
            case 'class': return class extends v { extra = 1 };
          }
        }
        @rep class K { @rep m(x) { return x } @rep f = 2; @rep get g() { return 'g' } @rep accessor a = 5;
          @rep static s = 3; @rep static sm() { return 'sm' } static plain = 'p'; static me() { return K } }
        const k = new K(); const before = k.a; k.a = 4;
        console.log(k.m(1), k.f, k.g, before, k.a, K.s, K.sm(), k.extra, K.plain, K.me() === K);
        """,
        ["R1 20 g! 106 108 30 Rsm 1 p true"],
    ),
    "initializers run where they belong": (
        """
        function i(v, c) { c.addInitializer(function () { console.log('init', c.kind, String(c.name), typeof this) }) }
        @i class K { @i m() {} @i static sm() {} @i f = console.log('field f'); @i static sf = console.log('static sf');
          @i accessor a = console.log('acc'); g = console.log('plain'); constructor() { console.log('ctor') } }
        console.log('defined'); new K();
        """,
        [
            "init method sm function",
            "static sf",
            "init field sf function",
            "init class K function",
            "defined",
            "init method m object",
            "field f",
            "init field f object",
            "acc",
            "init accessor a object",
            "plain",
            "ctor",
        ],
    ),
    "methods can be bound": (
        """
        function bound(v, c) { c.addInitializer(function () { this[c.name] = this[c.name].bind(this) }) }
        class K { n = 5; @bound get5() { return this.n } } const { get5 } = new K(); console.log(get5());
        """,
        ["5"],
    ),
    "private members": (
        """
        function p(v, c) { console.log(c.kind, c.name, c.private, Object.keys(c.access).sort());
          if (c.kind === 'method') return () => 'replaced' }
        class K { @p #m() { return 'orig' } @p #f = 1; @p static #s = 2; @p get #g() { return 3 } @p set #g(v) { console.log(v) }
          @p accessor #a = 4; run() { this.#a = 9; this.#g = 8; return [this.#m(), this.#f, K.#s, this.#g, this.#a] } }
        console.log(new K().run());
        """,
        [
            'method #m true ["get","has"]',
            'getter #g true ["get","has"]',
            'setter #g true ["has","set"]',
            'accessor #a true ["get","has","set"]',
            'field #s true ["get","has","set"]',
            'field #f true ["get","has","set"]',
            "8",
            '["replaced",1,2,3,9]',
        ],
    ),
    "computed names are evaluated once, in order": (
        """
        const key = (k) => { console.log('key', k); return k }; const d = (v, c) => { console.log('dec', String(c.name)) };
        class K { @d [key('a')]() { return 1 } @d [key('b')] = 2; @d static [Symbol.iterator]() {} @d 5() {} @d 'x-y' = 3 }
        console.log(new K().a(), new K().b);
        """,
        ["key a", "key b", "dec Symbol(Symbol.iterator)", "dec a", "dec 5", "dec b", "dec x-y", "1 2"],
    ),
    "super works in decorated methods": (
        """
        class B { hi() { return 'base' } static st() { return 'sbase' } }
        const x = (v) => function (...a) { return v.apply(this, a) + '+' };
        class D extends B { @x hi() { return super.hi() + 'd' } @x static st() { return super.st() + 'd' } }
        console.log(new D().hi(), D.st());
        """,
        ["based+ sbased+"],
    ),
    "anonymous classes keep the name of their variable": (
        """
        const d = (v, c) => { console.log(c.kind, c.name) };
        const Anon = @d class { @d x = 1 }; console.log(Anon.name, new Anon().x);
        console.log((@d class Named {}).name);
        """,
        ["field x", "class Anon", "Anon 1", "class Named", "Named"],
    ),
    "a member decorator keeps its object": (
        "const o = { d(v, c) { console.log(this === o, c.name) } }; class K { @o.d m() {} }",
        ["true m"],
    ),
    "anonymous classes are called as what they are assigned to first": (
        """
        const d = (v, c) => { console.log(c.name) };
        const o = { K: @d class {}, 'x-y': @d class {}, 5: @d class {} }; let y; y = @d class {}; y ??= 1; let u; u ??= @d class {};
        const { z = @d class {} } = {}; const [w = @d class {}] = []; let v; ({ a: v = @d class {} } = {});
        function f(p = @d class {}) { return p } class H { static q = @d class {}; #r = @d class {}; r() { return this.#r } }
        console.log(o.K.name, o['x-y'].name, o[5].name, y.name, u.name, z.name, w.name, v.name, f().name, H.q.name, new H().r().name);
        console.log([(@d class {}).name, [@d class {}][0].name, (0, @d class {}).name]);
        """,
        [
            "K",
            "x-y",
            "5",
            "y",
            "u",
            "z",
            "w",
            "v",
            "q",
            "p",
            "#r",
            "K x-y 5 y u z w v p q #r",
            "",
            "",
            "",
            '["","",""]',
        ],
    ),
    "metadata is there and inherited, whether the engine has its symbol or not": (
        """
        const d = (v, c) => { c.metadata[c.name] = c.kind }; const key = Symbol.metadata ?? Symbol.for('Symbol.metadata');
        @d class A { @d m() {} @d #p = 1 } class B extends A { @d n = 1 } class C {}
        console.log(A[key], B[key], Object.getPrototypeOf(B[key]) === A[key], B[key].m, Object.getPrototypeOf(A[key]), C[key]);
        """,
        ['{"m":"method","#p":"field","A":"class"} {"n":"field"} true method null undefined'],
    ),
    "private names and accessors": (
        """
        let access; const d = (v, c) => { access = c.access; console.log(c.kind, c.name, c.private, c.static, Object.keys(c.access).join()) };
        class A { @d #m() { return 1 } @d static #s() { return 2 } @d get #g() { return 3 } @d set #g(v) {} @d static accessor #a = 4; @d #f = 5;
          all() { return [this.#m(), A.#s(), this.#g, A.#a, this.#f, #m in this] } }
        const a = new A(); console.log(a.all(), access.has(a), access.has({}), access.get(a)); access.set(a, 6); console.log(access.get(a));
        try { access.get({}) } catch (e) { console.log(e.name) }
        """,
        [
            "method #s true true has,get",
            "accessor #a true true has,get,set",
            "method #m true false has,get",
            "getter #g true false has,get",
            "setter #g true false has,set",
            "field #f true false has,get,set",
            "[1,2,3,4,5,true] true false 5",
            "6",
            "TypeError",
        ],
    ),
    "a class that names itself before it is there": (
        """
        try { @x(A) class A {} } catch (e) { console.log(e.name) } try { class B { @x(B) m() {} } } catch (e) { console.log(e.name) }
        function x() {}
        """,
        ["ReferenceError", "ReferenceError"],
    ),
    "private names of a class that is replaced belong to the old one": (
        """
        const d = () => {}, r = (v) => class extends v {};
        @d class A { static #x = 1; static get() { return A.#x } static { console.log('block', A.#x) } has(o) { return #x in o } }
        @r class B { static #x = 1; static get() { return B.#x } static own = B; static again() { return B } }
        console.log(A.get(), new A().has(A), B.own === B, B.again() === B); try { B.get() } catch (e) { console.log(e.name) }
        """,
        ["block 1", "1 true true true", "TypeError"],
    ),
    "decorators that a generator is given": (
        """
        function* g() { @(yield 'one') class B { @(yield 'two') f = 1; [yield 'key'] = this } return [B.name, Object.keys(new B())] }
        const it = g(), d = (v, c) => console.log('got', c.kind);
        console.log(it.next().value, it.next(d).value, it.next(d).value, it.next('k').value);
        """,
        ["got field", "got class", 'one two key ["B",["f","k"]]'],
    ),
    "what is no function is refused": (
        "const d = () => 5; try { class K { @d m() {} } } catch (e) { console.log(e.name) }",
        ["TypeError"],
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("path", ["/p/a.ts", "/p/a.js"])
def test_decorators(name: str, path: str, run: Run) -> None:
    source, expected = CASES[name]
    assert run(source, path) == expected


@pytest.mark.parametrize(
    ("source", "exports"),
    [
        ("const d = () => {}; @d export class A {}", ["A"]),
        ("const d = () => {}; export @d class A {}", ["A"]),
        ("const d = () => {}; export default @d class {}", ["default"]),
        ("const d = () => {}; @d export default class A {}", ["default"]),
    ],
)
def test_decorated_classes_are_exported(source: str, exports: list[str]) -> None:
    result = transform(source, "/p/a.ts", TransformOptions())
    assert not result.problems
    assert result.exports == exports


def test_parameter_decorators_report_what_they_need() -> None:
    [problem] = transform("class A { m(@d x) {} }", "/p/a.ts", TransformOptions()).problems
    assert "experimentalDecorators" in problem.message
    assert problem.place.column == 13
