"""Promises that Python settles, unhandled rejections, microtasks."""

from __future__ import annotations

from typing import Any

import pytest

from rt_supervisor._native import Engine, JsError, JsPromise


def test_python_settles(engine: Engine) -> None:
    promise, resolver = engine.new_promise()
    seen: list[Any] = []
    promise.then(seen.append)
    assert (promise.state, promise.result) == ("pending", None)
    resolver.resolve([1, "x"])
    resolver.reject(ValueError("too late"))
    assert seen == []
    engine.run_microtasks()
    assert seen[0].to_python() == [1, "x"]
    assert promise.state == "fulfilled"


def test_an_async_host_function_returns_its_resolver(engine: Engine) -> None:
    resolvers = []

    def later() -> Any:
        resolvers.append(engine.new_promise()[1])
        return resolvers[-1]

    engine.global_object["later"] = engine.function(later)
    promise = engine.run("(async () => { try { return await later() } catch (e) { return e.message } })()")
    assert isinstance(promise, JsPromise)
    resolvers[0].reject(ValueError("nope"))
    engine.run_microtasks()
    assert promise.result == "nope"


def test_reactions_that_raise_reject(engine: Engine) -> None:
    def fail(_: Any) -> None:
        raise ValueError("in reaction")

    promise, resolver = engine.new_promise()
    following = promise.then(fail)
    resolver.resolve()
    engine.run_microtasks()
    assert following.state == "rejected"
    assert following.result.get("message") == "in reaction"


def test_rejections_are_reported_until_handled(engine: Engine) -> None:
    engine.run("globalThis.p = Promise.reject(new Error('late')); Promise.reject(1).catch(() => {})")
    [(handled_later, promise, reason, _)] = engine.take_rejections()
    assert not handled_later
    assert reason.get("message") == "late"
    assert not promise.has_handler
    assert engine.take_rejections() == []
    engine.run("p.catch(() => {})")
    assert engine.take_rejections() == [(True, promise, None, None)]


def test_microtasks_run_on_request(engine: Engine) -> None:
    order: list[str] = []
    engine.global_object["note"] = engine.function(order.append)
    engine.run("Promise.resolve().then(() => note('a')).then(() => note('b')); note('sync')")
    assert order == ["sync"]
    engine.run_microtasks()
    assert order == ["sync", "a", "b"]


def test_errors_of_microtasks_are_stored(engine: Engine) -> None:
    engine.run(
        "__host.enqueueMicrotask(() => { throw new RangeError('adrift') }); __host.enqueueMicrotask(() => ran = 1)"
    )
    engine.run_microtasks()
    assert engine.run("ran") == 1
    [error] = engine.take_uncaught()
    assert isinstance(error, JsError)
    assert str(error) == "RangeError: adrift"
    assert engine.take_uncaught() == []


def test_system_exit_in_a_microtask(engine: Engine) -> None:
    def leave() -> None:
        raise SystemExit(4)

    engine.global_object["leave"] = engine.function(leave)
    engine.run("Promise.resolve().then(() => leave())")
    with pytest.raises(SystemExit):
        engine.run_microtasks()
    assert engine.run("2") == 2
