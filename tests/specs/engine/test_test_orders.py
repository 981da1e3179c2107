"""`--test` in random order and `--test-rerun-failures`, compared with Node: the same seed gives the same order, the
same state file the same runs.
"""

from __future__ import annotations

import json
import re
import subprocess

import js_peers as peers
import pytest
from rig import Box, executable

ORDER = """
import { test, describe, it } from 'node:test';
for (const name of 'abcde') test(name, () => {});
describe('suite', () => { for (const name of 'wxyz') it(name, () => {}); });
test('parent', async (t) => { for (const name of 'tuv') await t.test(name, () => {}); });
test('crowd', { concurrency: 1 }, async (t) => { await Promise.all([...'klmn'].map((name) => t.test(name, () => {}))); });
"""
FAILING = """
import { test, suite } from 'node:test';
import { appendFileSync } from 'node:fs';
const ran = (name) => appendFileSync('ran', `${name} `);
const good = () => { if (!process.env.GOOD) throw new Error('not yet'); };
test('passes', () => ran('passes'));
test('fails', () => { ran('fails'); good(); });
test('parent', async (t) => {
  await t.test('inner', () => ran('inner'));
  await t.test('inner fails', () => { ran('inner-fails'); good(); });
});
suite('suite', () => { test('first', () => ran('first')); test('second', () => { ran('second'); good(); }); });
for (const name of ['x', 'y']) test(name, () => { ran(name); if (name === 'y') good(); });
"""


def report_lines(box: Box, command: str, *arguments: str, **environment: str) -> tuple[list[str], int]:
    """Return the lines about tests or about the whole run."""
    done = subprocess.run(
        [command, "--test", *arguments],
        cwd=box.folder,
        env={**box.environment(), **environment},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        text=True,
    )
    lines = re.sub(r"\([\d.]+ms\)", "(time)", done.stdout).splitlines()
    marks = re.compile(r"\s*(?:[✔✖▶] |# Subtest: |(?:ℹ|#) (?:Random|tests|suites|pass|fail))")
    end = next((place for place, line in enumerate(lines) if "failing tests" in line), len(lines))
    return [line for line in lines[:end] if marks.match(line)], done.returncode


@pytest.mark.parametrize("isolation", ["process", "none"])
@pytest.mark.parametrize("seed", [0, 42, 4294967295])
def test_a_seed_gives_the_order_that_it_gives_in_node(box: Box, seed: int, isolation: str) -> None:
    box.write({"one.mjs": ORDER, "two.mjs": ORDER.replace("'suite'", "'another'"), "three.mjs": ORDER})
    words = (f"--test-random-seed={seed}", f"--test-isolation={isolation}", "--test-reporter=tap")
    arguments = (*words, "one.mjs", "two.mjs", "three.mjs")
    assert report_lines(box, executable(), *arguments) == report_lines(box, peers.node(), *arguments)


def test_a_random_order_prints_its_seed(box: Box) -> None:
    box.write({"one.mjs": ORDER})
    first, status = report_lines(box, executable(), "--test-randomize", "--test-reporter=tap", "one.mjs")
    assert status == 0
    seeds = [line for line in first if "Random" in line]
    assert len(seeds) == 1
    seed = seeds[0].rpartition(" ")[2]
    assert report_lines(box, executable(), f"--test-random-seed={seed}", "--test-reporter=tap", "one.mjs") == (first, 0)


def test_passed_tests_do_not_run_again(box: Box) -> None:
    outcomes: dict[str, list[object]] = {"rt": [], "node": []}
    for name, command in {"rt": executable(), "node": peers.node()}.items():
        box.write({"a.mjs": FAILING, "ran": ""})
        for environment in ({}, {}, {"GOOD": "1"}, {}):
            arguments = (f"--test-rerun-failures={name}.json", "--test-reporter=spec", "a.mjs")
            outcomes[name].append(report_lines(box, command, *arguments, **environment))
            outcomes[name].append((box.folder / "ran").read_text())
        runs = json.loads((box.folder / f"{name}.json").read_text())
        outcomes[name].append(
            [{place: (test["name"], test["passed_on_attempt"]) for place, test in run.items()} for run in runs]
        )
    assert outcomes["rt"] == outcomes["node"]


def test_either_program_goes_on_where_the_other_has_ended(box: Box) -> None:
    box.write({"a.mjs": FAILING, "ran": ""})
    arguments = ("--test-rerun-failures=state.json", "--test-reporter=spec", "a.mjs")
    report_lines(box, peers.node(), *arguments)
    (box.folder / "ran").write_text("")
    assert report_lines(box, executable(), *arguments, GOOD="1")[1] == 0
    assert (box.folder / "ran").read_text() == "fails inner-fails second y "


def test_conflicting_flags_are_an_error(box: Box) -> None:
    box.write({"one.mjs": ORDER, "broken.json": "x"})
    for words, expected in {
        (
            "--test-random-seed=-1",
        ): b'"--test-random-seed" is out of range. It must be >= 0 && <= 4294967295. Received -1',
        ("--test-random-seed=4294967296",): b"Received 4294967296",
        ("--test-random-seed=1", "--test-rerun-failures=x.json"): b"is not supported with rerun failures mode",
        ("--test-rerun-failures=broken.json",): b"SyntaxError",
    }.items():
        done = box.run("--test", *words, "one.mjs")
        assert (done.returncode, expected in done.stderr) == (1, True), done.stderr
