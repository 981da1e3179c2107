"""Passing bytes into and out of JavaScript buffers."""

from __future__ import annotations

import array

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rt_supervisor._native import Engine, JsBuffer


def buffer(engine: Engine, source: str) -> JsBuffer:
    value = engine.run(source)
    assert isinstance(value, JsBuffer)
    return value


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(), st.integers(0, 300), st.integers(0, 300))
def test_bytes_come_back(engine: Engine, data: bytes, offset: int, size: int) -> None:
    copy = engine.new_buffer(data)
    assert bytes(copy) == data
    assert len(copy) == len(data)
    assert copy.read(offset, size) == data[offset : offset + size]


def test_a_view_is_its_part_of_the_buffer(engine: Engine) -> None:
    view = buffer(engine, "new Uint16Array(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]).buffer, 2, 2)")
    assert bytes(view) == b"\x02\x03\x04\x05"
    view.write(b"\xff\xff", 2)
    assert engine.run("x => x.buffer")(view).read() == b"\0\1\2\3\xff\xff\6\7"
    with pytest.raises(IndexError):
        view.write(b"\xff\xff", 3)


def test_a_memoryview_is_the_memory_itself(engine: Engine) -> None:
    made = buffer(engine, "globalThis.shared = new Uint8Array([1, 2, 3])")
    view = memoryview(made)
    assert view.tolist() == [1, 2, 3]
    view[1] = 200
    assert engine.run("shared[1]") == 200
    engine.run("shared[2] = 9")
    assert view[2] == 9


def test_a_memoryview_outlives_buffer_and_engine() -> None:
    engine = Engine()
    view = memoryview(engine.new_buffer(b"x" * 1_000_000))
    engine.collect_garbage()
    engine.close()
    assert view[999_999] == ord("x")
    view.release()


def test_a_detached_buffer_is_empty(engine: Engine) -> None:
    made = buffer(engine, "globalThis.gone = new Uint8Array(4)")
    view = memoryview(made)
    made.detach()
    assert len(made) == 0
    assert bytes(made) == b""
    assert engine.run("gone.length") == 0
    view[0] = 1


def test_the_memory_of_webassembly_is_not_detached(engine: Engine) -> None:
    made = buffer(engine, "(globalThis.memory = new WebAssembly.Memory({ initial: 1 })).buffer")
    with pytest.raises(TypeError, match="WebAssembly"):
        made.detach()
    assert len(made) == engine.run("memory.buffer.byteLength") == 65536


def test_a_resizable_buffer_has_no_lasting_memory(engine: Engine) -> None:
    made = buffer(engine, "new ArrayBuffer(8, { maxByteLength: 16 })")
    assert len(made) == 8
    with pytest.raises(BufferError, match="resizable"):
        memoryview(made)


def test_every_python_buffer_is_accepted(engine: Engine) -> None:
    for data in (b"abc", bytearray(b"abc"), memoryview(b"xabcx")[1:4], array.array("B", b"abc")):
        assert bytes(engine.new_buffer(data)) == b"abc"
    assert engine.new_array([b""]).to_python() == [b""]


def test_an_oversized_buffer_is_an_error(engine: Engine) -> None:
    with pytest.raises(ValueError, match="too large"):
        engine.new_buffer(1 << 40)
