"""The host interface is the same in production, in the unit tests, in its documentation, and in the TypeScript types."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rt_supervisor import _native
from rt_supervisor.engine_worker.start import bundle

JS = Path(bundle.JS_FOLDER)
STUBS = Path(__file__).parents[4] / "stubs/js"


def documented_members() -> set[str]:
    table = (JS / "README.md").read_text().partition("## The host interface")[2].partition("\n## ")[0]
    cells = [line.replace("\\|", "").split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    names = {re.match(r"[\w.]+", code) for cell in cells for code in re.findall(r"`([^`]+)`", cell)}
    return {match[0] for match in names if match}


def members(text: str) -> set[str]:
    """Return the names before a colon at the indentation of the first member."""
    first = re.search(r"\n( +)\w", text)
    assert first
    return set(re.findall(rf"^{first[1]}(\w+)(?::|,$)", text, re.M))


def implemented_members() -> set[str]:
    body = (JS / "boot/host.js").read_text().partition("entries({")[2]
    own = members(body)
    inner = {f"utf8.{name}" for name in ("encode", "decode", "byteLength", "write")} | {
        f"types.{name}" for name in ("isKeyObject", "isCryptoKey")
    }
    assert all(name.partition(".")[2] in body for name in inner)
    inspect = re.findall(
        r"^  ([a-z]\w+):", (JS / "boot/host_inspect.js").read_text().partition("const inspect = {")[2], re.M
    )
    assert "isLoaded" in (JS / "boot/bootstrap.js").read_text()
    return (
        own - {"utf8", "types", "inspect"}
        | inner
        | {f"inspect.{name}" for name in inspect}
        | {"isLoaded", "hasModule", "loadingDepth", "forgetLoads"}
    )


def test_the_implementation_matches_the_table() -> None:
    assert implemented_members() == documented_members() - {"inspect.creationOrder"}


def test_the_tests_have_the_same_members() -> None:
    text = (Path(__file__).parent / "host.cjs").read_text()
    for name in implemented_members():
        assert re.search(rf"\b{name.rpartition('.')[2]}\b", text), f"host.cjs lacks {name}"


def test_only_the_host_file_adds_members() -> None:
    """Shared parts belong to `internal/parts`, start values to `internal/start_values`."""
    for path in JS.rglob("*.js"):
        found = re.findall(r"\bhost\.(\w+) (?:\?\?)?= ", path.read_text())
        assert found == [], f"{path.relative_to(JS)} sets host.{found}"


def used_members(of: str) -> set[str]:
    names = (re.findall(rf"(?<![\w.']){of}\??\.(\w+)", path.read_text()) for path in JS.rglob("*.js"))
    return {name for each in names for name in each}


def test_every_member_that_is_used_exists() -> None:
    """A misspelt member would silently be `undefined`; `host.vmModulesAreListed` was once read but never set."""
    of_texts = {
        "length",
        "slice",
        "split",
        "shift",
        "indexOf",
        "includes",
        "endsWith",
    }  # names of variables that hold a host
    assert used_members("host") - {name.partition(".")[0] for name in implemented_members()} - of_texts == {"native"}


@pytest.mark.parametrize(("file", "name"), [("parts", "runtimeParts"), ("start_values", "startValues")])
def test_shared_parts_are_listed(file: str, name: str) -> None:
    listed = set(
        re.findall(r"^  (\w+)(?:: (?:undefined|0|'\w*'|false),|\()", (JS / f"internal/{file}.js").read_text(), re.M)
    )
    assert used_members(name) == listed


def body(file: str, interface: str) -> str:
    return (STUBS / file).read_text().partition(f"interface {interface} {{")[2].partition("\n}")[0]


def test_the_declared_host_is_the_one_that_is_made() -> None:
    declared: set[str] = set()
    outer = ""
    for indent, name, rest in re.findall(r"^( +)(?:readonly )?(\w+)\??([:(<].*)", body("globals.d.ts", "Host"), re.M):
        if len(indent) == 2:
            outer = name if rest == ": {" else ""
        declared |= {f"{outer}.{name}" if len(indent) > 2 else name} - {outer}
    inspect = re.findall(r"^  (\w+)\(", body("globals.d.ts", "HostInspect"), re.M)
    declared |= {f"inspect.{name}" for name in inspect}
    assert declared - {"native", "inspect"} == implemented_members()


def test_every_named_host_function_exists() -> None:
    engine = bundle.make_engine(lambda name: None)
    runtime = engine.global_object.get("__rt")
    assert isinstance(runtime, _native.JsObject)
    host = runtime.get("host")
    assert isinstance(host, _native.JsObject)
    native = host.get("native")
    assert isinstance(native, _native.JsObject)
    there = set(native.keys())
    engine.close()
    assert set(re.findall(r"^  (\w+):", body("native.d.ts", "Native"), re.M)) <= there
    for path in JS.rglob("*.js"):
        named = set(re.findall(r"(?<![\w.'])native\.([a-z]\w*)\(", path.read_text()))
        assert named <= there, path.relative_to(JS)
