"""Flags of the transpiler: JSX runtime, definitions, loaders, a missing override."""

from __future__ import annotations

import pytest
from rig import Box

RUNTIMES = {
    "a.tsx": "console.log(<a/>, process.env.NODE_ENV)",
    "node_modules/react/jsx-runtime.js": "exports.jsx = () => 'production'",
    "node_modules/react/jsx-dev-runtime.js": "exports.jsxDEV = () => 'development'",
}


@pytest.mark.parametrize("tsconfig", [None, "preserve", "react-jsx", "react-jsxdev"])
@pytest.mark.parametrize(
    ("flags", "is_requested"),
    [
        ((), False),
        (("--jsx-side-effects",), False),
        (("--jsx-runtime=automatic",), True),
        (("--jsx-runtime", "automatic"), True),
        (("--jsx-import-source=react",), True),
        (("--jsx-factory=h",), True),
        (("--jsx-fragment=F",), True),
    ],
)
def test_flags_about_jsx_mean_production(
    box: Box, flags: tuple[str, ...], is_requested: bool, tsconfig: str | None
) -> None:
    box.write(RUNTIMES)
    if tsconfig is not None:
        box.write({"tsconfig.json": {"compilerOptions": {"jsx": tsconfig}}})
    expected = (
        "production" if tsconfig == "react-jsx" or (is_requested and tsconfig != "react-jsxdev") else "development"
    )
    assert box.run(*flags, "a.tsx").stdout.decode() == f"{expected} undefined\n"


def test_settings_about_jsx_do_not(box: Box) -> None:
    box.write({**RUNTIMES, "rtfig.toml": 'jsxImportSource = "react"'})
    assert box.run("a.tsx").stdout == b"development undefined\n"


@pytest.mark.parametrize(
    ("definition", "printed"),
    [("X:1", "1"), ("X=1", "1"), ('X={"a":1}', '{"a":1}'), ('X:{"a":"="}', '{"a":"="}'), ('X="a:b"', '"a:b"')],
)
def test_a_definition_is_split_at_its_first_separator(box: Box, definition: str, printed: str) -> None:
    box.write({"a.js": "console.log(JSON.stringify(X))"})
    assert box.run("--define", definition, "a.js").stdout.decode() == f"{printed}\n"


@pytest.mark.parametrize(
    ("loader", "text"), [("yaml", "a: 1"), ("json5", "{a: 1}"), ("jsonc", '{"a": 1, /* */}'), ("toml", "a = 1"), ("json", '{"a":1}')]
)  # fmt: skip
@pytest.mark.parametrize("program", ["import x from './d.foo'; {}", "const x = require('./d.foo'); {}"])
def test_loaders_of_data(box: Box, loader: str, text: str, program: str) -> None:
    box.write({"d.foo": text, "a.ts": program.format("console.log(JSON.stringify(x))")})
    assert box.run("--loader", f".foo:{loader}", "a.ts").stdout == b'{"a":1}\n'


def test_an_override_that_is_not_there(box: Box) -> None:
    box.write({"a.ts": "console.log(1)"})
    done = box.run("--tsconfig-override", "no/such.json", "a.ts")
    assert done.stderr.decode() == f'error: Cannot find tsconfig file "{box.folder}/no/such.json"\n'
    assert (done.stdout, done.returncode) == (b"", 1)
