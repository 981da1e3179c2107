"""tsconfig and jsconfig files: paths, inheritance, options about output, and invalid files."""

from __future__ import annotations

from pathlib import Path

import pytest
from trees import Write

from rt_supervisor._native import Resolver, TransformOptions, transform


def found(resolver: Resolver, specifier: str, importer: Path) -> str | None:
    path = resolver.resolve(specifier, str(importer)).path
    return None if path is None else path.removeprefix(f"{importer.parent}/")


def test_paths_and_base_url_with_comments(tree: Write) -> None:
    config = """{
      // comments and trailing commas are fine
      "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "exact": ["src/e.ts"], "multi/*": ["no/*", "src/*"],
        "@lib/*/x": ["src/lib-*.ts"], "@/deep/*": ["src/special/*"], "*.css": ["src/style.ts"], }, }, }"""
    files = ("m", "e", "lib-q", "special/z", "style", "up")
    root = tree({"tsconfig.json": config, **{f"src/{name}.ts": "" for name in files}})
    resolver, importer = Resolver(), root / "a.ts"
    expected = {
        "@/m": "src/m.ts", "exact": "src/e.ts", "multi/m": "src/m.ts", "@lib/q/x": "src/lib-q.ts", "src/up": "src/up.ts",
        "@/deep/z": "src/special/z.ts", "@/m.js": "src/m.ts", "@/m?q": "src/m.ts", "a/b.css": "src/style.ts", "@/nope": None,
    }  # fmt: skip
    assert {specifier: found(resolver, specifier, importer) for specifier in expected} == expected
    assert found(resolver, "./m", importer) is None


def test_the_nearest_one_applies_and_paths_are_relative_to_their_file(tree: Write) -> None:
    root = tree({
        "tsconfig.json": {"extends": "./conf/base"}, "src/m.ts": "", "conf/one.ts": "", "sub/two.ts": "", "sub/deep/b.ts": "",
        "conf/base.json": {"compilerOptions": {"paths": {"#p/*": ["../src/*"], "x": ["./one.ts"]}}},
        "sub/tsconfig.json": {"compilerOptions": {"paths": {"x": ["./two.ts"]}}},
        "js/jsconfig.json": {"compilerOptions": {"paths": {"x": ["./three.js"]}}}, "js/three.js": "",
    })  # fmt: skip
    resolver = Resolver()
    assert found(resolver, "#p/m", root / "a.ts") == "src/m.ts"
    assert found(resolver, "x", root / "a.ts") == "conf/one.ts"
    assert resolver.resolve("x", str(root / "sub/deep/b.ts")).path == str(root / "sub/two.ts")
    assert found(resolver, "x", root / "js" / "a.js") == "three.js"


def test_extends_a_package_a_list_and_itself(tree: Write) -> None:
    root = tree({
        "node_modules/@t/base/package.json": {"name": "@t/base"},
        "node_modules/@t/base/tsconfig.json": {"compilerOptions": {"jsx": "react-jsx", "experimentalDecorators": True}},
        "b.json": {"compilerOptions": {"verbatimModuleSyntax": True, "experimentalDecorators": False}},
        "tsconfig.json": {"extends": ["@t/base/tsconfig.json", "./b.json"]},
        "loop/tsconfig.json": {"extends": "./tsconfig.json", "compilerOptions": {"paths": {"x": ["./y"]}}}, "loop/y.ts": "",
    })  # fmt: skip
    resolver = Resolver()
    config = resolver.tsconfig(str(root / "a.ts"))
    assert config is not None
    assert config.problems == []
    code = transform(
        "import { T } from './t'; let e = <a/>; class K { @d m() {} }",
        "/p/a.tsx",
        TransformOptions(),
        config=config.emit,
    ).code
    assert "./t" in code
    assert "react/jsx-runtime" in code
    assert "__rt_decorate" in code
    loop = resolver.tsconfig(str(root / "loop/a.ts"))
    assert loop is not None
    assert [problem.message for problem in loop.problems] == ["This tsconfig extends itself"]
    assert found(resolver, "x", root / "loop" / "a.ts") == "y.ts"


def test_config_dir_and_references(tree: Write) -> None:
    root = tree({
        "shared/base.json": {"compilerOptions": {"paths": {"own/*": ["${configDir}/src/*"]}}}, "app/src/m.ts": "",
        "app/tsconfig.json": {"extends": "../shared/base.json"},
        "vite/tsconfig.json": {"files": [], "references": [{"path": "./gone"}, {"path": "./tsconfig.app.json"}]},
        "vite/tsconfig.app.json": {"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}, "vite/src/m.ts": "",
    })  # fmt: skip
    resolver = Resolver()
    assert found(resolver, "own/m", root / "app" / "a.ts") == "src/m.ts"
    assert found(resolver, "@/m", root / "vite" / "a.ts") == "src/m.ts"


def test_an_override_rules_everywhere(tree: Write) -> None:
    root = tree({"tsconfig.json": {"compilerOptions": {"paths": {"x": ["./one.ts"]}}}, "one.ts": "", "conf/three.ts": "",
                    "conf/alt.json": {"compilerOptions": {"paths": {"x": ["./three.ts"]}}}, "sub/tsconfig.json": {}})  # fmt: skip
    resolver = Resolver(tsconfig_override=str(root / "conf/alt.json"))
    assert found(resolver, "x", root / "a.ts") == "conf/three.ts"
    assert resolver.resolve("x", str(root / "sub/a.ts")).path == str(root / "conf/three.ts")


def test_a_tsconfig_inside_a_package_is_ignored(tree: Write) -> None:
    root = tree(
        {
            "node_modules/p/tsconfig.json": '{"broken',
            "node_modules/p/index.js": "",
            "tsconfig.json": {"compilerOptions": {"jsx": "react"}},
        }
    )
    config = Resolver().tsconfig(str(root / "node_modules/p/index.js"))
    assert config is not None
    assert config.path == str(root / "tsconfig.json")


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ('{"compilerOptions":', "Unexpected end of file", (1, 19)),
        ('{\n  "a": [1,\n  "b": 2 }', 'Expected "]" but found ":"', (3, 6)),
        ('{"a": foo}', "Unexpected foo", (1, 7)),
        ("[" * 5000, "This file is nested too deeply", (1, 1)),
    ],
)
def test_errors_have_a_location(text: str, message: str, place: tuple[int, int], tree: Write) -> None:
    root = tree({"tsconfig.json": text, "m.ts": ""})
    resolver = Resolver()
    config = resolver.tsconfig(str(root / "a.ts"))
    assert config is not None
    [problem] = config.problems
    assert (problem.message, problem.path) == (message, str(root / "tsconfig.json"))
    assert (problem.place.line, problem.place.column) == place
    assert found(resolver, "./m", root / "a.ts") == "m.ts"


@pytest.mark.parametrize(
    "text",
    ["", "  \n", "// nothing\n", "{}", "null", '\ufeff{"compilerOptions":{}}', '{"compilerOptions": 5, "extends": 3}'],
)
def test_unusual_ones_are_accepted(text: str, tree: Write) -> None:
    config = Resolver().tsconfig(str(tree({"tsconfig.json": text}) / "a.ts"))
    assert config is not None
    assert config.problems == []
