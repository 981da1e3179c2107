"""How packages find and build their native addons: with the loaders of npm packages, in workers, and with only a
compiler.

`sqlite3` downloads a prebuilt addon; without a network its users build it, which is done here as in its own build,
with the headers of Node 26. Built addons are cached for the next run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import js_peers as peers
import pytest
from npm_packages import packages
from rig import Box

__all__ = ["packages"]
VERSIONS = {
    "sqlite3": "6.0.1",
    "knex": "3.3.0",
    "nan": "2.30.0",
    "node-addon-api": "8.9.2",
    "bindings": "1.5.0",
    "node-gyp-build": "4.8.4",
    "detect-libc": "2.1.2",
    "@mapbox/node-pre-gyp": "2.0.3",
}
SQLITE = (
    "SQLITE_THREADSAFE=1",
    "HAVE_USLEEP=1",
    "SQLITE_ENABLE_FTS5",
    "SQLITE_ENABLE_RTREE",
    "SQLITE_ENABLE_MATH_FUNCTIONS",
)
PLAIN = """
    #include <node_api.h>
    NAPI_MODULE_INIT() { napi_value made; napi_create_int32(env, 3, &made); napi_set_named_property(env, exports, "three", made); return exports; }
"""


@pytest.fixture(scope="module")
def headers() -> Path:
    """Return the folder with node_api.h, uv.h and v8.h, or skip the test."""
    found = Path(os.path.realpath(peers.node())).parents[1] / "include" / "node"
    if not (found / "uv.h").exists():
        pytest.skip("Node 26 is here without its headers")
    return found


def compile_addon(target: Path, sources: list[Path], *flags: str) -> Path:
    compiler = shutil.which("c++" if sources[0].suffix == ".cc" else "cc")
    if compiler is None:
        pytest.skip("no compiler (cc and c++ on PATH)")
    new = target.with_suffix(".new")
    subprocess.run([compiler, "-shared", "-fPIC", "-w", *flags, "-o", str(new), *map(str, sources)], check=True)
    new.rename(target)
    return target


@pytest.fixture(scope="module")
def addon(tmp_path_factory: pytest.TempPathFactory, headers: Path) -> Path:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "plain.c").write_text(PLAIN)
    return compile_addon(folder / "plain.node", [folder / "plain.c"], f"-I{headers}")


@pytest.fixture
def installed(box: Box, packages: Path) -> Box:
    (box.folder / "node_modules").mkdir()
    for package in packages.iterdir():
        os.symlink(package, box.folder / "node_modules" / package.name)
    return box


@pytest.fixture(scope="module")
def node_sqlite3(packages: Path, headers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rt-test-addons"
    kept = cache / f"node_sqlite3-{VERSIONS['sqlite3']}.node"
    if kept.exists():
        return kept
    cache.mkdir(parents=True, exist_ok=True)
    work = tmp_path_factory.mktemp("sqlite3")
    package = packages / "sqlite3"
    (archive,) = (package / "deps").glob("sqlite-autoconf-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(work, filter="data")
    (amalgamation,) = work.glob("*/sqlite3.c")
    defines = [f"-D{name}" for name in SQLITE]
    subprocess.run(
        ["cc", "-c", "-O0", "-fPIC", "-w", *defines, "-o", "sqlite3.o", str(amalgamation)], cwd=work, check=True
    )
    sources = [package / "src" / f"{name}.cc" for name in ("node_sqlite3", "backup", "database", "statement")]
    include = [f"-I{folder}" for folder in (headers, packages / "node-addon-api", amalgamation.parent)]
    own = ["-DNAPI_VERSION=8", "-DNAPI_DISABLE_CPP_EXCEPTIONS=1", "-std=c++17", "-O0"]
    return compile_addon(kept, sources, *include, *own, *defines, str(work / "sqlite3.o"))


def printed_alike(box: Box, *arguments: str) -> str:
    theirs = subprocess.run([peers.node(), *arguments], cwd=box.folder, capture_output=True, text=True, timeout=120)
    assert theirs.returncode == 0, theirs.stderr
    ours = box.run(*arguments)
    assert (ours.returncode, ours.stderr.decode(), ours.stdout.decode()) == (0, "", theirs.stdout)
    return theirs.stdout


def test_sqlite3_and_knex(installed: Box, packages: Path, node_sqlite3: Path) -> None:
    release = packages / "sqlite3" / "build" / "Release"  # knex, which is a link, looks for it beside itself
    release.mkdir(parents=True, exist_ok=True)
    shutil.copy(node_sqlite3, release / "node_sqlite3.node")
    installed.write({
        "a.cjs": """
            const sqlite3 = require('sqlite3').verbose();
            const db = new sqlite3.Database(':memory:');
            db.serialize(() => {
                db.run('create table t (a integer, b text, c blob)');
                const insert = db.prepare('insert into t values (?, ?, ?)');
                for (let index = 0; index < 3; index++) insert.run(index, `row ${index}`, Buffer.from([index]));
                insert.finalize();
                db.each('select * from t order by a', (error, row) => console.log(JSON.stringify(row)), (error, count) => console.log(count));
                db.all('select * from missing', (error) => console.log(error.code, error.errno, error.message));
                db.get('select sum(a) as sum from t', (error, row) => console.log(row.sum));
            });
            db.close(async () => {
                const knex = require('knex')({ client: 'sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true });
                await knex.schema.createTable('users', (table) => { table.increments('id'); table.string('name'); });
                await knex('users').insert([{ name: 'a' }, { name: 'b' }]);
                await knex.transaction((inside) => inside('users').where('id', 1).update({ name: 'c' }));
                console.log(JSON.stringify(await knex('users').select()));
                await knex('nothing').select().catch((error) => console.log(error.code));
                await knex.destroy();
            });
        """,
    })  # fmt: skip
    lines = printed_alike(installed, "a.cjs").splitlines()
    assert "SQLITE_ERROR 1 SQLITE_ERROR: no such table: missing" in lines
    assert '[{"id":1,"name":"c"},{"id":2,"name":"b"}]' in lines


def test_layouts(installed: Box, addon: Path) -> None:
    """Those of prebuildify, node-gyp and node-pre-gyp, and a package for each platform."""
    places = {
        "by-runtime": "prebuilds/linux-x64/node.napi.node",
        "by-libc": "prebuilds/linux-x64/by-libc.glibc.node",
        "by-abi": "prebuilds/linux-x64/node.abi147.node",
        "compiled": "build/Release/plain.node",
        "debug": "build/Debug/plain.node",
        "pre-gyp": "lib/napi-v8-linux-glibc-x64/plain.node",
        "platform-linux-x64-gnu": "plain.node",
    }
    folder = installed.folder / "node_modules"
    for name, place in places.items():
        target = folder / name / place
        target.parent.mkdir(parents=True)
        shutil.copy(addon, target)
    wrong = {"by-libc/prebuilds/linux-x64/by-libc.musl.node": "wrong", "platform-linux-x64-musl/plain.node": "wrong"}
    prebuilt = "module.exports = require('node-gyp-build')(__dirname)"
    bound = "module.exports = require('bindings')('plain')"
    binary = '{"module_name": "plain", "module_path": "./lib/napi-v{napi_build_version}-{platform}-{libc}-{arch}", '
    binary += '"remote_path": "{napi_build_version}", "host": "https://example.invalid", "napi_versions": [3, 8]}'
    installed.write({f"node_modules/{name}": text for name, text in wrong.items()})
    installed.write({
        **{f"node_modules/{name}/index.js": prebuilt for name in ("by-runtime", "by-libc", "by-abi")},
        **{f"node_modules/{name}/{file}": text for name in ("compiled", "debug") for file, text in (("index.js", bound), ("package.json", "{}"))},
        "node_modules/pre-gyp/package.json": f'{{"name": "pre-gyp", "version": "1.0.0", "main": "index.js", "binary": {binary}}}',
        "node_modules/pre-gyp/index.js": """
            const { find } = require('@mapbox/node-pre-gyp');
            module.exports = require(find(require('node:path').join(__dirname, 'package.json')));
        """,
        **{f"node_modules/platform-linux-x64-{libc}/package.json": '{"main": "plain.node"}' for libc in ("gnu", "musl")},
        "node_modules/platform/index.js": """
            const { glibcVersionRuntime } = process.report.getReport().header;
            module.exports = require(`platform-${process.platform}-${process.arch}-${glibcVersionRuntime ? 'gnu' : 'musl'}`);
        """,
        "a.cjs": """
            for (const name of ['by-runtime', 'by-libc', 'by-abi', 'compiled', 'debug', 'pre-gyp', 'platform']) console.log(name, require(name).three);
            const { familySync, versionSync, isNonGlibcLinuxSync } = require('detect-libc');
            console.log(familySync(), versionSync(), isNonGlibcLinuxSync());
            const { header, sharedObjects } = process.report.getReport();
            console.log(header.glibcVersionRuntime, /^2[.][0-9]+$/.test(header.glibcVersionCompiler));
            console.log(sharedObjects.some((file) => file.includes('libc.so.6')), sharedObjects.some((file) => file.includes('musl')));
        """,
        "b.mjs": """
            for (const name of ['by-runtime', 'compiled', 'platform']) console.log((await import(name)).default.three);
        """,
    })  # fmt: skip
    assert printed_alike(installed, "a.cjs").count(" 3\n") == 7
    assert printed_alike(installed, "b.mjs") == "3\n3\n3\n"


def test_workers_and_their_flags(box: Box, addon: Path) -> None:
    shutil.copy(addon, box.folder / "plain.node")
    box.write({
        "node_modules/choice/package.json": '{"exports": {"node-addons": "./with.js", "default": "./without.js"}}',
        "node_modules/choice/with.js": "module.exports = 'with'",
        "node_modules/choice/without.js": "module.exports = 'without'",
        "a.cjs": """
            const { Worker, isMainThread, parentPort } = require('node:worker_threads');
            const NODE_OPTIONS = '--no-addons';
            const all = [{}, { execArgv: ['--no-addons'] }, { execArgv: ['--no-addons', '--addons'] }, { env: { NODE_OPTIONS } },
                { env: { NODE_OPTIONS }, execArgv: ['--addons'] }, { env: { NODE_OPTIONS }, execArgv: [] }];
            async function main() {
                for (const options of all)
                    await new Promise((resolve) => {
                        new Worker(__filename, options).on('message', (reported) => console.log(JSON.stringify(options), reported)).on('exit', resolve);
                    });
            }
            if (isMainThread) return void main();
            let reported;
            try { reported = require('./plain.node').three; } catch (error) { reported = error.code; }
            parentPort.postMessage(`${reported} ${require('choice')}`);
        """,
    })  # fmt: skip
    assert printed_alike(box, "a.cjs").count("ERR_DLOPEN_DISABLED without") == 3


def test_an_addon_of_nan(installed: Box, headers: Path, packages: Path) -> None:
    source = installed.folder / "old.cc"
    source.write_text("""
        #include <nan.h>
        NAN_METHOD(Three) { info.GetReturnValue().Set(3); }
        NAN_MODULE_INIT(Init) { Nan::SetMethod(target, "three", Three); }
        NODE_MODULE(old, Init)
    """)
    compile_addon(installed.folder / "old.node", [source], "-std=c++20", f"-I{headers}", f"-I{packages / 'nan'}")
    installed.write({
        "a.cjs": """
            const { Worker, isMainThread } = require('node:worker_threads');
            const ways = [() => require('./old.node'), () => require('./old.node'), () => process.dlopen({ exports: {} }, `${__dirname}/old.node`),
                () => require('node:module').createRequire(__filename)('./old.node')];
            for (const way of ways) try { way(); } catch (error) { console.log(error.code, error.message.replaceAll(__dirname, '')); }
            if (isMainThread) new Worker(__filename).on('exit', (status) => console.log('over', status));
        """,
    })  # fmt: skip
    done = installed.run("a.cjs")
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr, lines[-1], len(lines)) == (0, b"", "over 0", 9)
    (reported,) = set(lines[:-1])
    assert reported.startswith("ERR_DLOPEN_FAILED /old.node needs _ZN")
    assert "built on Node-API alone" in reported
