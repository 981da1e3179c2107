"""Test tags: inheritance, and filter expressions, as under Node 26."""

from __future__ import annotations

import pytest
from rig import Box

FILE = """
const { test, suite } = require('node:test');
suite('data', { tags: ['Db', 'db'] }, () => {
  test('slow one', { tags: ['slow'] }, (t) => { console.log(t.tags.join(), Object.isFrozen(t.tags)); });
  test('quick one', () => {});
});
test('plain', (t) => { console.log(t.tags.length); return t.test('inner', (inner) => { console.log(inner.tags.length); }); });
"""


@pytest.mark.parametrize(
    ("expressions", "chosen"),
    [
        (["db and not slow"], ["quick one"]),
        (["D* && slow"], ["slow one"]),
        (["!(db)"], ["plain"]),
        (["db", "not slow"], ["quick one"]),
        (["slow || nothing and db"], ["slow one"]),
        (["a+b"], []),
    ],
)
@pytest.mark.parametrize("isolation", ["process", "none"])
def test_expressions_choose(box: Box, expressions: list[str], chosen: list[str], isolation: str) -> None:
    box.write({"t.test.cjs": FILE})
    flags = [f"--experimental-test-tag-filter={each}" for each in expressions]
    out = box.run("--test", f"--test-isolation={isolation}", "--test-reporter=tap", *flags).stdout.decode()
    for name in ("slow one", "quick one", "plain"):
        assert (f" - {name}\n" in out) == (name in chosen), out


def test_inheritance_reports_and_rejections(box: Box) -> None:
    box.write(
        {
            "t.test.cjs": FILE,
            "run.mjs": "import { run, test } from 'node:test';\n"
            "for await (const { type, data } of run({ files: ['t.test.cjs'], testTagFilters: 'slow or not db' })) {\n"
            "  if (type === 'test:pass') console.log(data.name, data.tags.join());\n"
            "  if (type === 'test:stdout') process.stdout.write(data.message);\n}\n"
            "for (const tags of [['a b'], ['NOT'], [''], [1], 'a']) {\n"
            "  try { test('x', { tags }, () => {}); } catch (error) { console.log(error.code); }\n}\n"
            "for (const text of ['a b', '(a', 'a &', 'not', '', '|| a', '(']) {\n"
            "  try { run({ testTagFilters: [text] }); } catch (error) { console.log(error.message); }\n}\n"
            "process.exit();\n",
        }
    )
    done = box.run("run.mjs")
    name = "The property 'options.testTagFilters[0]'"
    assert sorted(done.stdout.decode().splitlines()) == sorted(
        [
            *("db,slow true", "0", "0", "slow one db,slow", "data db", "inner ", "plain "),
            *["ERR_INVALID_ARG_VALUE"] * 3,
            *["ERR_INVALID_ARG_TYPE"] * 2,
            f"{name} unexpected token at position 2. Received 'a b'",
            f"{name} expected ')' at position 2. Received '(a'",
            f"{name} unexpected '&' at position 2; use '&&' or 'and'. Received 'a &'",
            f"{name} expected operand after 'not' at position 0. Received 'not'",
            f"{name} must not be empty. Received ''",
            f"{name} unexpected token 'OR' at position 0. Received '|| a'",
            f"{name} unmatched '(' at position 0. Received '('",
        ]
    )
