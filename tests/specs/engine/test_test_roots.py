"""Code around all tests of a program: set-up, hooks of preloaded files, and reports about plans and expectations."""

from __future__ import annotations

from rig import Box


def test_global_setup_of_a_program_run_directly(box: Box) -> None:
    box.write(
        {
            "setup.mjs": "export const globalSetup = () => console.log('SETUP');"
            "export const globalTeardown = () => console.log('TEARDOWN');",
            "a.mjs": "import { test } from 'node:test'; test('inside', () => console.log('TEST'));",
        }
    )
    done = box.run("--test-global-setup=setup.mjs", "--test-reporter=tap", "a.mjs")
    assert [line for line in done.stdout.decode().splitlines() if line.isupper()] == ["SETUP", "TEST", "TEARDOWN"]
    assert done.returncode == 0


def test_hooks_of_an_imported_file_are_of_the_run_of_all_files(box: Box) -> None:
    box.write(
        {
            "hooks.mjs": "import { before, beforeEach, after } from 'node:test';"
            "before(() => console.log('BEFORE')); beforeEach(() => console.log('EACH')); after(() => console.log('AFTER'));",
            "a.test.mjs": "import { test } from 'node:test'; test('a', () => console.log('A'));",
            "b.test.mjs": "import { test } from 'node:test'; test('b', () => console.log('B'));",
        }
    )
    words = (
        "--import",
        "./hooks.mjs",
        "--test",
        "--test-isolation=none",
        "--test-reporter=tap",
        "a.test.mjs",
        "b.test.mjs",
    )
    done = box.run(*words)
    lines = done.stdout.decode().splitlines()
    assert [line for line in lines if line.isupper()] == ["BEFORE", "EACH", "A", "EACH", "B", "AFTER"]
    assert "# tests 2" in lines


def test_a_last_hook_may_close_what_keeps_the_program(box: Box) -> None:
    box.write(
        {
            "a.mjs": """
                import { before, after, test } from 'node:test';
                import { createServer } from 'node:http';
                const server = createServer();
                before(() => new Promise((resolve) => server.listen(0, resolve)));
                after(() => { server.close(); console.log('CLOSED'); });
                test('one', () => {});
            """
        }
    )
    done = box.run("--test-reporter=tap", "a.mjs")
    assert (done.returncode, done.stdout.count(b"CLOSED")) == (0, 1)


def test_a_plan_as_an_option_and_errors_that_are_named_badly(box: Box) -> None:
    box.write(
        {
            "a.mjs": """
                import { test } from 'node:test';
                test('too few', { plan: 1 }, () => {});
                test('enough', { plan: 1 }, (t) => t.assert.ok(true));
                const fails = () => { throw Object.assign(new Error('boom'), { code: 'E' }); };
                test('labelled', { expectFailure: { label: 'why', match: { code: 'E' } } }, fails);
                test('mixed', { expectFailure: { label: 'why', code: 'E' } }, fails);
            """
        }
    )
    lines = box.run("--test-reporter=tap", "a.mjs").stdout.decode().splitlines()
    points = [line.partition(" #")[0] for line in lines if line.startswith(("ok", "not ok"))]
    assert points == ["not ok 1 - too few", "ok 2 - enough", "ok 3 - labelled", "not ok 4 - mixed"]
