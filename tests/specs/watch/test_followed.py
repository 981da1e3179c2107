"""`--watch`: files that a program loads by ways other than imports of its main thread."""

from __future__ import annotations

import pytest
from rig import Box
from watching import STAYS, Watching, save

READ = "require('fs').readFileSync"


def _expect_restart(box: Box, name: str, *arguments: str) -> None:
    """Assert that a program which prints the text of the file `name` restarts when that changes."""
    watching = Watching(box, "--watch", *arguments)
    watching.read_until("value one")
    text = (box.folder / name).read_text()
    save(box, name, text.replace("value one", "value two"))
    assert f"rt: restarted: {name} changed" in watching.read_until("value two")
    watching.end()


@pytest.mark.parametrize(
    ("main", "job"),
    [
        (
            "const { Worker } = require('worker_threads'); new Worker('./job.cjs').on('message', console.log);",
            "require('worker_threads').parentPort.postMessage(require('./value.cjs'))",
        ),
        (
            "const { Worker } = require('worker_threads'); new Worker('./job.mjs').on('message', console.log);",
            "import value from './value.cjs'; import { parentPort } from 'worker_threads'; parentPort.postMessage(value)",
        ),
        (
            "new Worker(new URL('./job.mjs', 'file://' + __filename)).onmessage = ({ data }) => console.log(data);",
            "import value from './value.cjs'; postMessage(value)",
        ),
        (
            "require('child_process').fork('./job.cjs')",
            "console.log(require('./value.cjs'))",
        ),
        (
            "const c = require('cluster'); c.setupPrimary({ exec: './job.cjs' }); c.fork();",
            "console.log(require('./value.cjs'))",
        ),
        (
            "RT.spawn([process.execPath, './job.cjs'], { ipc() {}, stdout: 'inherit' })",
            "console.log(require('./value.cjs'))",
        ),
    ],
    ids=["CommonJS in a worker", "a module in a worker", "a web worker", "a fork", "a cluster", "RT.spawn"],
)
def test_what_workers_and_forked_children_load(box: Box, main: str, job: str) -> None:
    job_name = "job.mjs" if "job.mjs" in main else "job.cjs"
    box.write({"main.cjs": f"{main}; {STAYS}", job_name: job, "value.cjs": "module.exports = 'value one'"})
    _expect_restart(box, "value.cjs", "main.cjs")


REGISTER_HOOKS = f"""require('module').registerHooks({{ load(url, context, next) {{
  if (!url.endsWith('.quote')) return next(url, context);
  return {{ format: 'module', shortCircuit: true, source: `export default ${{JSON.stringify({READ}(new URL(url), 'utf8'))}}` }};
}} }});"""


@pytest.mark.parametrize(
    "main",
    [
        f"{REGISTER_HOOKS} import('./a.quote').then((it) => console.log(it.default));",
        f"{REGISTER_HOOKS} console.log(require('./a.quote').default);",
        f"require('module')._extensions['.quote'] = (module, path) => {{ module.exports = {READ}(path, 'utf8'); }};"
        " console.log(require('./a.quote'));",
        "require('module').register('./hooks.mjs', 'file://' + __filename); import('./a.quote').then((it) => console.log(it.default));",
        f"RT.plugin({{ setup(build) {{ build.onLoad({{ filter: /quote$/ }}, ({{ path }}) => ({{ exports: {{ default: {READ}(path, 'utf8') }},"
        " loader: 'object' })); } }); import('./a.quote').then((it) => console.log(it.default));",
        "RT.plugin({ setup(build) { build.onResolve({ filter: /quote$/ }, ({ path }) => ({ path: require('path').resolve(path), namespace: 'q' }));"
        f" build.onLoad({{ filter: /./, namespace: 'q' }}, ({{ path }}) => ({{ contents: `export default ${{JSON.stringify({READ}(path, 'utf8'))}}`,"
        " loader: 'js' })); } }); import('./a.quote').then((it) => console.log(it.default));",
    ],
    ids=["an import", "a require", "an extension", "module.register", "a plugin", "a namespace of a plugin"],
)
def test_what_hooks_and_plugins_load(box: Box, main: str) -> None:
    hooks = (
        "import { readFileSync } from 'fs'; export async function load(url, context, next) {"
        " if (!url.endsWith('.quote')) return next(url, context); const text = readFileSync(new URL(url), 'utf8');"
        " return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)}` }; }"
    )
    box.write({"main.cjs": f"{main}; {STAYS}", "a.quote": "value one", "hooks.mjs": hooks})
    _expect_restart(box, "a.quote", "main.cjs")


@pytest.mark.parametrize("depth", [1, 2])
def test_the_bases_of_a_tsconfig(box: Box, depth: int) -> None:
    base = '{"compilerOptions": {"jsxFactory": "value one"}}'
    box.write(
        {
            "tsconfig.json": {"extends": "./shared/base1.json", "compilerOptions": {"jsx": "react"}},
            "shared/base1.json": base if depth == 1 else {"extends": "./base2"},
            "shared/base2.json": base,
            "main.tsx": f"const one = 'value one', two = 'value two', h = {{ one: () => one, two: () => two }}; console.log(<b/>); {STAYS}",
        }
    )
    name = f"shared/base{depth}.json"
    (box.folder / name).write_text('{"compilerOptions": {"jsxFactory": "h.one"}}')
    watching = Watching(box, "--watch", "main.tsx")
    watching.read_until("value one")
    save(box, name, '{"compilerOptions": {"jsxFactory": "h.two"}}')
    watching.read_until("value two")
    watching.end()


def test_a_base_of_a_tsconfig_that_does_not_exist_yet(box: Box) -> None:
    box.write(
        {
            "tsconfig.json": {"extends": "./base", "compilerOptions": {"jsx": "react"}},
            "main.tsx": f"const React = {{ createElement: () => 'value one' }}, two = () => 'value two'; console.log(<b/>); {STAYS}",
        }
    )
    watching = Watching(box, "--watch", "main.tsx")
    watching.read_until("value one")
    save(box, "base.json", '{"compilerOptions": {"jsxFactory": "two"}}')
    watching.read_until("value two")
    watching.end()


@pytest.mark.parametrize(
    "read",
    [
        f"console.log({READ}('a.txt', 'utf8'))",
        f"console.log(String({READ}(Buffer.from('a.txt'))))",
        "require('fs').readFile('a.txt', 'utf8', (_, text) => console.log(text))",
        "require('fs/promises').readFile('a.txt', 'utf8').then(console.log)",
        "require('fs').createReadStream('a.txt').on('data', (data) => console.log(String(data)))",
        "RT.file('a.txt').text().then(console.log)",
    ],
)
def test_files_that_are_read_are_followed_on_request(box: Box, read: str) -> None:
    box.write({"main.cjs": f"{read}; {STAYS}", "a.txt": "value one"})
    _expect_restart(box, "a.txt", "--watch-reads", "main.cjs")


def test_files_that_are_read_are_followed_if_the_config_says_so(box: Box) -> None:
    box.write(
        {
            "rtfig.toml": "[watch]\nreads = true",
            "main.cjs": f"console.log({READ}('a.txt', 'utf8')); {STAYS}",
            "a.txt": "value one",
        }
    )
    _expect_restart(box, "a.txt", "main.cjs")


def test_files_that_are_read_or_written_do_not_restart_a_program_by_themselves(box: Box) -> None:
    """A change of the program itself comes first, although the file that was read changed before."""
    box.write({"main.cjs": f"console.log({READ}('a.txt', 'utf8')); {STAYS}", "a.txt": "value one"})
    watching = Watching(box, "--watch", "main.cjs")
    watching.read_until("value one")
    save(box, "a.txt", "value two")
    save(box, "main.cjs", f"console.log('changed', {READ}('a.txt', 'utf8')); {STAYS}")
    assert watching.read_until("changed value two") == "\nrt: restarted: main.cjs changed\n"
    watching.end()
