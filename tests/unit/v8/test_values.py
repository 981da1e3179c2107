"""Values keep their type and value when they cross between Python and JavaScript."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rt_supervisor._native import BigInt, Engine, JsArray, JsBuffer, JsError, JsFunction, JsObject, JsSymbol, null

ANY_TEXT = st.text(st.characters(codec=None, categories=None, exclude_categories=()))
SAFE = 2**53 - 1
PLAIN = st.recursive(
    st.none()
    | st.just(null)
    | st.booleans()
    | st.integers(-SAFE, SAFE)
    | st.floats(allow_nan=False)
    | st.text()
    | st.builds(BigInt, st.integers())
    | st.binary(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=30,
)
relaxed = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@relaxed
@given(PLAIN)
def test_plain_values_come_back(engine: Engine, value: Any) -> None:
    holder = engine.new_array([value])
    assert holder.to_python() == [value]


@relaxed
@given(ANY_TEXT)
def test_text_keeps_every_code_unit(engine: Engine, text: str) -> None:
    units = engine.run("text => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))")
    assert isinstance(units, JsFunction)
    encoded = text.encode("utf-16-le", "surrogatepass")
    expected = [int.from_bytes(encoded[i : i + 2], "little") for i in range(0, len(encoded), 2)]
    assert units(text).to_python() == expected
    back = engine.new_array([text]).to_list()[0]
    assert isinstance(back, str)
    assert back.encode("utf-16-le", "surrogatepass") == encoded


@relaxed
@given(st.integers())
def test_integers_become_numbers_or_bigints(engine: Engine, number: int) -> None:
    kind = engine.run("value => typeof value")
    assert isinstance(kind, JsFunction)
    assert kind(number) == ("number" if abs(number) <= SAFE else "bigint")
    assert kind(BigInt(number)) == "bigint"
    assert engine.run("(x) => x")(number) == number


@relaxed
@given(st.floats())
def test_floats_keep_sign_and_nan(engine: Engine, number: float) -> None:
    back = engine.run("x => x")(number)
    if math.isnan(number):
        assert math.isnan(back)
    else:
        assert back == number
        assert math.copysign(1, back) == math.copysign(1, number)
        assert isinstance(back, int) == (number.is_integer() and abs(number) <= SAFE and str(number) != "-0.0")


def test_undefined_and_null_are_distinct(engine: Engine) -> None:
    assert engine.run("undefined") is None
    assert engine.run("null") is null
    assert not null
    describe = engine.run("x => x === null ? 'null' : typeof x")
    assert isinstance(describe, JsFunction)
    assert describe(None) == "undefined"
    assert describe(null) == "null"
    assert describe() == "undefined"


def test_objects_are_live(engine: Engine) -> None:
    made = engine.run("globalThis.shared = { a: 1, b: { c: [1, 2] } }")
    assert isinstance(made, JsObject)
    made["a"] = "changed"
    assert engine.run("shared.a") == "changed"
    assert made == engine.run("shared")
    assert hash(made) == hash(engine.run("shared"))
    assert made.get("missing") is None
    with pytest.raises(KeyError):
        made["missing"]
    assert "b" in made
    assert made.delete("b")
    assert made.keys() == ["a"]


@pytest.mark.parametrize(
    ("source", "kind", "cls"),
    [
        ("() => 1", "function", JsFunction),
        ("[1]", "array", JsArray),
        ("new Uint8Array(2)", "typed-array", JsBuffer),
        ("new ArrayBuffer(2)", "array-buffer", JsBuffer),
        ("new SharedArrayBuffer(2)", "shared-array-buffer", JsBuffer),
        ("new DataView(new ArrayBuffer(2))", "data-view", JsBuffer),
        ("new Proxy({}, {})", "proxy", JsObject),
        ("Promise.resolve()", "promise", JsObject),
        ("new TypeError('x')", "error", JsObject),
        ("new Map().keys()", "map-iterator", JsObject),
        ("(function* () {})()", "generator", JsObject),
        ("Object(1n)", "boxed-bigint", JsObject),
        ("new Date()", "date", JsObject),
        ("/x/", "regexp", JsObject),
        ("({})", "object", JsObject),
    ],
)
def test_kinds(engine: Engine, source: str, kind: str, cls: type[JsObject]) -> None:
    value = engine.run(f"({source})")
    assert isinstance(value, cls)
    assert value.kind == kind


def test_symbols(engine: Engine) -> None:
    symbol = engine.new_symbol("mine")
    holder = engine.new_object()
    holder[symbol] = 5
    assert holder.symbols() == [symbol]
    assert holder.keys() == []
    assert engine.run("Symbol.for('s')") == engine.new_symbol("s", shared=True)
    assert isinstance(engine.run("Symbol()"), JsSymbol)


def test_values_without_a_representation_are_rejected(engine: Engine) -> None:
    with pytest.raises(TypeError, match="a Python object has no JavaScript form"):
        engine.new_array([object()])  # type: ignore[list-item]
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(RecursionError):
        engine.new_array(cycle)
    loop = engine.run("const loop = {}; loop.self = loop")
    assert isinstance(loop, JsObject)
    with pytest.raises(ValueError, match="nests too deeply"):
        loop.to_python()


def test_a_reference_of_another_engine_is_rejected(engine: Engine) -> None:
    other = Engine()
    value = other.run("({})")
    with pytest.raises(ValueError, match="another engine"):
        engine.global_object["x"] = value
    other.close()
    with pytest.raises(RuntimeError, match="closed"):
        value.get("x")


def test_getters_and_traps_raise_their_errors(engine: Engine) -> None:
    trap = engine.run("new Proxy({}, { get() { throw new RangeError('no') }, has() { throw 7 } })")
    assert isinstance(trap, JsObject)
    with pytest.raises(JsError, match="RangeError: no"):
        trap.get("x")
    with pytest.raises(JsError) as caught:
        trap.has("x")
    assert caught.value.value == 7
