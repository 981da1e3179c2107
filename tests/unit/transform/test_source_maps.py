"""Source maps: ours map to the original line, and those shipped in packages are found and read."""

from __future__ import annotations

import base64
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest

from rt_supervisor._native import SourceMap, TransformOptions, transform

SOURCE = """interface A {
  x: 1;
}
enum E {
  a,
}
type T = { y: string };
function at(): string {
  return marker_one('é😀', (1 as number) + marker_two<string>());
}
@decorated class K { @dec m(): void { marker_three(<any>1) } accessor q = marker_four }
namespace N { export const v: number = marker_five; v + marker_six }
"""


def place_of(text: str, word: str) -> tuple[int, int]:
    """Return line and column from 1, the column in UTF-16 units."""
    before = text[: text.index(word)]
    return before.count("\n") + 1, len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2 + 1


@pytest.mark.parametrize("word", [f"marker_{n}" for n in ("one", "two", "three", "four", "five", "six")])
def test_every_location_maps_back(word: str) -> None:
    result = transform(SOURCE, "/p/a.ts", TransformOptions())
    assert result.has_changes
    source_map = result.map()
    assert source_map is not None
    assert source_map.sources == ["/p/a.ts"]
    found = source_map.lookup(*place_of(result.code, word))
    assert found is not None
    assert found[:3] == ("/p/a.ts", *place_of(SOURCE, word))


def test_a_location_within_a_token_maps_to_its_start() -> None:
    result = transform("type T = 1;\n\nthrow new Error('x')", "/p/a.ts", TransformOptions())
    line, column = place_of(result.code, "Error")
    source_map = result.map()
    assert source_map is not None
    assert source_map.lookup(line, column + 3) == source_map.lookup(line, column)
    assert source_map.lookup(line, column)[1] == 3  # type: ignore[index]


def test_generated_code_maps_to_no_wrong_location() -> None:
    result = transform("const d = () => {};\n@d class K { @d m() {} }\nthrow 1", "/p/a.ts", TransformOptions())
    source_map = result.map()
    assert source_map is not None
    assert source_map.lookup(10_000, 1) is None
    assert source_map.lookup(0, 1) is None


def test_it_can_be_written_and_read_again() -> None:
    result = transform(SOURCE, "/p/a.ts", TransformOptions())
    ours = result.map()
    assert ours is not None
    again = SourceMap(ours.to_json())
    place = place_of(result.code, "marker_two")
    assert again.lookup(*place) == ours.lookup(*place)
    assert again.source_content("/p/a.ts") == SOURCE
    assert len(again) == len(ours)


def vlq(number: int) -> str:
    """Encode a number as in mappings."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    rest, text = number << 1, ""
    while rest > 31:
        text, rest = text + digits[rest & 31 | 32], rest >> 5
    return text + digits[rest]


MAP = {"version": 3, "sources": ["../src/x.ts", "webpack:///y.ts"], "names": ["n"], "mappings": "AAAAA;ACCA"}


def test_a_map_beside_the_code(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "x y.js.map").write_text(json.dumps(MAP))
    code = "f()\ng()\n//# sourceMappingURL=x%20y.js.map\n"
    found = SourceMap.of_code(code, str(tmp_path / "dist" / "x.js"))
    assert found is not None
    assert found.lookup(1, 1) == (str(tmp_path / "src" / "x.ts"), 1, 1, "n")
    assert found.lookup(2, 3) == ("webpack:///y.ts", 2, 1, None)


@pytest.mark.parametrize("comment", ["//# sourceMappingURL=", "//@ sourceMappingURL=", "/*# sourceMappingURL="])
def test_a_map_inside_the_code(comment: str) -> None:
    data = "data:application/json;charset=utf-8;base64," + base64.b64encode(json.dumps(MAP).encode()).decode()
    end = " */" if comment.startswith("/*") else ""
    found = SourceMap.of_code(f"f()\n{comment}{data}{end}", "/p/dist/x.js")
    assert found is not None
    assert found.sources == ["/p/src/x.ts", "webpack:///y.ts"]


def test_source_root_and_the_line_against_inclusion() -> None:
    text = ")]}'\n" + json.dumps({**MAP, "sourceRoot": "/root/"})
    assert SourceMap(text.encode()).sources[0] == "/root/../src/x.ts"


@pytest.mark.parametrize(
    "code", ["f()", "//# sourceMappingURL=gone.map", "//# sourceMappingURL=", "//# sourceMappingURL=http://x/y.map",
             "x = 'sourceMappingURL=a'", "//# sourceMappingURL=data:application/json;base64,%%%"],
)  # fmt: skip
def test_code_without_a_readable_map(code: str) -> None:
    assert SourceMap.of_code(code, "/p/x.js") is None


INDEX = {
    "version": 3,
    "sections": [
        {"offset": {"line": 0, "column": 0}, "map": {**MAP, "sourceRoot": "root/", "sourcesContent": ["x", None]}},
        {"offset": {"line": 1, "column": 10}, "map": {**MAP, "sources": ["z.ts", None], "sourcesContent": [None, "y"]}},
        {"offset": {"line": 9, "column": 0}, "url": "elsewhere.map"},
    ],
}


def test_an_index_map_is_one_map(tmp_path: Path) -> None:
    (tmp_path / "x.js.map").write_text(json.dumps(INDEX))
    found = SourceMap.of_code("f()\r\ng()\r\nh()\r\n//# sourceMappingURL=x.js.map\r\n", str(tmp_path / "x.js"))
    assert found is not None
    first = str(tmp_path / "src" / "x.ts")
    assert found.lookup(1, 5) == (first, 1, 1, "n")
    assert found.lookup(2, 3) == ("root/webpack:///y.ts", 2, 1, None)
    assert found.lookup(2, 11) == (str(tmp_path / "z.ts"), 1, 1, "n")
    assert found.lookup(3, 1) is None  # its source has no name
    assert found.source_content(first) == "x"


def test_unused_lists_may_be_wrong() -> None:
    found = SourceMap(
        json.dumps({**MAP, "sources": [None, "b"], "ignoreList": [7], "sourcesContent": [1, "b"]}).encode()
    )
    assert found.lookup(1, 1) is None
    assert found.lookup(2, 1) == ("b", 2, 1, None)


def test_a_pipe_is_not_read_as_a_map(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.map")
    assert SourceMap.of_code("//# sourceMappingURL=x.map", str(tmp_path / "x.js")) is None


@pytest.mark.parametrize(
    ("code", "at", "name"),
    [
        ("'é😀';function h(e){}", "function", "h"), ("async function*h(e){}", "async", "h"), ("h=e=>e", "e=>", "h"), ("let h=async(e)=>e", "async", "h"),
        ("x={h:function(e){}}", "function", "h"), ("x={get h(){}}", "get", "h"), ("class h{constructor(){}}", "constructor", "h"), ("class h extends e{}", "class", "h"),
        ("class q{static async*h(){}}", "static", "h"),
    ],
)  # fmt: skip
def test_the_assigned_name_of_a_function(code: str, at: str, name: str) -> None:
    column = len(code[: code.index(name)].encode("utf-16-le")) // 2
    mappings = f"{vlq(column)}AAAA"
    data = json.dumps({"version": 3, "sources": ["a"], "names": ["original"], "mappings": mappings})
    found = SourceMap.of_code(f"{code}\n//# sourceMappingURL=data:application/json,{quote(data)}", "/p/x.js")
    assert found is not None
    start = len(code[: code.index(at)].encode("utf-16-le")) // 2 + 1
    assert found.function_name(1, start, name) == "original"
    assert found.function_name(1, start, "other") is None
    assert found.function_name(9, start, name) is None


def test_a_parameter_does_not_name_its_function() -> None:
    data = json.dumps({"version": 3, "sources": ["a"], "names": ["event"], "mappings": f"{vlq(11)}AAAA"})
    found = SourceMap.of_code(f"x=function(h){{}}\n//# sourceMappingURL=data:application/json,{quote(data)}", "/p/x.js")
    assert found is not None
    assert found.function_name(1, 3, "h") is None


OUTSIDE = b'{"version":3,"sources":["a"],"names":[],"mappings":"AEAA"}'
BROKEN = [b"", b"{", b"[]", b"null", b'{"version":3}', b'{"version":3,"sources":["a"],"names":[],"mappings":"!!!"}']


@pytest.mark.parametrize(
    "data", [*BROKEN, b"\xff\xfe", b'{"version":3,"sources":[],"names":[],"mappings":"AAgggggggggB"}']
)
def test_invalid_maps_are_rejected(data: bytes) -> None:
    with pytest.raises(ValueError):
        SourceMap(data)


def test_threads_may_ask_for_a_map_at_once() -> None:
    source = "".join(f"type T{n} = 1; f({n} as T{n});\n" for n in range(2_000))
    result = transform(source, "/p/a.ts", TransformOptions())
    with ThreadPoolExecutor(8) as pool:
        maps = list(pool.map(lambda _: result.map(), range(16)))
    assert len({len(found) for found in maps if found is not None}) == 1
