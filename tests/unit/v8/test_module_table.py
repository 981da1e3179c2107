"""The table of a program's modules: plain graphs are created and linked natively; everything else calls Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rt_supervisor._native import (
    CodeKeepers,
    Engine,
    JsError,
    JsModule,
    LoadedTexts,
    ModuleRecords,
    ModuleTable,
    Resolution,
    Resolver,
    TransformOptions,
)


class Program:
    """Files in a folder, the table of their modules, and the requests made during linking."""

    def __init__(self, engine: Engine, folder: Path, files: dict[str, str]) -> None:
        self.engine, self.folder = engine, folder
        for name, text in files.items():
            (folder / name).write_text(text)
        self.records, self.texts = ModuleRecords(), LoadedTexts()
        self.table = ModuleTable(engine, self.records, self.texts, CodeKeepers(engine))
        self.asked: list[tuple[str, str, dict[str, str]]] = []

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def make(self, name: str) -> JsModule | None:
        if self.records.get(self.path(name)) is None:
            self.records.load(self.path(name), Resolver(builtins={"fs"}), TransformOptions())
        return self.table.make(self.path(name))

    def child(
        self, importer: JsModule, specifier: str, attributes: dict[str, str], target: Resolution | None
    ) -> JsModule:
        self.asked.append((Path(importer.name).name, specifier, attributes))
        if target is None:
            raise LookupError(specifier)
        name = f"node:{target.builtin}" if target.builtin else f"{target.path}{target.query}"
        known = self.table.get(name, attributes.get("type"))
        if known is None and target.path is not None and name == target.path and not attributes:
            known = self.table.make(target.path)
        if known is not None:
            return known
        made = self.engine.synthetic_module(name, ["default"], default=specifier)
        return self.table.put(name, attributes.get("type"), made)

    def run(self, name: str) -> Any:
        root = self.make(name)
        assert root is not None
        self.table.link(root, self.child)
        root.instantiate()
        assert root.evaluate().state == "fulfilled"
        return root.namespace


@pytest.fixture
def program(engine: Engine, tmp_path: Path) -> Any:
    return lambda files: Program(engine, tmp_path, files)


def test_a_plain_graph_needs_no_python(program: Any) -> None:
    made = program({
        "a.ts": "import { b } from './b'; import { c as d } from './c.mjs'; export const a: number = b() + d; export type T = 1",
        "b.ts": "import { a } from './a'; export function b(): number { return 40 + Number(typeof (() => a) === 'function') }; import './c.mjs'",
        "c.mjs": "export const c = 1",
    })  # fmt: skip
    assert made.run("a.ts").get("a") == 42
    assert made.asked == []
    text = made.texts.get(made.path("b.ts"))
    assert text.changed and text.path == made.path("b.ts")
    assert made.table.get(made.path("c.mjs")).status == "evaluated"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("import fs from 'fs'; export default fs", "fs"),
        ("import x from './b.cjs'; export default x", "./b.cjs"),
        ("import x from './b.ts?1'; export default x", "./b.ts?1"),
        ("import x from './words.txt'; export default x", "./words.txt"),
        ("import x from './broken.ts'; export default x", "./broken.ts"),
    ],
)
def test_modules_that_are_not_plain_call_python(program: Any, text: str, asked: str) -> None:
    files = {"b.cjs": "exports.x = 1", "b.ts": "", "words.txt": "x"}
    made = program({"a.mjs": text, **files, "broken.ts": "let x = ;"})
    assert made.run("a.mjs").get("default") == asked
    assert made.asked == [("a.mjs", asked, {})]


def test_attributes_are_requested_with_the_target(program: Any) -> None:
    made = program({"a.mjs": "import x from './b.json' with { type: 'json' }; export default x", "b.json": "{}"})
    assert made.run("a.mjs").get("default") == "./b.json"
    assert made.asked == [("a.mjs", "./b.json", {"type": "json"})]


def test_unresolved_specifiers_are_requested_without_a_target(program: Any) -> None:
    made = program({"a.mjs": "import './gone.mjs'"})
    with pytest.raises(LookupError, match=r"\./gone\.mjs"):
        made.run("a.mjs")


def test_table_entries_are_not_requested_again(program: Any) -> None:
    made = program({"a.mjs": "import 'fs'; import './b.mjs'", "b.mjs": "import 'fs'; import './c.cjs'", "c.cjs": ""})
    made.run("a.mjs")
    assert [specifier for _, specifier, _ in made.asked] == ["fs", "./c.cjs"]


def test_commonjs_is_requested_each_time(program: Any) -> None:
    made = program({"a.mjs": "import './c.cjs'; import './b.mjs'", "b.mjs": "import './c.cjs'", "c.cjs": ""})
    module = made.engine.synthetic_module(made.path("c.cjs"), [])
    made.table.put(made.path("c.cjs"), None, module, is_asked_for=True)
    made.run("a.mjs")
    assert made.asked == [("a.mjs", "./c.cjs", {}), ("b.mjs", "./c.cjs", {})]


def test_every_request_is_supported(program: Any) -> None:
    made = program({"a.mjs": "import './b.mjs'", "b.mjs": "export const b = 1"})
    made.make("a.mjs")
    root = made.table.get(made.path("a.mjs"))
    made.table.ask_always(True)
    assert made.table.make(made.path("b.mjs")) is None
    made.table.link(root, made.child)
    assert made.asked == [("a.mjs", "./b.mjs", {})]


def test_linking_may_begin_again_inside_itself(program: Any) -> None:
    made = program({
        "a.mjs": "import './c.cjs'; import { b } from './b.mjs'; export { b }", "b.mjs": "import './a.mjs'; export const b = 7",
        "c.cjs": "",
    })  # fmt: skip
    root = made.make("a.mjs")

    def child(importer: JsModule, specifier: str, attributes: dict[str, str], target: Resolution) -> JsModule:
        inner = made.table.get(made.path("b.mjs")) or made.table.make(made.path("b.mjs"))
        made.table.link(inner, made.child)  # `require('./b.mjs')`, which imports a module that is being linked
        module: JsModule = made.child(importer, specifier, attributes, target)
        return module

    made.table.link(root, child)
    root.instantiate()
    assert root.evaluate().state == "fulfilled"
    assert root.namespace.get("b") == 7


def test_a_missing_export_names_its_place(program: Any) -> None:
    made = program({"a.mjs": "\nimport { nope } from './b.mjs'", "b.mjs": ""})
    with pytest.raises(JsError, match="does not provide an export named 'nope'") as caught:
        made.run("a.mjs")
    assert (caught.value.file, caught.value.line) == (made.path("a.mjs"), 2)


def test_modules_are_removed_and_restored(program: Any) -> None:
    made = program({"a.mjs": "export const a = 1"})
    first = made.run("a.mjs")
    path = made.path("a.mjs")
    taken = made.table.take_out({path})
    assert taken.names == [path]
    assert made.table.get(path) is None
    assert made.table.make(path) is None  # its text may have changed: Python decides
    other = made.engine.compile_module("export const a = 2", path)
    assert made.table.put(path, None, other).status == "unlinked"
    made.table.put_back(taken)
    assert made.table.get(path).namespace.get("a") == first.get("a") == 1


def test_files_are_read_again_once_forgotten(program: Any) -> None:
    made = program({"a.mjs": "1"})
    made.make("a.mjs")
    made.records.forget(made.path("a.mjs"))
    assert made.records.get(made.path("a.mjs")) is None


def test_a_graph_is_read_on_a_thread_and_waited_for(program: Any) -> None:
    names = [f"m{number}.ts" for number in range(300)]
    files = {name: f"export const {name[:-3]}: number = 1" for name in names}
    made = program({**files, "a.ts": "".join(f"import './{name}'; " for name in names) + "import './gone'"})
    path = made.path("a.ts")
    if not made.records.begin(path, Resolver(), TransformOptions()):
        pytest.skip("threads are few here")
    record = made.records.get(path)
    assert len(record.targets) == 301
    assert all(made.records.get(made.path(name)).transformed.changed for name in names)
    again = ModuleRecords().load(path, Resolver(), TransformOptions(), as_script=True)
    assert [again[index].path for index in range(len(again))] == [path, *(made.path(name) for name in names)]


def test_files_unreadable_on_a_thread_count_as_missing(program: Any) -> None:
    made = program({})
    made.records.begin(made.path("gone.ts"), Resolver(), TransformOptions())
    assert made.records.get(made.path("gone.ts")) is None
    assert made.records.load(made.path("gone.ts"), Resolver(), TransformOptions())[0].failure == "no such file"
