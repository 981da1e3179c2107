"""A whole graph in one call: order, targets, data files, failures, inherited types, cycles, size."""

from __future__ import annotations

import os
from pathlib import Path

from trees import Write

from rt_supervisor._native import GraphModule, ModuleRecords, Resolver, TransformOptions, load_graph


def load(root: Path, *entries: str, follow_require: bool = False, **flags: object) -> dict[str, GraphModule]:
    resolver = Resolver(builtins={"fs"})
    options = TransformOptions(**flags)  # type: ignore[arg-type]
    modules = load_graph([str(root / entry) for entry in entries], resolver, options, follow_require=follow_require)
    return {module.path.removeprefix(f"{root}/"): module for module in modules}


def test_breadth_first_each_file_once(tree: Write) -> None:
    root = tree({
        "a.ts": "import './b'; import c from './c.mjs'; import 'fs'; import './gone'; export * from './b'; import('./d')",
        "b.ts": "import './a'; import './e'", "c.mjs": "import './e.ts'; export default 1", "d.ts": "", "e.ts": "export const e: number = 1",
    })  # fmt: skip
    modules = load(root, "a.ts", "b.ts")
    assert list(modules) == ["a.ts", "b.ts", "e.ts"]
    entry = modules["a.ts"]
    assert entry.transformed is not None
    assert [request.specifier for request in entry.transformed.requests] == ["./b", "fs", "./gone", "./b", "./d"]
    targets = entry.targets
    assert [target.path and os.path.basename(target.path) for target in targets] == ["b.ts", None, None, "b.ts", "d.ts"]
    assert targets[1].builtin == "fs"
    assert targets[2].failure == "module-not-found"


def test_requires_are_followed_on_request(tree: Write) -> None:
    root = tree(
        {"a.cjs": "require('./b'); if (x) require('./gone')", "b.js": "exports.x = require('./c.json')", "c.json": "{}"}
    )
    assert list(load(root, "a.cjs")) == ["a.cjs"]
    modules = load(root, "a.cjs", follow_require=True)
    assert list(modules) == ["a.cjs", "b.js", "c.json"]
    assert modules["c.json"].data == b"{}"


def test_data_files_and_attributes(tree: Write) -> None:
    root = tree({
        "a.js": "import './d.json'; import './d.json' with { type: 'text' }; import './t.ts' with { type: 'text' }; import './x.conf'",
        "d.json": '{"k": 1}', "t.ts": "let a: number", "x.conf": b"\xff",
    })  # fmt: skip
    resolver, options = Resolver(), TransformOptions(loaders={".conf": "toml"})
    modules = load_graph([str(root / "a.js")], resolver, options)
    assert [(os.path.basename(module.path), module.loader, module.data) for module in modules[1:]] == [
        ("d.json", "json", b'{"k": 1}'),
        ("d.json", "text", b'{"k": 1}'),
        ("t.ts", "text", b"let a: number"),
        ("x.conf", "toml", b"\xff"),
    ]


def test_failures_belong_to_their_module(tree: Write) -> None:
    root = tree(
        {
            "a.ts": "import './broken'; import './locked'; import './ok'",
            "broken.ts": "let = ;",
            "locked.ts": "",
            "ok.ts": "",
        }
    )
    (root / "locked.ts").unlink()
    (root / "locked.ts").symlink_to(root)
    modules = load(root, "a.ts", "missing.ts")
    assert modules["missing.ts"].failure == "no such file"
    broken = modules["broken.ts"].transformed
    assert broken is not None
    assert broken.problems[0].message == "Unexpected ;"
    assert "ok.ts" in modules


def test_types_passed_on_disappear(tree: Write) -> None:
    root = tree({
        "a.ts": "import { Foo, z } from './b'; export { Foo }; import D from './b'; export default D; console.log(z)",
        "b.ts": "export { Foo, z } from './c'; import T from './c'; export default T; export * from './d'; export { Q } from './d'",
        "c.ts": "export interface Foo {} export const z = 1; export default interface X {}", "d.ts": "export type Q = 1; export const d = 1",
        "e.ts": "import { nope } from './f.js'; export { nope }", "f.js": "export const y = 1",
        "g.ts": "export { Foo, gone } from './c'; export { Q, R, S, T as U } from './h'; import { never } from './c'; export { never as default }",
        "h.ts": "export type * from './d'; export type { Foo as R } from './c'; import { type Q as S } from './d'; export { S }; declare class T {} export { T }",
    })  # fmt: skip
    modules = load(root, "a.ts", "e.ts", "g.ts")
    exports = {name: module.transformed.exports for name, module in modules.items() if module.transformed}
    assert exports == {"a.ts": [], "b.ts": ["z"], "c.ts": ["z"], "d.ts": ["d"], "e.ts": ["nope"], "f.js": ["y"],
                       "g.ts": ["gone", "default"]}  # fmt: skip


def test_the_nearest_config_and_package_rule_each_file(tree: Write) -> None:
    root = tree({
        "a.tsx": "import './sub/b'; import './cjs/c.js'; let e = <a/>", "sub/b.tsx": "let e = <a/>",
        "sub/tsconfig.json": '{"compilerOptions":{"jsx":"react"}}', "cjs/package.json": '{"type":"commonjs"}', "cjs/c.js": "x = 1",
    })  # fmt: skip
    modules = load(root, "a.tsx")
    code = {name: module.transformed.code for name, module in modules.items() if module.transformed}
    assert "jsxDEV" in code["a.tsx"]
    assert "React.createElement" in code["sub/b.tsx"]
    loaded = modules["cjs/c.js"].transformed
    assert loaded is not None
    assert loaded.kind == "commonjs"


def test_a_folder_of_many_files_is_listed_once(tree: Write) -> None:
    """Names without extension, links to files and folders, a folder's index, and files created between two graphs."""
    names = [f"m{number}" for number in range(60)]
    root = tree({**{f"{name}.ts": f"export let {name}: number" for name in names}, "real/r.ts": "", "real/index.ts": "",
                 "a.ts": "".join(f"import './{name}'; " for name in names) + "import './link'; import './through/r'; import './through'"})  # fmt: skip
    (root / "link.ts").symlink_to("real/r.ts")
    (root / "through").symlink_to("real")
    resolver, options = Resolver(), TransformOptions()
    for last in ("real/index.ts", "through.ts"):
        paths = [module.path.removeprefix(f"{root}/") for module in load_graph([str(root / "a.ts")], resolver, options)]
        assert paths == ["a.ts", *(f"{name}.ts" for name in names), "real/r.ts", last]
        (root / "through.ts").write_text("")  # a file takes precedence over a folder
        resolver.invalidate()


def test_late_requests_are_resolved_when_made(tree: Write) -> None:
    root = tree({"a.cjs": "require('./b'); import('./b')", "b.js": ""})
    for wanted in (False, True):
        graph = ModuleRecords().load(str(root / "a.cjs"), Resolver(), TransformOptions(), resolves_all=wanted)
        assert [target.path for target in graph[0].targets] == [str(root / "b.js") if wanted else None] * 2


def test_thousands_of_modules_and_deep_chains(tree: Write) -> None:
    count = 2_000
    wide = {
        f"w{i}.ts": f"import './w{2 * i + 1}'; import './w{2 * i + 2}'; export let v: number" for i in range(count // 2)
    }
    wide |= {f"w{i}.ts": "" for i in range(count // 2, count + 1)}
    chain = {f"c{i}.ts": f"import './c{i + 1}'; import './c0'" for i in range(500)} | {"c500.ts": ""}
    root = tree({**wide, **chain})
    modules = load(root, "w0.ts", "c0.ts")
    assert len(modules) == count + 1 + 501
    assert all(module.failure is None for module in modules.values())
