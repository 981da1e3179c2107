"""Packages from npm with native addons, unmodified (docs/npm-packages.md): their main functions work under rt."""

from __future__ import annotations

from npm_packages import installed, packages
from rig import Box

__all__ = ["installed", "packages"]
VERSIONS = {
    "rollup": "4.68.7",
    "lightningcss": "1.33.0",
    "@swc/core": "1.16.22",
    "@swc/cli": "0.8.1",
    "@tailwindcss/oxide": "4.3.5",
    "@tailwindcss/cli": "4.3.5",
    "tailwindcss": "4.3.5",
    "@parcel/watcher": "2.6.0",
    "sharp": "0.35.5",
    "bcrypt": "6.0.0",
    "@node-rs/xxhash": "1.7.8",
    "@node-rs/argon2": "2.2.1",
    "oxlint": "1.94.0",
    "@rspack/core": "2.3.2",
    "libsql": "0.5.29",
}


def output(box: Box, *arguments: str, status: int = 0) -> str:
    done = box.run(*arguments)
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode()


def output_of(box: Box, source: str) -> str:
    box.write({"a.mjs": source})
    return output(box, "a.mjs")


def test_rollup(installed: Box) -> None:
    installed.write({
        "in.mjs": "import { used } from './lib.mjs'; console.log(used);",
        "lib.mjs": "export const used = 1; export const unused = 2;",
        "rollup.config.mjs": "export default { input: 'in.mjs', output: { file: 'out.js', format: 'cjs' } };",
    })  # fmt: skip
    output(installed, "node_modules/rollup/dist/bin/rollup", "-c")
    made = (installed.folder / "out.js").read_text()
    assert "const used = 1;" in made
    assert "unused" not in made
    assert output(installed, "out.js") == "1\n"


def test_lightningcss(installed: Box) -> None:
    source = """
        import { transform } from 'lightningcss';
        const made = transform({
            filename: 'a.css', minify: true, sourceMap: true, code: Buffer.from('.a { color: #ff0000; .b { margin: 0px } }'),
            visitor: { Length: ({ value, unit }) => ({ unit, value: value * 2 }) }, targets: { chrome: 95 << 16 },
        });
        console.log(made.code.toString(), made.map instanceof Uint8Array);
        try { transform({ filename: 'b.css', code: Buffer.from('.a { color: ') , minify: true }); }
        catch (error) { console.log(error.name, error.fileName, error.loc.line); }
        try { transform({ filename: 'b.css', code: Buffer.from('.a {}}}') }); } catch (error) { console.log(error.name, error.fileName, error.loc.line); }
    """
    lines = output_of(installed, source).splitlines()
    assert lines[0] == ".a{color:red}.a .b{margin:0} true"
    assert lines[-1] == "SyntaxError b.css 1"


def test_swc(installed: Box) -> None:
    source = """
        import { transform, transformSync, minify } from '@swc/core';
        const options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } };
        console.log((await transform('let a: number = 1; export default a', options)).code.trim());
        console.log(transformSync('enum E { A }', options).code.includes('E["A"] = 0'));
        console.log((await minify('let foo = 1 + 2; console.log(foo)')).code);
        await transform('let let = 1 ?', options).catch((error) => console.log(error instanceof Error));
    """
    assert output_of(installed, source) == "let a = 1;\nexport default a;\ntrue\nlet foo=3;console.log(foo);\ntrue\n"
    installed.write({"b.js": "const f = (x) => x ?? 1;"})
    assert "function" in output(installed, "node_modules/@swc/cli/bin/swc.js", "b.js")


def test_tailwind(installed: Box) -> None:
    source = """
        import { Scanner } from '@tailwindcss/oxide';
        console.log(new Scanner({ sources: [] }).scanFiles([{ content: '<div class="p-4 flex">', extension: 'html' }]).join());
    """
    assert output_of(installed, source) == "class,flex,p-4\n"
    installed.write(
        {"in.css": "@import 'tailwindcss/utilities'; @source './page.html';", "page.html": '<b class="flex">'}
    )
    output(installed, "node_modules/@tailwindcss/cli/dist/index.mjs", "-i", "in.css", "-o", "out.css")
    assert "display: flex" in (installed.folder / "out.css").read_text()


def test_parcel_watcher(installed: Box) -> None:
    source = """
        import watcher from '@parcel/watcher';
        import fs from 'node:fs';
        fs.mkdirSync('watched');
        const { promise, resolve } = Promise.withResolvers();
        const subscription = await watcher.subscribe(fs.realpathSync('watched'), (error, events) => resolve(error ?? events));
        fs.writeFileSync('watched/a.txt', 'text');
        for (const { type, path } of await promise) console.log(type, path.split('/').pop());
        await subscription.unsubscribe();
    """
    assert output_of(installed, source) == "create a.txt\n"


def test_sharp(installed: Box) -> None:
    source = """
        import sharp from 'sharp';
        const made = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#f00' } }).resize(5).png().toBuffer();
        const { format, width, height } = await sharp(made).metadata();
        const pixels = await sharp(made).raw().toBuffer();
        console.log(format, width, height, [...pixels.subarray(0, 3)].join());
        await sharp(Buffer.from('no image')).metadata().catch((error) => console.log(error.message));
    """
    reported = "Input buffer contains unsupported image format"
    assert output_of(installed, source) == f"png 5 3 255,0,0\n{reported}\n"


def test_hashes(installed: Box) -> None:
    source = """
        import bcrypt from 'bcrypt';
        import { hash, verify } from '@node-rs/argon2';
        import { xxh32, xxh64, xxh3 } from '@node-rs/xxhash';
        const hashed = await bcrypt.hash('secret', 4);
        console.log(await bcrypt.compare('secret', hashed), bcrypt.compareSync('other', hashed));
        console.log(await verify(await hash('secret'), 'secret'));
        console.log(xxh32('hi'), xxh64('hi'), xxh3.Xxh3.withSeed().update('hi').digest());
        await bcrypt.hash(5, 4).catch((error) => console.log(error.message));
    """
    assert output_of(installed, source).splitlines() == [
        "true false",
        "true",
        "3668419940 16899831174130972922n 3036271380559195802n",
        "data must be a string or Buffer and salt must either be a salt string or a number of rounds",
    ]


def test_oxlint(installed: Box) -> None:
    installed.write({"src/a.js": "debugger;\n"})
    assert "no-debugger" in output(installed, "node_modules/oxlint/bin/oxlint", "-D", "no-debugger", "src", status=1)


def test_rspack(installed: Box) -> None:
    source = """
        import { rspack } from '@rspack/core';
        import fs from 'node:fs';
        fs.writeFileSync('in.js', 'import { a } from "./b.js"; console.log(a);');
        fs.writeFileSync('b.js', 'export const a = "bundled"; export const b = "unused";');
        class Plugin {
            apply(compiler) { compiler.hooks.done.tap('own', (stats) => console.log(stats.compilation.errors.length)); }
        }
        const compiler = rspack({ entry: './in.js', mode: 'production', output: { path: process.cwd() }, plugins: [new Plugin()] });
        await new Promise((resolve, reject) => compiler.run((error) => (error ? reject(error) : compiler.close(resolve))));
    """
    assert output_of(installed, source) == "0\n"
    assert output(installed, "main.js") == "bundled\n"


def test_libsql(installed: Box) -> None:
    source = """
        import Database from 'libsql';
        const db = new Database(':memory:');
        db.exec('create table t (a integer, b text)');
        db.prepare('insert into t values (?, ?)').run(5, 'five');
        console.log(JSON.stringify(db.prepare('select * from t').all()));
        try { db.exec('select * from missing'); } catch (error) { console.log(error.message); }
    """
    assert output_of(installed, source) == '[{"a":5,"b":"five"}]\nno such table: missing\n'
