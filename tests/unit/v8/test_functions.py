"""Calls in both directions, and errors thrown through them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from rt_supervisor._native import Engine, JsError, JsFunction, JsObject


def test_this_and_construct(engine: Engine) -> None:
    function = engine.run("(function F(a) { this.a = a; return undefined })")
    assert isinstance(function, JsFunction)
    made = function.construct(3)
    assert isinstance(made, JsObject)
    assert (made.get("a"), made.class_name) == (3, "F")
    target = engine.new_object()
    function.call_with(target, 4)
    assert target.get("a") == 4


def test_python_called_with_any_values(engine: Engine) -> None:
    seen: list[Any] = []
    engine.global_object["f"] = engine.function(lambda *args: seen.extend(args) or len(args), "f")
    assert engine.run("f(1, 'x', null, undefined, 2n) + f.name") == "5f"
    assert [str(value) for value in seen] == ["1", "x", "null", "None", "2"]


def test_signatures(engine: Engine) -> None:
    seen: list[Any] = []
    function = engine.function(lambda *args: seen.append(args), signature="bcsv", receiver=True)
    engine.global_object["o"] = engine.new_object({"f": function})
    engine.run("o.f(new Uint8Array([65]), { a: [1] }, 12, 'rest', 'more')")
    assert seen == [(engine.run("o"), b"A", {"a": [1]}, "12", "rest", "more")]
    with pytest.raises(JsError, match="an ArrayBuffer or a view of one is needed"):
        engine.run("o.f(1)")
    with pytest.raises(ValueError, match="a signature holds"):
        engine.function(print, signature="x")


def test_a_python_exception_passes_through_javascript(engine: Engine) -> None:
    problem = KeyError("lost")

    def fail() -> None:
        raise problem

    engine.global_object["fail"] = engine.function(fail)
    assert engine.run("try { fail() } catch (e) { `${e instanceof Error} ${e.message}` }") == "true 'lost'"
    with pytest.raises(JsError) as caught:
        engine.run("(() => { try { fail() } finally { 1 } })()", "/x.js")
    assert caught.value.__cause__ is problem
    assert (caught.value.file, caught.value.line) == ("/x.js", 1)


def test_a_javascript_error_passes_through_python(engine: Engine) -> None:
    engine.global_object["run"] = engine.function(lambda f: f())
    assert engine.run("const e = new Error('x'); try { run(() => { throw e }) } catch (c) { c === e }") is True


def test_exceptions_are_converted_by_the_host(engine: Engine) -> None:
    def convert(exception: Exception) -> Any:
        return engine.new_object({"code": type(exception).__name__})

    def fail() -> None:
        raise FileNotFoundError("x")

    engine.set_on_exception(convert)
    engine.global_object["fail"] = engine.function(fail)
    assert engine.run("try { fail() } catch (e) { e.code }") == "FileNotFoundError"


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt])
def test_exceptions_that_are_not_errors_terminate_javascript(engine: Engine, kind: type[BaseException]) -> None:
    def leave() -> None:
        raise kind("now")

    engine.global_object["leave"] = engine.function(leave)
    engine.global_object["call"] = engine.function(lambda f: f())
    with pytest.raises(kind, match="now"):
        engine.run("for (;;) { try { call(() => { try { leave() } finally { } }) } catch {} finally { } }")
    assert engine.run("1 + 1") == 2


def test_a_dropped_function_lets_its_callable_go(engine: Engine) -> None:
    class Callable:
        def __call__(self) -> None: ...

    kept = Callable()
    gone = weakref.ref(kept)
    function = engine.function(kept)
    del kept, function
    gc.collect()
    engine.collect_garbage()
    engine.run("1")
    assert gone() is None


def test_errors_have_a_location(engine: Engine) -> None:
    with pytest.raises(JsError) as caught:
        engine.run("function f() {\n  throw new TypeError('boom')\n}\nf()", "/x/a.js", line_offset=10)
    error = caught.value
    assert str(error) == "TypeError: boom"
    assert (error.file, error.line, error.column, error.end_column) == ("/x/a.js", 12, 3, 4)
    assert error.source_line == "  throw new TypeError('boom')"
    assert isinstance(error.value, JsObject)
    with pytest.raises(JsError, match="SyntaxError: Unexpected token") as caught:
        engine.run("let x = ;", "/x/b.js")
    assert (caught.value.line, caught.value.column) == (1, 9)
    with pytest.raises(JsError, match="seven") as caught:
        engine.run("throw 'seven'")
    assert caught.value.value == "seven"


def test_a_prepared_stack(engine: Engine) -> None:
    engine.set_prepare_stack_trace(
        engine.run("(error, sites) => error.message + sites.map(s => s.getFunctionName()).join()")
    )
    assert engine.run("function outer() { return new Error('m') }; outer().stack") == "mouter,"
    engine.set_prepare_stack_trace(None)
    assert str(engine.run("new Error('m').stack")).startswith("Error: m\n    at")


def test_deep_recursion_is_a_range_error(engine: Engine) -> None:
    assert engine.run("let n = 0; (function f() { n++; f() })") is not None
    engine.global_object["again"] = engine.function(lambda f: f())
    for source in ("(function f() { return f() + 1 })()", "(function f() { return again(f) + 1 })()"):
        with pytest.raises(JsError, match=r"RangeError: Maximum call stack|maximum recursion depth"):
            engine.run(source)


def test_compiled_functions_keep_positions(engine: Engine) -> None:
    wrapper = engine.compile_function(
        "return [a, b, __filename, new Error().stack]", ["a", "b", "__filename"], "/m.cjs"
    )
    result = wrapper(1, 2, "f")
    assert isinstance(result, JsObject)
    values = result.to_python()
    assert values[:3] == [1, 2, "f"]
    assert "/m.cjs:1:27" in values[3]
