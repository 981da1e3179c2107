"""ES modules: linking by the host, synthetic modules, import.meta, import(), top-level await."""

from __future__ import annotations

from typing import Any

import pytest

from rt_supervisor._native import Engine, JsError, JsModule, JsPromise


def graph(engine: Engine, sources: dict[str, str]) -> JsModule:
    """Compile `sources`, link them by name and instantiate the first."""
    modules = {name: engine.compile_module(source, name) for name, source in sources.items()}
    for module in modules.values():
        module.link([modules[request.specifier] for request in module.requests])
    root = next(iter(modules.values()))
    root.instantiate()
    return root


def test_live_bindings_through_a_cycle(engine: Engine) -> None:
    root = graph(
        engine,
        {
            "a": "import { count, inc } from 'b'; export function read() { return count } inc(); export const v = count",
            "b": "import { read } from 'a'; export let count = 1; export function inc() { count++ } export { read }",
        },
    )
    assert root.status == "linked"
    assert root.evaluate().state == "fulfilled"
    assert root.status == "evaluated"
    assert root.namespace.get("v") == 2
    assert root.namespace.invoke("read") == 2


def test_requests_have_attributes_and_positions(engine: Engine) -> None:
    module = engine.compile_module("import a from './a';\nimport b from './b' with { type: 'json' };", "/m.mjs")
    assert [(r.specifier, r.attributes, r.line, r.column) for r in module.requests] == [
        ("./a", {}, 1, 15),
        ("./b", {"type": "json"}, 2, 15),
    ]
    with pytest.raises(ValueError, match="2 requests, 0 modules"):
        module.link([])
    with pytest.raises(JsError, match=r"/m\.mjs is not linked"):
        module.instantiate()


def test_a_missing_export_names_its_place(engine: Engine) -> None:
    with pytest.raises(JsError, match="does not provide an export named 'nope'") as caught:
        graph(engine, {"/a.mjs": "\nimport { nope } from '/b.mjs'", "/b.mjs": ""})
    assert (caught.value.file, caught.value.line) == ("/a.mjs", 2)


def test_synthetic_modules(engine: Engine) -> None:
    calls: list[str] = []

    def evaluate(module: JsModule) -> None:
        calls.append(module.name)
        module.set_export("late", 3)

    source = engine.new_object({"one": 1, "two": 2})
    builtin = engine.synthetic_module("b", ["one", "two", "default"], source=source, default=source)
    computed = engine.synthetic_module("c", ["late"], evaluate=evaluate)
    root = engine.compile_module(
        "import d, { one, two } from 'b'; import * as c from 'c'; export { d, one, two, c }", "r"
    )
    root.link([builtin, computed])
    del builtin, computed
    root.instantiate()
    assert root.evaluate().state == "fulfilled"
    namespace = root.namespace
    assert (namespace["one"], namespace["two"], namespace["d"] == source) == (1, 2, True)
    assert namespace["c"].get("late") == 3
    assert calls == ["c"]


def test_a_failing_synthetic_module_fails_its_importer(engine: Engine) -> None:
    def fail(module: JsModule) -> None:
        raise ValueError("broken")

    synthetic = engine.synthetic_module("s", [], evaluate=fail)
    root = engine.compile_module("import 's'", "r")
    root.link([synthetic])
    root.instantiate()
    promise = root.evaluate()
    assert promise.state == "rejected"
    assert root.status == "errored"
    assert root.exception.get("message") == "broken"


def test_import_meta_is_filled_once(engine: Engine) -> None:
    filled: list[str] = []

    def fill(module: JsModule, meta: Any) -> None:
        filled.append(module.name)
        meta["url"] = "file://" + module.name

    engine.set_on_import_meta(fill)
    root = graph(engine, {"/a.mjs": "export const u = import.meta.url + (import.meta === import.meta)"})
    root.evaluate()
    assert root.namespace["u"] == "file:///a.mjstrue"
    assert filled == ["/a.mjs"]


def test_dynamic_import_is_settled_by_the_host(engine: Engine) -> None:
    asked: list[Any] = []
    engine.set_on_import(lambda *request: asked.append(request))
    promise = engine.run("import('./x.json', { with: { type: 'json' } })", "/dir/main.js")
    assert isinstance(promise, JsPromise)
    specifier, referrer, attributes, resolver = asked[0]
    assert (specifier, referrer, attributes) == ("./x.json", "/dir/main.js", {"type": "json"})
    resolver.resolve({"loaded": True})
    assert promise.state == "fulfilled"

    def refuse(*request: Any) -> None:
        raise FileNotFoundError("gone")

    engine.set_on_import(refuse)
    promise = engine.run("import('./y')")
    assert isinstance(promise, JsPromise)
    assert promise.state == "rejected"
    engine.set_on_import(None)
    promise = engine.run("import('./y')")
    assert isinstance(promise, JsPromise)
    assert promise.state == "rejected"


def test_top_level_await(engine: Engine) -> None:
    gate, open_gate = engine.new_promise()
    engine.global_object["gate"] = gate
    root = graph(
        engine, {"/a.mjs": "import { v } from '/b.mjs'; export { v }", "/b.mjs": "export const v = await gate"}
    )
    assert root.is_graph_async
    assert not root.has_top_level_await
    promise = root.evaluate()
    engine.run_microtasks()
    assert promise.state == "pending"
    assert root.find_pending_awaits() == [("/b.mjs", 1, 18)]
    open_gate.resolve(5)
    engine.run_microtasks()
    assert promise.state == "fulfilled"
    assert root.namespace["v"] == 5


def test_a_throwing_module(engine: Engine) -> None:
    root = graph(engine, {"/a.mjs": "throw new RangeError('x')"})
    promise = root.evaluate()
    assert promise.state == "rejected"
    assert engine.take_rejections() == []
    assert root.exception == promise.result
