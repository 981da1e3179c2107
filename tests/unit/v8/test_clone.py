"""Structured clone inside an engine, and as bytes between engines."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rt_supervisor._native import Engine, JsError, JsObject

PREPARE = "const { structuredClone } = __host; "


@pytest.mark.parametrize(
    ("made", "check"),
    [
        ("new Map([[1, { a: 1n }]])", "c instanceof Map && c.get(1).a === 1n"),
        ("new Set(['x'])", "c.has('x') && c !== v"),
        ("new Date(5)", "c.getTime() === 5"),
        ("/a+/gi", "c.source === 'a+' && c.flags === 'gi'"),
        ("new Error('x', { cause: 1 })", "c instanceof Error && c.message === 'x' && c.cause === 1"),
        ("new Uint16Array([1, 2]).subarray(1)", "c.length === 1 && c[0] === 2 && c.buffer !== v.buffer"),
        ("(() => { const o = {}; o.self = o; return o })()", "c.self === c && c !== v"),
        ("new SharedArrayBuffer(8)", "(new Uint8Array(v)[0] = 7, new Uint8Array(c)[0] === 7)"),
        ("[Object('s'), Object(1), undefined, null, NaN, , -0]", "c.length === 7 && !(5 in c) && Object.is(c[6], -0)"),
    ],
)
def test_kinds_are_cloned(engine: Engine, made: str, check: str) -> None:
    assert engine.run(f"{PREPARE} const v = {made}; const c = structuredClone(v); {check}") is True


def test_buffers_are_transferred(engine: Engine) -> None:
    source = """
        const b = new Uint8Array([1, 2, 3]).buffer; const other = new ArrayBuffer(4);
        const c = structuredClone({ b, other }, [b]);
        [b.byteLength, c.b.byteLength, new Uint8Array(c.b)[2], other.byteLength, c.other.byteLength]
    """
    result = engine.run(PREPARE + source)
    assert isinstance(result, JsObject)
    assert result.to_python() == [0, 3, 3, 4, 4]


@pytest.mark.parametrize(
    "call",
    [
        "structuredClone(() => 1)",
        "structuredClone(Symbol())",
        "structuredClone({ a: new WeakMap })",
        "structuredClone(1, [1])",
        "(b => structuredClone(b, [b, b]))(new ArrayBuffer(1))",
        "(b => { structuredClone(b, [b]); structuredClone(b, [b]) })(new ArrayBuffer(1))",
    ],
)
def test_uncloneable_values_throw(engine: Engine, call: str) -> None:
    caught = engine.run(f"{PREPARE} try {{ {call} }} catch (e) {{ `${{e.name}} ${{e.code}}` }}")
    assert caught == "DataCloneError 25"


def test_getters_that_throw(engine: Engine) -> None:
    with pytest.raises(JsError, match="RangeError: mine"):
        engine.run(PREPARE + "structuredClone({ get a() { throw new RangeError('mine') } })")


def test_bytes_between_engines(engine: Engine) -> None:
    other = Engine()
    data = engine.serialize(engine.run("({ m: new Map([[1, new Uint8Array([5])]]), big: 10n ** 30n })"))
    value = other.deserialize(data)
    check = other.run("v => v.m.get(1)[0] === 5 && v.big === 10n ** 30n")
    assert check(value) is True
    with pytest.raises(JsError, match="SharedArrayBuffer could not be cloned"):
        engine.serialize(engine.run("new SharedArrayBuffer(1)"))
    with pytest.raises(JsError, match="could not be cloned"):
        engine.serialize(engine.run("() => 1"))
    other.close()


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary() | st.binary().map(lambda tail: b"\xff\x0f" + tail))
def test_damaged_bytes_are_an_error(engine: Engine, data: bytes) -> None:
    with contextlib.suppress(ValueError, JsError):
        engine.deserialize(data)


HEAD = b"\xff\x0f"
HOST_OBJECT = b"\\"


@pytest.mark.parametrize(
    ("number", "data", "shown"),
    [
        (0, b"\xff\x01", "Int8Array:-1,1"),
        (1, b"\xff", "Uint8Array:255"),
        (2, b"\xff", "Uint8ClampedArray:255"),
        (3, b"\xff\xff", "Int16Array:-1"),
        (4, b"\x01\x00\x02\x00", "Uint16Array:1,2"),
        (5, b"\xff\xff\xff\xff", "Int32Array:-1"),
        (6, b"\x01\x00\x00\x00", "Uint32Array:1"),
        (7, b"\x00\x00\xc0\x3f", "Float32Array:1.5"),
        (8, b"\x00\x00\x00\x00\x00\x00\xf8\x3f", "Float64Array:1.5"),
        (9, b"\x01\x02", "DataView:1,2"),
        (10, b"hi", "Uint8Array:104,105"),
        (11, b"\xff" * 8, "BigInt64Array:-1"),
        (12, b"\x05" + b"\0" * 7, "BigUint64Array:5"),
        (13, b"\x00\x3e", "Float16Array:1.5"),
        (4, b"", "Uint16Array:"),
    ],
)
def test_views_in_the_form_of_node(engine: Engine, number: int, data: bytes, shown: str) -> None:
    message = HEAD + HOST_OBJECT + bytes([0, number, len(data)]) + data
    show = engine.run(
        "v => v.constructor.name + ':' + [...v instanceof DataView ? new Uint8Array(v.buffer) : v].join()"
    )
    assert show(engine.deserialize(message)) == shown
    for end in range(len(HEAD) + 1, len(message)):
        with pytest.raises((ValueError, JsError)):
            engine.deserialize(message[:end])


@pytest.mark.parametrize(
    "rest", [b"\x00\x0e\x00", b"\x00\x04\x01x", b"\x02", b"\x00\x01\xff\xff\xff\xff\x0f", b"\x01", b"\x01I\x02"]
)
def test_data_that_node_would_not_write_is_rejected(engine: Engine, rest: bytes) -> None:
    with pytest.raises((ValueError, JsError)):
        engine.deserialize(HEAD + HOST_OBJECT + rest)
