"""node:sqlite and rt:sqlite in a process: lazy loading, closing at exit, garbage collection, workers; localStorage."""

from __future__ import annotations

import subprocess

import js_peers as peers
from rig import Box, executable

LOADED = "require('node:fs').readFileSync('/proc/self/maps', 'utf8').includes('librt_sqlite')"


def output_lines(box: Box, program: str, *words: str) -> list[str]:
    box.write({"a.cjs": f"'use strict';\nconst {{ DatabaseSync }} = require('node:sqlite');\n{program}"})
    result = box.run(*words, "a.cjs")
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout.decode().splitlines()


def test_sqlite_is_loaded_with_the_first_database(box: Box) -> None:
    program = f"console.log({LOADED}); new DatabaseSync(':memory:'); console.log({LOADED});"
    assert output_lines(box, program) == ["false", "true"]


def test_the_end_closes_databases(box: Box) -> None:
    program = """
        const db = new DatabaseSync('file.db');
        db.exec('pragma journal_mode = wal; create table t(a); insert into t values (1)');
        process.on('exit', () => console.log(db.prepare('select * from t').get().a));
    """
    assert output_lines(box, program) == ["1"]
    assert sorted(path.name for path in box.folder.glob("file.db*")) == ["file.db"]


def test_unreferenced_databases_are_closed(box: Box) -> None:
    """Even if its own functions and its authorizer refer to it."""
    program = """
        const descriptors = () => require('node:fs').readdirSync('/proc/self/fd').length;
        const before = descriptors();
        function open() {
          const db = new DatabaseSync('file.db');
          db.function('itself', () => (db.isOpen ? 1 : 0));
          db.aggregate('all', { start: () => db, step: (sum) => sum, result: () => 1 });
          db.prepare('select itself()').iterate().next();
          db.createTagStore().get`select 1`;
          db.setAuthorizer(() => (db.isOpen ? 0 : 1));
        }
        for (let count = 0; count < 200; count++) open();
        const look = () => {
          gc();
          new DatabaseSync(':memory:').close();
          if (descriptors() > before + 100) setTimeout(look, 10);
          else console.log('closed');
        };
        setTimeout(look, 0);
    """
    assert output_lines(box, program, "--expose-gc") == ["closed"]


def test_a_function_may_end_the_program(box: Box) -> None:
    program = """
        const db = new DatabaseSync(':memory:');
        db.function('stop', () => process.exit(0));
        console.log('before');
        db.exec('select stop()');
        console.log('not reached');
    """
    assert output_lines(box, program) == ["before"]


def test_a_worker_has_separate_databases(box: Box) -> None:
    program = """
        const { Worker, isMainThread, parentPort } = require('node:worker_threads');
        const db = new DatabaseSync('file.db', { timeout: 10000 });
        if (isMainThread) {
          db.exec('pragma journal_mode = wal; create table t(a)');
          const insert = db.prepare('insert into t values (?)');
          insert.run('main');
          const worker = new Worker(__filename);
          worker.on('message', (rows) => console.log(JSON.stringify(rows)));
          worker.on('exit', () => console.log(db.prepare('select count(*) n from t').get().n));
        } else {
          db.prepare('insert into t values (?)').run('worker');
          db.function('twice', (x) => x * 2);
          parentPort.postMessage(db.prepare('select a, twice(21) t from t').all());
        }
    """
    rows = '[{"a":"main","t":42},{"a":"worker","t":42}]'
    assert output_lines(box, program) == [rows, "2"]


def test_a_flag_disables_it(box: Box) -> None:
    box.write({"a.cjs": "try { require('node:sqlite'); } catch (error) { console.log(error.code); }"})
    assert box.run("--no-experimental-sqlite", "a.cjs").stdout == b"ERR_UNKNOWN_BUILTIN_MODULE\n"


def test_names_of_rt_and_of_the_peer(box: Box) -> None:
    box.write(
        {
            "a.mjs": """
                import Default, { Database, SQLiteError } from 'rt:sqlite';
                import db, { x } from './b.mjs';
                import imported from './data.sqlite' with { type: 'sqlite' };
                console.log(Default === Database, db === Database, x);
                console.log(imported.query('select a from t').get().a);
                try {
                  imported.query('selec');
                } catch (error) {
                  console.log(error instanceof SQLiteError, error.code);
                }
            """,
            "b.mjs": "export { default } from 'bun:sqlite'; export const x = 1;",
            "c.cjs": """
                const { Database } = require('bun:sqlite');
                const db = new Database('data.sqlite', { create: true });
                db.run("create table t(a); insert into t values ('kept')");
            """,
        }
    )
    assert box.run("c.cjs").returncode == 0
    assert box.run("a.mjs").stdout.decode().splitlines() == ["true true 1", "kept", "true SQLITE_ERROR"]


STORED = """
    localStorage.setItem('a', 'one \u20ac');
    localStorage.b = 2;
    delete localStorage.b;
    console.log(JSON.stringify([localStorage.getItem('a'), localStorage.b, localStorage.key(0), localStorage.length]));
    try {
      localStorage.setItem('large', 'x'.repeat(6 << 20));
    } catch (error) {
      console.log(error.name, error.code, Object.keys(localStorage).join());
    }
"""


def test_local_storage_persists_in_its_file(box: Box) -> None:
    box.write({"a.cjs": STORED, "b.cjs": "console.log(localStorage.a, sessionStorage.length); localStorage.clear();"})
    flag = "--localstorage-file=kept.db"
    lines = ['["one €",null,"a",1]', "QuotaExceededError 22 a"]
    assert box.run(flag, "a.cjs").stdout.decode().splitlines() == lines
    assert sorted(path.name for path in box.folder.glob("kept.db*")) == ["kept.db"]
    assert box.run("--localstorage-file", "kept.db", "b.cjs").stdout.decode() == "one € 0\n"
    assert box.run(flag, "b.cjs").stdout.decode() == "undefined 0\n"


def test_local_storage_is_in_the_form_of_node(box: Box) -> None:
    """Each program reads the file of the other."""
    box.write({"a.cjs": STORED, "b.cjs": "console.log(localStorage.a, localStorage.length)"})
    flag = "--localstorage-file=kept.db"
    commands = [executable(), peers.node()]
    for first, second in (commands, reversed(commands)):
        for program, script in ((first, "a.cjs"), (second, "b.cjs")):
            result = subprocess.run(
                [program, flag, script],
                cwd=box.folder,
                env=box.environment(),
                capture_output=True,
                stdin=subprocess.DEVNULL,
            )
            assert result.returncode == 0, result.stderr.decode()
        assert result.stdout.decode() == "one € 1\n"
        (box.folder / "kept.db").unlink()


def test_a_file_that_cannot_be_opened(box: Box) -> None:
    box.write({"a.cjs": "try { localStorage; } catch (error) { console.log(error.code, error.message); }"})
    said = b"ERR_INVALID_STATE unable to open database file\n"
    assert box.run("--localstorage-file=/nonexistent/x", "a.cjs").stdout == said


def test_an_installed_package_takes_precedence(box: Box) -> None:
    box.write({"a.cjs": "try { require('sqlite'); } catch (error) { console.log(error.code); }"})
    assert box.run("a.cjs").stdout == b"MODULE_NOT_FOUND\n"
