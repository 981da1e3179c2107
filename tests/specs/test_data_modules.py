"""Data files that programs import."""

from __future__ import annotations

import pytest
from rig import Box
from several_files import run


def test_data_files(box: Box) -> None:
    files = {
        "a.mjs": """
            import jsonc, { a } from './j.jsonc'; import five from './j.json5'; import config from './tsconfig.json';
            import toml from './t.toml'; import yaml, { list } from './y.yaml'; import file from './x.unknown'; import text from './x.unknown' with { type: 'text' };
            console.log(JSON.stringify([jsonc, a, five, config, toml, file.endsWith('/x.unknown'), text, yaml, list === yaml.same]));
        """,
        "j.jsonc": '// c\n{"a": [1, /* x */ null,], }',
        "j.json5": "{b: +1, 'c': 0x10, d: -Infinity}",
        "tsconfig.json": '// c\n{"compilerOptions": {}}',
        "t.toml": "a = 1\n[t]\nd = 2020-01-01\n",
        "y.yaml": "list: &l [1, ~, yes]\nsame: *l\non: !!str 5\n",
        "x.unknown": "(",
    }
    expected = '[{"a":[1,null]},[1,null],{"b":1,"c":16,"d":null},{"compilerOptions":{}},{"a":1,"t":{"d":"2020-01-01"}},true,"(",{"list":[1,null,"yes"],"same":[1,null,"yes"],"on":"5"},true]\n'
    assert run(box, files) == (0, expected, "")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.json", '{"a":', "at x.json:1:6"),
        ("x.jsonc", '{\n"a": b}', "at x.jsonc:2:6"),
        ("x.toml", "a = 1\nb = \n", "at x.toml:2:5"),
        ("x.ts", "let a: = 1", "at x.ts:1:"),
        ("x.yaml", "a: 1\nb: c: d\n", "at x.yaml:2:5"),
    ],
)
def test_malformed_data_is_reported_with_its_location(box: Box, name: str, content: str, said: str) -> None:
    status, out, err = run(box, {"a.mjs": f"import x from './{name}'; console.log(x)", name: content})
    assert (status, out) == (1, "")
    assert said in err


@pytest.mark.parametrize("name", ["package.json", "tsconfig.json", "x.jsonc"])
@pytest.mark.parametrize("behind", [",", " x", "}", ";", "\n,\n", ' {"b": 2}'])
def test_text_after_a_document_with_comments_is_ignored(box: Box, name: str, behind: str) -> None:
    text = f'// "}}\n{{"a": ["}}", /* }} */ 1,], "c": {{}}}}{behind}'
    files = {"a.mjs": f"import x from './{name}'; console.log(JSON.stringify([x, require('./{name}')]))", name: text}
    assert run(box, files) == (0, '[{"a":["}",1],"c":{}},{"a":["}",1],"c":{}}]\n', "")


@pytest.mark.parametrize("name", ["x.json", "x.json5"])
def test_it_is_refused_in_other_documents(box: Box, name: str) -> None:
    status, out, _ = run(box, {"a.mjs": f"import x from './{name}'; console.log(x)", name: '{"a": 1},'})
    assert (status, out) == (1, "")
