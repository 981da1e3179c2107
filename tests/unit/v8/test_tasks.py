"""V8's tasks for the engine's thread: the host sees when one is waiting and when the next is due, and runs them."""

from __future__ import annotations

from rig import wait_until

from rt_supervisor import _native

CELLS = "globalThis.cells = new Int32Array(new SharedArrayBuffer(16)); globalThis.seen = [];"


def drain(engine: _native.Engine) -> None:
    while engine.pump():
        engine.run_microtasks()
    engine.run_microtasks()


def seen(engine: _native.Engine) -> list[object]:
    value = engine.global_object.get("seen")
    assert isinstance(value, _native.JsArray)
    return list(value.to_list())


def test_no_task_is_due_where_nothing_was_posted(engine: _native.Engine) -> None:
    engine.run("1 + 1")
    assert engine.task_delay_ms == -1
    assert not engine.pump()


def test_a_posted_task_waits_until_it_is_pumped(engine: _native.Engine) -> None:
    engine.run(CELLS + "Atomics.waitAsync(cells, 0, 0).value.then((v) => seen.push(v)); Atomics.notify(cells, 0)")
    assert engine.task_delay_ms == 0
    drain(engine)
    assert seen(engine) == ["ok"]
    assert engine.task_delay_ms == -1


def test_delayed_tasks_are_due_in_their_order(engine: _native.Engine) -> None:
    """The long delays are hours, safe on any machine; the short one is awaited."""
    later = "globalThis.later = (ms) => Atomics.waitAsync(cells, 0, 0, ms).value.then(() => seen.push(ms));"
    engine.run(CELLS + later + "later(2e8); later(1e8)")
    assert 1e7 < engine.task_delay_ms <= 1e8
    assert not engine.pump()
    engine.run("later(1)")
    wait_until(lambda: engine.task_delay_ms == 0, "a task that is due")
    assert engine.pump()
    drain(engine)
    assert seen(engine) == [1]
    assert 1e7 < engine.task_delay_ms <= 1e8


def test_engines_are_notified_of_their_own_tasks_only(engine: _native.Engine) -> None:
    other = _native.Engine()
    other.run(CELLS + "Atomics.waitAsync(cells, 0, 0).value.then((v) => seen.push(v)); Atomics.notify(cells, 0)")
    assert engine.task_delay_ms == -1
    assert other.task_delay_ms == 0
    assert not engine.pump()
    drain(other)
    assert seen(other) == ["ok"]
    other.close()
    again = _native.Engine()  # perhaps at the same address
    assert again.task_delay_ms == -1
    again.close()


def test_an_error_of_a_task_is_uncaught(engine: _native.Engine) -> None:
    engine.run("globalThis.r = new FinalizationRegistry((held) => { throw held }); (() => { r.register({}, 'x') })()")
    engine.run_microtasks()
    engine.collect_garbage()
    assert engine.task_delay_ms == 0
    drain(engine)
    assert [error.value for error in engine.take_uncaught()] == ["x"]
