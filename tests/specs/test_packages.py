"""Packages from the npm registry, unmodified (docs/npm-packages.md): installed once for all tests, then run."""

from __future__ import annotations

from npm_packages import installed, packages
from rig import Box

__all__ = ["installed", "packages"]
VERSIONS = {
    "lodash": "4.17.21",
    "zod": "4.1.12",
    "commander": "14.0.2",
    "chalk": "5.6.2",
    "semver": "7.7.3",
    "typescript": "5.9.3",
}


def output(box: Box, *arguments: str, status: int = 0, stderr: str = "") -> list[str]:
    done = box.run(*arguments)
    assert (done.returncode, done.stderr.decode()) == (status, stderr), done.stdout
    return done.stdout.decode().splitlines()


def test_lodash(installed: Box) -> None:
    installed.write({
        "a.mjs": """
            import _, { chunk } from 'lodash'; import fp from 'lodash/fp.js'; import get from 'lodash/get.js';
            console.log(_.VERSION, JSON.stringify([chunk([1, 2, 3], 2), fp.map((x) => x + 1)([1, 2]), get({ a: { b: 3 } }, 'a.b')]));
            console.log(_.template('hi <%= a %>')({ a: 1 }), _.cloneDeep(new Map([[1, { b: 2 }]])).get(1).b, _.isEqual([1, { a: 1 }], [1, { a: 1 }]));
        """,
        "b.cjs": "const _ = require('lodash'); console.log(JSON.stringify(_.groupBy([1.2, 1.5, 2.1], Math.floor)), require('lodash') === _)",
    })  # fmt: skip
    assert output(installed, "a.mjs") == [f"{VERSIONS['lodash']} [[[1,2],[3]],[2,3],3]", "hi 1 2 true"]
    assert output(installed, "b.cjs") == ['{"1":[1.2,1.5],"2":[2.1]} true']


def test_zod(installed: Box) -> None:
    source = """
        import { z } from 'zod';
        const User = z.object({ name: z.string().min(1), age: z.number().int().positive(), tags: z.array(z.string()).default([]) });
        type User = z.infer<typeof User>;
        const user: User = User.parse({ name: 'a', age: 3 });
        console.log(JSON.stringify(user));
        const bad = User.safeParse({ name: '', age: -1 });
        console.log(bad.success, bad.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join());
        console.log(z.email().safeParse('a@b.co').success, (await z.string().refine(async (s) => s === 'x').safeParseAsync('y')).success);
    """
    installed.write({"a.ts": source})
    assert output(installed, "a.ts") == [
        '{"name":"a","age":3,"tags":[]}',
        "false name: too_small,age: too_small",
        "true false",
    ]


def test_commander(installed: Box) -> None:
    source = """
        import { Command, InvalidArgumentError } from 'commander';
        const number = (text: string) => { if (isNaN(+text)) throw new InvalidArgumentError('Not a number.'); return +text; };
        const program = new Command('tool').version('1.2.3').option('-n, --number <n>', 'a number', number).argument('[files...]');
        program.command('sub <x>').description('a command').action((x) => console.log('sub', x));
        program.action((files, options) => console.log(JSON.stringify([files, options])));
        await program.parseAsync();
    """
    installed.write({"a.ts": source})
    assert output(installed, "a.ts", "-n", "4", "a", "b") == ['[["a","b"],{"number":4}]']
    assert output(installed, "a.ts", "sub", "q") == ["sub q"]
    assert output(installed, "a.ts", "--version") == ["1.2.3"]
    assert output(installed, "a.ts", "--help")[0] == "Usage: tool [options] [command] [files...]"
    said = "error: option '-n, --number <n>' argument 'x' is invalid. Not a number.\n"
    assert output(installed, "a.ts", "-n", "x", status=1, stderr=said) == []


def test_chalk(installed: Box) -> None:
    source = """
        import chalk, { Chalk } from 'chalk';
        console.log(String(chalk.level), chalk.red('r'), JSON.stringify(new Chalk({ level: 3 }).hex('#ff8800').bold('x')));
    """
    installed.write({"a.mjs": source})
    orange = '"\\u001b[38;2;255;136;0m\\u001b[1mx\\u001b[22m\\u001b[39m"'
    assert output(installed, "a.mjs") == [f"0 r {orange}"]
    done = installed.run("a.mjs", environment={"FORCE_COLOR": "1"})
    assert done.stdout.decode().startswith("1 \x1b[31mr\x1b[39m ")


def test_semver(installed: Box) -> None:
    installed.write({
        "a.cjs": """
            const semver = require('semver');
            console.log(semver.satisfies('1.2.3', '^1.0.0'), semver.sort(['1.10.0', '1.2.0']).join(), semver.coerce('v2').version, require('semver/functions/inc')('1.0.0', 'minor'));
        """
    })  # fmt: skip
    assert output(installed, "a.cjs") == ["true 1.2.0,1.10.0 2.0.0 1.1.0"]
    assert output(installed, "--rt", "run", "semver", "-r", "^1", "1.2.3", "2.0.0") == ["1.2.3"]


def test_typescript(installed: Box) -> None:
    installed.write({
        "tsconfig.json": {
            "compilerOptions": {"strict": True, "outDir": "out", "module": "nodenext", "declaration": True, "types": []},
            "include": ["src"],
        },
        "src/a.mts": "export const a: number = 1; export function f(x: string): string { return x }",
        "src/b.mts": 'import { a, f } from "./a.mjs"; console.log(f(String(a)));',
    })  # fmt: skip
    assert output(installed, "--rt", "run", "tsc", "--version") == [f"Version {VERSIONS['typescript']}"]
    tsc = "node_modules/typescript/bin/tsc"
    assert output(installed, tsc, "-p", ".") == []
    declared = (installed.folder / "out" / "a.d.mts").read_text()
    assert declared == "export declare const a: number;\nexport declare function f(x: string): string;\n"
    assert output(installed, "out/b.mjs") == ["1"]
    installed.write({"src/c.mts": "const x: string = 5;"})
    reported = "src/c.mts(1,7): error TS2322: Type 'number' is not assignable to type 'string'."
    assert output(installed, tsc, "-p", ".", status=2) == [reported]
