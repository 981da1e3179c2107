"""`--hot`: the main module and what it imports run again in the same process, or a module that accepts the change."""

from __future__ import annotations

import http.client
import signal

import pytest
from rig import Box
from watching import Watching, save


def test_the_main_module_and_what_it_imports_run_again(box: Box) -> None:
    box.write(
        {
            "a.ts": "import { v } from './v'; import { other } from './other'; globalThis.runs = (globalThis.runs ?? 0) + 1;\n"
            "console.log(`main ${v} ${other} ${globalThis.runs} ${import.meta.hot.data.kept}`);\n"
            "import.meta.hot.dispose((data) => { data.kept = globalThis.runs; console.log('disposed'); });",
            "v.ts": "export const v: string = 'v1';",
            "other.ts": "console.log('other runs'); export const other = 'o';",
        }
    )
    hot = Watching(box, "--hot", "a.ts")
    hot.read_until("other runs\nmain v1 o 1 undefined\n")
    save(box, "v.ts", "export const v: string = 'v2';")
    assert hot.read_until("main v2 o 2 1\n") == "rt: reloaded: v.ts changed\ndisposed\nother runs\n"
    save(box, "a.ts", "import { v } from './v'; import { other } from './other'; console.log(`changed ${v} ${other}`);")
    assert hot.read_until("changed v2 o\n") == "rt: reloaded: a.ts changed\ndisposed\nother runs\n"
    assert hot.end() == -signal.SIGTERM


def test_packages_and_dynamic_imports_run_again_but_preloads_do_not(box: Box) -> None:
    box.write(
        {
            "node_modules/dep/package.json": {"name": "dep"},
            "node_modules/dep/index.js": "console.log('dep runs'); require('./inner.js');",
            "node_modules/dep/inner.js": "console.log('inner runs');",
            "pre.ts": "console.log('pre runs');",
            "late.ts": "console.log('late runs'); export {};",
            "a.ts": "import 'dep'; await import('./late'); console.log('main 1');",
        }
    )
    hot = Watching(box, "--preload", "./pre.ts", "--hot", "a.ts")
    assert hot.read_until("main 1\n") == "pre runs\ndep runs\ninner runs\nlate runs\n"
    save(box, "a.ts", "import 'dep'; await import('./late'); console.log('main 2');")
    assert hot.read_until("main 2\n") == "rt: reloaded: a.ts changed\ndep runs\ninner runs\nlate runs\n"
    hot.end()


PLUGIN = """RT.plugin({ name: 'notes', setup(build) {
  build.onLoad({ filter: /\\.note$/ }, ({ path }) => ({
    contents: `${process.env.KIND === 'require' ? 'module.exports =' : 'export default'} ${JSON.stringify(require('fs').readFileSync(path, 'utf8'))}`,
    loader: 'js',
  }));
} });"""
HOOKS = """require('module').registerHooks({ load(url, context, next) {
  if (!url.endsWith('.note')) return next(url, context);
  const source = `export default ${JSON.stringify(require('fs').readFileSync(new URL(url), 'utf8'))}`;
  return { format: 'module', shortCircuit: true, source };
} });"""


@pytest.mark.parametrize(
    ("preload", "main"),
    [
        (PLUGIN, "import note from './a.note'; console.log(`note ${note}.`)"),
        (PLUGIN, "const { default: note } = await import('./a.note'); console.log(`note ${note}.`)"),
        (PLUGIN, "console.log(`note ${require('./a.note').default}.`)"),
        (HOOKS, "import note from './a.note'; console.log(`note ${note}.`)"),
    ],
)
def test_a_file_that_a_plugin_or_a_hook_loads_is_read_again(box: Box, preload: str, main: str) -> None:
    box.write({"pre.cjs": preload, "a.ts": main, "a.note": "one"})
    hot = Watching(box, "--preload", "./pre.cjs", "--hot", "a.ts")
    hot.read_until("note one.\n")
    save(box, "a.note", "two")
    hot.read_until("note two.\n")
    save(box, "a.note", "three")
    hot.read_until("note three.\n")
    hot.end()


def test_a_failed_load_leaves_the_old_modules_running(box: Box) -> None:
    box.write(
        {
            "a.ts": "import { v } from './v'; let n = 0; globalThis.timer ??= setInterval(() => globalThis.tick(), 5);\n"
            "globalThis.tick = () => { if (n++ === 0) console.log(`ticks ${v}`); };",
            "v.ts": "export const v = 1",
        }
    )
    hot = Watching(box, "--hot", "a.ts")
    hot.read_until("ticks 1\n")
    save(box, "v.ts", "export const v = ;")
    hot.read_until("v.ts:1:18")
    save(box, "v.ts", "import './gone'; export const v = 2;")
    hot.read_until("Cannot find module './gone'")
    save(box, "v.ts", "export const w = 2;")
    hot.read_until("does not provide an export named 'v'")
    save(box, "v.ts", "export const v = 3;")
    hot.read_until("ticks 3\n")
    hot.end()


@pytest.mark.parametrize("name", ["tsconfig.json", "base.json"])
def test_a_changed_tsconfig_transpiles_files_again(box: Box, name: str) -> None:
    settings = '{"compilerOptions": {"jsx": "react", "jsxFactory": "one"}}'
    box.write(
        {"tsconfig.json": settings if name == "tsconfig.json" else {"extends": "./base.json"}, "base.json": settings}
    )
    box.write(
        {"a.tsx": "import './b';", "b.tsx": "const one = () => 'one', two = () => 'two'; console.log(<a/>, '.');"}
    )
    hot = Watching(box, "--hot", "a.tsx")
    hot.read_until("one .\n")
    save(box, name, settings.replace("one", "two"))
    hot.read_until("two .\n")
    hot.end()


def test_an_error_while_running_is_mended_by_saving(box: Box) -> None:
    box.write({"a.ts": "throw new Error('at first')"})
    hot = Watching(box, "--hot", "a.ts")
    hot.read_until("error: at first")
    save(box, "a.ts", "Promise.reject(new Error('then'))")
    hot.read_until("error: then")
    save(box, "a.ts", "console.log('mended')")
    hot.read_until("mended\n")
    hot.end()


def test_commonjs(box: Box) -> None:
    box.write(
        {
            "a.cjs": "const { v } = require('./v.cjs'); require('./again.cjs'); globalThis.n = (globalThis.n ?? 0) + 1; console.log(`main ${v} ${globalThis.n}`)",
            "v.cjs": "exports.v = 1",
            "again.cjs": "console.log('again')",
        }
    )
    hot = Watching(box, "--hot", "a.cjs")
    hot.read_until("again\nmain 1 1\n")
    save(box, "v.cjs", "exports.v = 2")
    hot.read_until("again\nmain 2 2\n")
    hot.end()


def test_a_module_that_accepts_itself_or_a_dependency(box: Box) -> None:
    box.write(
        {
            "a.ts": "import './self'; import { d } from './dep'; console.log(`main ${d}`);\n"
            "import.meta.hot.accept('./dep', (next) => console.log(`accepted ${next.d}`));",
            "self.ts": "console.log('self 1'); import.meta.hot.accept((next) => console.log(`self accepted ${next.x}`)); export const x = 1;",
            "dep.ts": "export const d = 1",
        }
    )
    hot = Watching(box, "--hot", "a.ts")
    hot.read_until("self 1\nmain 1\n")
    save(box, "self.ts", "console.log('self 2'); import.meta.hot.accept(); export const x = 2;")
    hot.read_until("self 2\nself accepted 2\n")
    save(box, "dep.ts", "export const d = 2")
    hot.read_until("accepted 2\n")
    save(box, "a.ts", "console.log('whole')")
    assert "main" not in hot.read_until("whole\n")
    hot.end()


def test_memory_stays_flat(box: Box) -> None:
    """Old modules and their code are collected: 150 reloads of a module that holds a megabyte."""
    source = "const held = new Uint8Array(1e6).fill({n}); globalThis.gc(); if ({n} % 50 === 0) console.log('at {n} ' + Math.round(process.memoryUsage().rss / 1e6)); console.log('ran {n}.', held[5]);"
    box.write({"a.ts": "import './big'; ", "big.ts": source.replace("{n}", "0")})
    hot = Watching(box, "--hot", "--expose-gc", "a.ts")
    hot.read_until("ran 0.")
    sizes = []
    for number in range(1, 151):
        save(box, "big.ts", source.replace("{n}", str(number)))
        if number % 50 == 0:
            hot.read_until(f"at {number} ")
            sizes.append(int(hot.read_until("\n")))
        hot.read_until(f"ran {number}.")
    assert sizes[-1] < sizes[0] + 30, f"resident megabytes: {sizes}"
    hot.end()


SERVER = """import { v } from './v';
const server = RT.serve({ port: 0, fetch: () => new Response(`fetched ${v}`) });
const other = RT.serve({ port: 0, fetch: () => new Response(`other ${v}`) });
console.log(`at ${server.port} ${other.port} ${server !== other}`);
"""


def test_a_server_keeps_its_socket_and_its_connections(box: Box) -> None:
    box.write({"a.ts": SERVER, "v.ts": "export const v = 1"})
    hot = Watching(box, "--hot", "a.ts")
    hot.read_until("at ")
    place = hot.read_until("\n")
    port, other, are_two = place.split()
    assert are_two == "true"
    connections = [http.client.HTTPConnection("127.0.0.1", int(each), timeout=60) for each in (port, other)]
    for connection in connections:
        connection.connect()
    sockets = [connection.sock for connection in connections]
    for version in (1, 2, 3):
        if version > 1:
            save(box, "v.ts", f"export const v = {version}")
            hot.read_until(f"at {place}\n")
        for connection, name in zip(connections, ("fetched", "other"), strict=True):
            connection.request("GET", "/")
            assert connection.getresponse().read().decode() == f"{name} {version}"
    assert [connection.sock for connection in connections] == sockets
    hot.end()
    for connection in connections:
        connection.close()
