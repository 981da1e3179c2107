"""`--experimental-test-coverage` compared with Node: covered lines, reported files, the table at every width, lcov."""

from __future__ import annotations

import re
import subprocess

import js_peers as peers
import pytest
from rig import Box, executable

FILES = {
    "src/a.js": """'use strict';
exports.add = function add(a, b) {
  if (a < 0) {
    return 'neg';
  }
  return a + b;
};
exports.unused = () => {
  return 1;
};
/* node:coverage ignore next */
exports.ignored = () => 1;
/* node:coverage disable */
exports.disabled = () => {
  return 3;
};
/* node:coverage enable */
""",
    "src/deep/folder/typed.ts": """import type { Other } from './other.ts';
interface Deep {
  a: 'a' | 'b';
  b?: number;
}

export class Box<T> {
  private value: T;
  constructor(value: T) {
    this.value = value;
  }
  map<U>(fn: (value: T) => U): Box<U> {
    return new Box<U>(fn(this.value));
  }
}

export function pick(deep: Deep, other?: Other): number | undefined {
  if (deep.a === 'a') {
    return deep.b ?? 3;
  }
  return other as unknown as number;
}
""",
    "src/deep/folder/other.ts": "export type Other = { n: number };\n",
    "src/deep/never.mjs": "// one\n\nexport const never = () => 1;\n",
    "node_modules/dep/index.js": "exports.dep = () => 1;\n",
    "test/one.test.mjs": """import test from 'node:test';
import { spawnSync } from 'node:child_process';
import { add } from '../src/a.js';
import { Box, pick } from '../src/deep/folder/typed.ts';
import 'dep';
test('one', () => {
  add(1, 2);
  new Box(1);
  pick({ a: 'a' });
  spawnSync(process.execPath, ['-e', `require('${process.cwd()}/src/a.js').unused()`]);
});
""",
    "test/two.test.mjs": """import test from 'node:test';
import { Box } from '../src/deep/folder/typed.ts';
test('two', () => void new Box(1).map((x) => x));
""",
}
TIMES = re.compile(r"duration_ms:? [\d.]+|\([\d.]+ms\)")
FLAG = "--experimental-test-coverage"


def outcome(box: Box, command: str, *arguments: str, **environment: str) -> tuple[str, int]:
    result = subprocess.run(
        [command, FLAG, *arguments],
        cwd=box.folder,
        env=box.environment() | environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        text=True,
    )
    assert "bug in rt" not in result.stderr
    return TIMES.sub("", result.stdout), result.returncode


@pytest.mark.parametrize(
    "arguments",
    [
        ("--test", "--test-reporter=tap"),
        ("--test", "--test-reporter=spec"),
        ("--test", "--test-reporter=tap", "--test-isolation=none"),
        ("--test", "--test-reporter=lcov", "test/one.test.mjs"),
        ("--test", "--test-reporter=tap", "--test-coverage-include-all", "--test-coverage-include=**/*.{js,mjs}"),
        ("--test", "--test-reporter=tap", "--test-coverage-include=src/**/*.ts", "--test-coverage-include", "node_modules/**"),
        ("--test", "--test-reporter=tap", "--test-coverage-exclude=src/**"),
        ("--test-reporter=tap", "test/one.test.mjs"),
        (
            "--test",
            "--test-reporter=tap",
            "--test-coverage-lines=99",
            "--test-coverage-branches=20",
            "--test-coverage-functions=100",
        ),
    ],
    ids=" ".join,
)  # fmt: skip
def test_reports_the_same_as_node(box: Box, arguments: tuple[str, ...]) -> None:
    box.write(FILES)
    assert outcome(box, executable(), *arguments) == outcome(box, peers.node(), *arguments)


@pytest.mark.parametrize("color", ["0", "1"])
@pytest.mark.parametrize("columns", [30, 55, 70, 90, 300])
def test_the_table_has_the_width_of_nodes(box: Box, columns: int, color: str) -> None:
    many = "".join(f"export function f{index}() {{\n  return 1;\n}}\nlet a{index} = 1;\n" for index in range(30))
    program = f"import 'node:test'; import './some/deep/a-rather-long-file-name.mjs'; process.stdout.columns = {columns}; import {{ test }} from 'node:test'; test('one');\n"
    box.write({"some/deep/a-rather-long-file-name.mjs": many, "run.mjs": program})
    arguments = ("--test-reporter=spec", "run.mjs")
    ours = outcome(box, executable(), *arguments, FORCE_COLOR=color)
    assert ours == outcome(box, peers.node(), *arguments, FORCE_COLOR=color)
    assert "a-rather" in ours[0] or "…" in ours[0]


def test_the_runner_is_measured_only_if_it_runs_the_tests(box: Box) -> None:
    box.write(
        {
            "reporter.mjs": "export default async function* (events) {\n"
            "  for await (const { type, data } of events)\n"
            "    if (type === 'test:coverage') yield data.summary.files.map(({ path }) => path.split('/').pop()).join() + '\\n';\n"
            "}\n",
            "setup.mjs": "export function globalSetup() {}\n",
            "a.test.mjs": "import test from 'node:test';\ntest('a', () => {});\n",
        }
    )
    flags = (
        "--test",
        "--test-coverage-exclude=none",
        "--test-reporter=./reporter.mjs",
        "--test-global-setup=setup.mjs",
    )
    for isolation in ("process", "none"):
        arguments = (*flags, f"--test-isolation={isolation}", "a.test.mjs")
        assert outcome(box, executable(), *arguments) == outcome(box, peers.node(), *arguments)


def test_typescript_can_be_left_out(box: Box) -> None:
    test = "import test from 'node:test';\ntest('a', () => {});\n"
    box.write({"a.test.mjs": test, "b.test.ts": test})
    for flag in ("--no-strip-types", "--no-experimental-strip-types"):
        arguments = ("--test", "--test-reporter=tap", flag)
        ours, status = outcome(box, executable(), *arguments)
        assert (ours, status) == outcome(box, peers.node(), *arguments)
        assert "b.test.ts" not in ours


def test_run_takes_the_same_as_options(box: Box) -> None:
    box.write(FILES)
    program = """import { run } from 'node:test';
const stream = run({ files: ['test/two.test.mjs'], coverage: true, coverageIncludeGlobs: 'src/**', lineCoverage: 100 });
stream.on('test:coverage', ({ nesting, summary }) => {
  const { files, totals, thresholds } = summary;
  const [{ path, functions, branches, lines, ...counts }] = files;
  console.log(JSON.stringify([nesting, path, functions, branches, lines, counts, totals, thresholds]));
});
stream.on('test:summary', ({ success, file }) => file === undefined && console.log(success)).resume();
for (const wrong of [{ lineCoverage: 101 }, { branchCoverage: -1 }, { coverageExcludeGlobs: [1] }])
  try { run({ coverage: true, ...wrong }); } catch (error) { console.log(error.code); }
"""
    box.write({"run.mjs": program})
    seen = [
        subprocess.run([command, "run.mjs"], cwd=box.folder, env=box.environment() | {"NO_COLOR": "1"}, capture_output=True, text=True).stdout
        for command in (executable(), peers.node())
    ]  # fmt: skip
    assert seen[0] == seen[1]
    assert "typed.ts" in seen[0]


def test_the_requested_folder_has_the_counts_too(box: Box) -> None:
    box.write(FILES)
    outcome(box, executable(), "--test", "test/two.test.mjs", NODE_V8_COVERAGE=str(box.folder / "counts"))
    assert any(each.name.startswith("coverage-") for each in (box.folder / "counts").iterdir())
