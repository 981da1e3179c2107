"""Specifiers resolve as Node and TypeScript users expect; failures state their kind."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from trees import Write

from rt_supervisor._native import Resolver


def where(resolver: Resolver, specifier: str, importer: Path, *, require: bool = False) -> str:
    """Return the path below the importer's root, `builtin:` or `!failure`."""
    found = resolver.resolve(specifier, str(importer), require=require)
    if found.path is not None:
        return os.path.basename(found.path) + found.query
    return f"builtin:{found.builtin}" if found.builtin else f"!{found.failure}"


def test_extension_order(tree: Write) -> None:
    order = ["tsx", "ts", "jsx", "cts", "cjs", "js", "mjs", "mts", "json"]
    root = tree({f"m.{extension}": "" for extension in order})
    for extension in order:
        assert where(Resolver(), "./m", root / "a.mjs") == f"m.{extension}"
        assert where(Resolver(), "./m", root / "a.cjs", require=True) == f"m.{extension}"
        (root / f"m.{extension}").unlink()
    assert where(Resolver(), "./m", root / "a.mjs") == "!module-not-found"


def test_own_extension_order(tree: Write) -> None:
    root = tree({"m.js": "", "m.ts": "", "m.json": "", "m.foo": ""})
    assert where(Resolver(extensions=[".json", ".ts"]), "./m", root / "a.js") == "m.json"
    assert where(Resolver(extensions=[".foo"]), "./m", root / "a.js") == "m.foo"
    assert where(Resolver(extensions=[".nope"]), "./m", root / "a.js") == "!module-not-found"


def test_folders_and_files(tree: Write) -> None:
    root = tree({"dir/index.tsx": "", "dir/index.js": "", "pkg/package.json": {"main": "./lib/x"}, "pkg/lib/x.ts": "",
                    "both.ts": "", "both/index.ts": ""})  # fmt: skip
    resolver = Resolver()
    importer = root / "a.ts"
    assert where(resolver, "./dir", importer) == "index.tsx"
    assert where(resolver, "./dir/", importer) == "index.tsx"
    assert where(resolver, "./pkg", importer) == "x.ts"
    assert where(resolver, "./both", importer) == "both.ts"
    assert where(resolver, "./both/", importer) == "index.ts"
    assert where(resolver, ".", root / "dir" / "b.ts") == "index.tsx"
    assert where(resolver, "..", root / "dir" / "sub" / "b.ts") == "index.tsx"


@pytest.mark.parametrize(
    ("written", "file"),
    [
        ("./x.js", "x.ts"),
        ("./y.js", "y.tsx"),
        ("./x.mjs", "x.mts"),
        ("./x.cjs", "x.cts"),
        ("./z.jsx", "z.tsx"),
        ("./x.jsx", "x.ts"),
    ],
)
def test_javascript_names_of_typescript_files(written: str, file: str, tree: Write) -> None:
    root = tree(dict.fromkeys(("x.ts", "y.tsx", "x.mts", "x.cts", "z.tsx"), ""))
    assert where(Resolver(), written, root / "a.ts") == file
    assert where(Resolver(), written + "?q=1", root / "a.ts") == file + "?q=1"
    (root / written[2:]).write_text("")
    assert where(Resolver(), written, root / "a.ts") == written[2:]


def test_builtins_come_first_and_match_exactly(tree: Write) -> None:
    root = tree(
        {
            "node_modules/path/index.js": "",
            "tsconfig.json": {"compilerOptions": {"paths": {"fs": ["./f.ts"]}}},
            "f.ts": "",
        }
    )
    resolver = Resolver(builtins={"fs", "path", "fs/promises", "bun:sqlite", "node:test"})
    importer = root / "a.ts"
    expected = {
        "fs": "builtin:fs", "node:path": "builtin:path", "path": "builtin:path", "fs/promises": "builtin:fs/promises",
        "bun:sqlite": "builtin:bun:sqlite", "node:test": "builtin:test", "test": "!package-not-found",
        "path/": "index.js", "node:nothing": "!unknown-builtin",
    }  # fmt: skip
    assert {specifier: where(resolver, specifier, importer) for specifier in expected} == expected


PACKAGE = {
    "name": "p",
    "main": "./wrong.js",
    "exports": {
        ".": {"import": "./esm.mjs", "require": "./cjs.cjs"},
        "./sub": "./s.js",
        "./dir/*": "./d/*",
        "./dir/hidden/*": None,
        "./pat/*": {"import": "./d/*.mjs", "require": "./d/*.cjs"},
        "./gone": "./gone.js",
        "./bad": "outside",
    },
}


def test_exports(tree: Write) -> None:
    files = [
        "wrong.js",
        "esm.mjs",
        "cjs.cjs",
        "s.js",
        "d/a.js",
        "d/hidden/x.js",
        "d/one.mjs",
        "d/one.cjs",
        "internal.js",
    ]
    root = tree({"node_modules/p/package.json": PACKAGE, **{f"node_modules/p/{name}": "" for name in files}})
    resolver, importer = Resolver(), root / "a.mjs"
    expected = {
        "p": "esm.mjs", "p/sub": "s.js", "p/dir/a.js": "a.js", "p/dir/hidden/x.js": "!not-exported", "p/pat/one": "one.mjs",
        "p/internal.js": "!not-exported", "p/nope": "!not-exported", "p/gone": "!module-not-found",
        "p/bad": "!invalid-package-target",
    }  # fmt: skip
    assert {specifier: where(resolver, specifier, importer) for specifier in expected} == expected
    assert where(resolver, "p", importer, require=True) == "cjs.cjs"
    assert where(resolver, "p/pat/one", importer, require=True) == "one.cjs"


def test_the_manifest_of_a_package_needs_no_export(tree: Write) -> None:
    root = tree({
        "node_modules/p/package.json": {"exports": "./m.js"}, "node_modules/@s/q/package.json": {"exports": {".": "./m.js"}},
        "node_modules/p/m.js": "", "node_modules/p/node_modules/r/package.json": {"exports": {"./package.json": "./x.json"}},
        "node_modules/p/node_modules/r/x.json": "", "node_modules/p/d/package.json": "{}",
    })  # fmt: skip
    importer = root / "deep" / "a.mjs"
    for require in (False, True):
        found = [
            where(Resolver(), f"{name}/package.json", importer, require=require)
            for name in ("p", "@s/q", "none", "p/d")
        ]
        assert found == ["package.json", "package.json", "!module-not-found", "!not-exported"]
        inside = root / "node_modules/p/m.js"
        assert where(Resolver(), "r/package.json", inside, require=require) == "x.json"
        assert where(Resolver(), "p/package.json", inside, require=require) == "package.json"
    assert where(Resolver(is_node=True), "p/package.json", importer) == "!not-exported"


def test_conditions(tree: Write) -> None:
    exports = {"custom": {"import": "./ci.mjs", "require": "./cr.cjs"}, "other": "./o.js", "default": "./d.js"}
    root = tree({
        "node_modules/p/package.json": {"exports": exports}, **{f"node_modules/p/{n}": "" for n in ("ci.mjs", "cr.cjs", "o.js", "d.js")},
        **{f"node_modules/{c}/package.json": {"exports": {c: "./c.js", "default": "./d.js"}} for c in ("rt", "bun", "node", "browser")},
        **{f"node_modules/{c}/{n}.js": "" for c in ("rt", "bun", "node", "browser") for n in "cd"},
    })  # fmt: skip
    importer = root / "a.mjs"
    assert where(Resolver(), "p", importer) == "d.js"
    assert where(Resolver(conditions=["custom"]), "p", importer) == "ci.mjs"
    assert where(Resolver(conditions=["other", "custom"]), "p", importer, require=True) == "cr.cjs"
    assert [where(Resolver(), name, importer) for name in ("rt", "bun", "node", "browser")] == [
        "c.js",
        "c.js",
        "c.js",
        "d.js",
    ]


def test_imports_and_self_reference(tree: Write) -> None:
    root = tree({
        "package.json": {
            "name": "self", "exports": {".": "./main.js", "./f/*": "./feat/*.js"},
            "imports": {"#a": "./a.js", "#u/*": "./u/*.js", "#dep": "pkg", "#node": "node:path", "#bare": "path"},
        },
        "main.js": "", "feat/x.js": "", "a.js": "", "u/q.js": "", "node_modules/pkg/index.js": "",
    })  # fmt: skip
    resolver, importer = Resolver(builtins={"path"}), root / "deep" / "b.mjs"
    expected = {
        "self": "main.js", "self/f/x": "x.js", "self/hidden": "!not-exported", "#a": "a.js", "#u/q": "q.js", "#dep": "index.js",
        "#node": "builtin:path", "#bare": "builtin:path", "#nope": "!import-not-defined", "#u/zz": "!module-not-found",
    }  # fmt: skip
    assert {specifier: where(resolver, specifier, importer) for specifier in expected} == expected


def test_main_fields(tree: Write) -> None:
    package = {"main": "./main.js", "module": "./module.mjs", "custom": "./custom.js"}
    root = tree(
        {
            "node_modules/p/package.json": package,
            **{f"node_modules/p/{n}": "" for n in ("main.js", "module.mjs", "custom.js")},
        }
    )
    for fields, expected in [
        (None, "main.js"),
        (["module"], "module.mjs"),
        (["custom", "main"], "custom.js"),
        (["no", "module"], "module.mjs"),
    ]:
        assert where(Resolver(main_fields=fields), "p", root / "a.js") == expected


def test_module_comes_after_the_index_of_a_package_without_main(tree: Write) -> None:
    module = {"module": "./es/index.mjs"}
    root = tree(
        {
            "node_modules/both/package.json": module, "node_modules/both/es/index.mjs": "", "node_modules/both/index.js": "",
            "node_modules/@s/only/package.json": module, "node_modules/@s/only/es/index.mjs": "",
            "own/package.json": module, "own/es/index.mjs": "", "own.d/package.json": module, "own.d/es/index.mjs": "",
        }
    )  # fmt: skip
    importer = root / "a.js"
    expected = {
        "both": "index.js", "both/es/index": "index.mjs", "@s/only": "index.mjs", "./own": "index.mjs", "./own.d/": "index.mjs",
        "./none": "!module-not-found", "none": "!package-not-found",
    }  # fmt: skip
    assert {specifier: where(Resolver(), specifier, importer) for specifier in expected} == expected
    assert where(Resolver(main_fields=["module", "main"]), "both", importer) == "index.mjs"


def test_missing_targets_are_distinguished(tree: Write) -> None:
    root = tree({"node_modules/here/index.js": "", "node_modules/broken/package.json": "{"})
    resolver, importer = Resolver(), root / "a.js"
    expected = {
        "./x": "!module-not-found", "/abs/x": "!module-not-found", "gone": "!package-not-found", "@s/gone": "!package-not-found",
        "@gone": "!package-not-found", "here/x": "!module-not-found", "gone/x": "!module-not-found", "": "!invalid-specifier",
        "broken": "!package-not-found", "file:///abs/x": "!module-not-found", "file://host/x": "!invalid-specifier",
    }  # fmt: skip
    assert {specifier: where(resolver, specifier, importer) for specifier in expected} == expected


def test_symlinks(tree: Write) -> None:
    root = tree({"real/lib/package.json": {"name": "lib"}, "real/lib/index.js": "", "node_modules/.keep": ""})
    (root / "node_modules" / "lib").symlink_to("../real/lib")
    (root / "link.js").symlink_to("real/lib/index.js")
    importer = str(root / "a.js")
    assert Resolver().resolve("lib", importer).path == str(root / "real/lib/index.js")
    assert Resolver().resolve("./link.js", importer).path == str(root / "real/lib/index.js")
    assert Resolver(preserve_symlinks=True).resolve("lib", importer).path == str(root / "node_modules/lib/index.js")


def test_absolute_paths_are_read_by_their_text(tree: Write) -> None:
    root = tree({"index.js": "", "x.js": "", "d/index.js": ""})
    expected = {
        "gone/..": "index.js", "gone/../x": "x.js", "x.js/..": "index.js", "x.js/../d/": "index.js", "./d/./../x.js?q": "x.js?q",
        "gone/../../..": "!module-not-found", "gone/../nope": "!module-not-found", "x.js/.": "!module-not-found",
    }  # fmt: skip
    assert {place: where(Resolver(), f"{root}/{place}", root / "a.cjs", require=True) for place in expected} == expected


def test_urls_queries_and_odd_names(tree: Write) -> None:
    root = tree({"sp ace.mjs": "", "a#b.js": "", "ü 文.ts": "", "m.js": "", "q?x.js": ""})
    resolver, importer = Resolver(), root / "x.js"
    assert where(resolver, (root / "sp ace.mjs").as_uri(), importer) == "sp ace.mjs"
    assert where(resolver, (root / "q?x.js").as_uri(), importer) == "q?x.js"
    assert where(resolver, (root / "m.js").as_uri() + "?v=1#f", importer) == "m.js?v=1#f"
    assert where(resolver, "./m.js?a=1", importer) == "m.js?a=1"
    assert where(resolver, "./m?a", importer) == "m.js?a"
    assert where(resolver, "./a#b.js", importer) == "a#b.js"
    assert where(resolver, "./ü 文", importer) == "ü 文.ts"
    assert where(resolver, str(root / "m"), importer) == "m.js"


def test_node_modules_near_and_far(tree: Write) -> None:
    root = tree({"src/node_modules/dup/index.js": "", "node_modules/dup/far.js": "", "node_modules/@s/p/package.json": {},
                    "node_modules/@s/p/index.js": "", "node_modules/@s/p/lib/x.js": "", "node_modules/single.js": ""})  # fmt: skip
    resolver, importer = Resolver(), root / "src" / "deep" / "a.js"
    expected = {"dup": "index.js", "@s/p": "index.js", "@s/p/lib/x": "x.js", "single": "single.js"}
    assert {specifier: where(resolver, specifier, importer) for specifier in expected} == expected


def test_a_folder_as_importer(tree: Write) -> None:
    root = tree({"sub/c.cjs": "", "c.cjs": ""})
    assert Resolver().resolve("./c.cjs", f"{root}/sub/").path == str(root / "sub/c.cjs")
    assert Resolver().resolve("./c.cjs", f"{root}/sub").path == str(root / "c.cjs")


def test_files_made_later_are_found_and_changes_after_invalidate(tree: Write) -> None:
    root = tree({"m.js": ""})
    resolver, importer = Resolver(), str(root / "a.js")
    assert resolver.resolve("./new", importer).failure == "module-not-found"
    (root / "new.js").write_text("")
    assert resolver.resolve("./new", importer).path == str(root / "new.js")
    assert resolver.resolve("./m", importer).path == str(root / "m.js")
    (root / "m.ts").write_text("")
    resolver.invalidate()
    assert resolver.resolve("./m", importer).path == str(root / "m.ts")


def test_package_type(tree: Write) -> None:
    root = tree(
        {"package.json": {"type": "module"}, "a/package.json": {"type": "commonjs"}, "b/package.json": {"name": "x"}}
    )
    resolver = Resolver()
    types = [
        resolver.package_type(str(root / name)) for name in ("x.js", "a/deep/x.js", "b/x.js", "node_modules/p/x.js")
    ]
    assert types == ["module", "commonjs", None, None]


def test_threads_share_a_resolver_while_it_forgets(tree: Write) -> None:
    root = tree({f"m{n}.ts": "" for n in range(20)})
    resolver = Resolver()

    def look(n: int) -> str | None:
        if n % 10 == 0:
            resolver.invalidate()
        return resolver.resolve(f"./m{n % 20}" if n % 7 else "./gone", str(root / "a.ts")).path

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(look, range(400)))
    assert found == [str(root / f"m{n % 20}.ts") if n % 7 else None for n in range(400)]


IN_PACKAGES = {
    "import": [".mjs", ".jsx", ".mts", ".js", ".cjs", ".tsx", ".ts", ".cts", ".json"],
    "require": [".jsx", ".cjs", ".js", ".mjs", ".mts", ".tsx", ".ts", ".cts", ".json"],
}
ELSEWHERE = [".tsx", ".ts", ".jsx", ".cts", ".cjs", ".js", ".mjs", ".mts", ".json"]


@pytest.mark.parametrize("kind", IN_PACKAGES)
@pytest.mark.parametrize("place", ["src", "node_modules/p", "node_modules/@s/p/lib"])
@pytest.mark.parametrize("form", ["x", "folder/index"])
def test_which_extension_comes_first(tree: Write, kind: str, place: str, form: str) -> None:
    order = IN_PACKAGES[kind] if "node_modules" in place else ELSEWHERE
    root = tree({f"{place}/{form}{extension}": "" for extension in order})
    wanted = f"./{form.removesuffix('/index')}"
    for extension in order:
        resolver = Resolver()
        found = resolver.resolve(wanted, f"{root}/{place}/importer.js", require=kind == "require")
        assert found.path == f"{root}/{place}/{form}{extension}"
        if place == "node_modules/p" and form == "x":  # and named from outside
            assert resolver.resolve("p/x", f"{root}/importer.js", require=kind == "require").path == found.path
        (root / place / f"{form}{extension}").unlink()


def test_a_requested_order_does_not_apply_to_packages(tree: Write) -> None:
    root = tree({"x.js": "", "x.ts": "", "node_modules/p/x.js": "", "node_modules/p/x.ts": ""})
    resolver = Resolver(extensions=[".ts", ".js"])
    assert resolver.resolve("./x", f"{root}/a.js").path == f"{root}/x.ts"
    assert resolver.resolve("p/x", f"{root}/a.js").path == f"{root}/node_modules/p/x.js"


@pytest.mark.parametrize("require", [False, True])
@pytest.mark.parametrize(
    ("text", "main"),
    [
        ('{ // why\n "main": "x.js", /* and */ "type": "commonjs" }', "x.js"),
        ('{"main": "x.js",}', "x.js"),
        ('\ufeff{"main": "x.js"}', "x.js"),
        ('{"main": "x.js", "other": "\\ud800"}', "x.js"),
        ("", "index.js"),
        (" \n", "index.js"),
        ('{"main": ', "index.js"),
        ('{"main": "x.js"} and more', "x.js"),
        ("[1]", "index.js"),
        ('"main"', "index.js"),
        ("null", "index.js"),
        ("{'main': 'x.js'}", "x.js"),
        ('{"exports": null, "main": "x.js"}', "x.js"),
        ('{"main": "x.js", "exports" :\n false, "note": "no \\"exports\\": here"}', "x.js"),
        ('{"exports": 5, "main": "x.js"}', "x.js"),
    ],
)
def test_a_package_json_that_is_not_strict_json_does_not_block_its_files(
    tree: Write, text: str, main: str, require: bool
) -> None:
    package = {"package.json": text, "x.js": "", "index.js": "", "lib/y.ts": ""}
    root = tree({**package, **{f"node_modules/dep/{name}": body for name, body in package.items()}})
    resolver = Resolver()

    def found(specifier: str, importer: str) -> str:
        return (resolver.resolve(specifier, f"{root}/{importer}", require=require).path or "").removeprefix(f"{root}/")

    assert found("./x", "a.ts") == "x.js"
    assert found("./lib/y", "a.ts") == "lib/y.ts"
    assert found("../x.js", "lib/y.ts") == "x.js"
    assert found(".", "a.ts") == main
    assert found("dep", "a.ts") == f"node_modules/dep/{main}"
    assert found("dep/lib/y", "a.ts") == "node_modules/dep/lib/y.ts"
    assert found("./x.js", "node_modules/dep/index.js") == "node_modules/dep/x.js"
