"""Hooks of `module.register` and `--loader`: called in a chain with promises, errors for invalid results, active for
every import including preloads.
"""

from __future__ import annotations

import pytest
from rig import Box

LOG = "export async function resolve(name, context, next) { const it = await next(name, context); return it; }"
OWN_SCHEME = """
const texts = { 'own://1/a.mjs': 'import b from "./b.mjs"; console.log(b, import.meta.url, import.meta.dirname);', 'own://1/b.mjs': 'export default 42' };
export const load = (url, context, next) => texts[url] ? { source: texts[url], format: 'module', shortCircuit: true } : next(url, context);
"""


def run(box: Box, *arguments: str, status: int = 0) -> tuple[str, str]:
    done = box.run("--no-warnings", *arguments)
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def test_a_hook_calls_the_next_twice_and_later(box: Box) -> None:
    """Requests made in a promise reaction are answered too."""
    twice = (
        "export async function resolve(name, context, next) { await 0; const first = await next(name); await 0;"
        " if (name === 'x') console.log('twice', next.name, next.constructor.name); return (await next(name)).url === first.url ? first : null; }"
    )
    maps = "export async function resolve(name, context, next) { await 0; return next(name === 'x' ? new URL('./b.mjs', import.meta.url).href : name); }"
    box.write({"twice.mjs": twice, "maps.mjs": maps, "b.mjs": "export default 'b'"})
    box.write({"a.mjs": "import x from 'x'; console.log(x);"})
    out, _ = run(box, "--loader", "./maps.mjs", "--loader", LOG_URL, "--loader", "./twice.mjs", "a.mjs")
    assert out == "twice nextResolve AsyncFunction\nb\n"


LOG_URL = f"data:text/javascript,{LOG.replace(' ', '%20')}"
WRONG = {
    "resolve": {
        "null": ("ERR_INVALID_RETURN_VALUE", "hook.mjs 'resolve' hook's nextResolve()\" function but got null"),
        "{ url: 'zz:x' }": ("ERR_LOADER_CHAIN_INCOMPLETE", "\"./hook.mjs 'resolve'\" did not call the next hook in its chain"),
        "{ shortCircuit: true, url: 1 }": (
            "ERR_INVALID_RETURN_PROPERTY_VALUE", "a URL string to be returned for the \"url\" from the \"./hook.mjs 'resolve'\"",
        ),
        "{ shortCircuit: true, url: 'zz' }": ("ERR_INVALID_RETURN_PROPERTY_VALUE", "got type string ('zz')"),
        "{ shortCircuit: true, url: 'zz:x', format: 1 }": ("ERR_INVALID_RETURN_PROPERTY_VALUE", 'for the "format" from'),
        "{ shortCircuit: true, url: 'zz:x', importAttributes: 1 }": (
            "ERR_INVALID_RETURN_PROPERTY_VALUE", 'for the "importAttributes" from',
        ),
        "next([])": ("ERR_INVALID_ARG_TYPE", "'resolve' hook's nextResolve() specifier"),
        "next(given, 1)": ("ERR_INVALID_ARG_TYPE", "'resolve' hook's nextResolve() context"),
    },
    "load": {
        "1": ("ERR_INVALID_RETURN_VALUE", "hook.mjs 'load' hook's nextLoad()\" function but got type number (1)"),
        "{ format: 'module', source: '' }": ("ERR_LOADER_CHAIN_INCOMPLETE", "\"./hook.mjs 'load'\""),
        "{ shortCircuit: true, format: 1, source: '' }": ("ERR_INVALID_RETURN_PROPERTY_VALUE", 'for the "format" from'),
        "{ shortCircuit: true, format: 'module', source: 1 }": ("ERR_INVALID_RETURN_PROPERTY_VALUE", 'for the "source" from'),
        "{ shortCircuit: true, format: 'module', source: '', responseURL: 'x' }": (
            "ERR_INVALID_RETURN_PROPERTY_VALUE", 'for the "responseURL" from',
        ),
        "next([])": ("ERR_INVALID_ARG_TYPE", "'load' hook's nextLoad() url"),
        "next('not/a/url')": ("ERR_INVALID_ARG_VALUE", "'load' hook's nextLoad() url' should be a URL string"),
        "next(given, 1)": ("ERR_INVALID_ARG_TYPE", "'load' hook's nextLoad() context"),
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", WRONG)
def test_errors_of_hooks_are_reported(box: Box, kind: str) -> None:
    cases = list(WRONG[kind])
    texts = ", ".join(f"async (given, context, next) => ({text})" for text in cases)
    hook = (
        f"const cases = [{texts}]; export async function {kind}(given, context, next) {{"
        " const place = /case(\\d+)/.exec(given)?.[1]; return place === undefined ? next(given, context) : cases[place](given, context, next); }"
    )
    program = (
        "import { register } from 'node:module'; register('./hook.mjs', import.meta.url);"
        f" for (let at = 0; at < {len(cases)}; at++)"
        " await import(`./case${at}.mjs`).then(() => console.log('ok'), ({ code, message }) => console.log(code, message));"
    )
    box.write({"hook.mjs": hook, "a.mjs": program, **{f"case{at}.mjs": "" for at in range(len(cases))}})
    lines = run(box, "a.mjs")[0].splitlines()
    assert len(lines) == len(cases)
    for line, (code, words) in zip(lines, WRONG[kind].values(), strict=True):
        assert line.startswith(code + " ")
        assert words in line


def test_schemes_of_hooks_alone(box: Box) -> None:
    """Default hooks pass such URLs on, and relative specifiers in these modules resolve against them; also for `-e`
    and `--import`.
    """
    box.write({"own.mjs": OWN_SCHEME, "a.mjs": "import 'own://1/a.mjs'; console.log(import.meta.resolve('own://x/y'))"})
    reported = "42 own://1/a.mjs undefined\n"
    assert run(box, "--loader", "./own.mjs", "a.mjs")[0] == reported + "own://x/y\n"
    assert run(box, "--loader", "./own.mjs", "-e", "import 'own://1/a.mjs'")[0] == reported
    assert run(box, "--loader", "./own.mjs", "--import", "own://1/a.mjs", "-e", "0")[0] == reported


def test_a_preload_may_be_a_data_url(box: Box) -> None:
    assert (
        run(box, "--import", "data:text/javascript,console.log('first')", "-e", "console.log('then')")[0]
        == "first\nthen\n"
    )
    out, reported = run(
        box, "--import", "data:text/javascript,throw%20new%20Error('broken')", "-e", "console.log('then')", status=1
    )
    assert (out, "error: broken" in reported) == ("", True)


def test_a_rejection_that_is_caught_ends_nothing(box: Box) -> None:
    box.write({"a.mjs": "for (let at = 0; at < 3; at++) await import('gone').catch(({ code }) => console.log(code));"})
    assert run(box, "--loader", LOG_URL, "a.mjs") == ("ERR_MODULE_NOT_FOUND\n" * 3, "")


def test_an_await_without_end(box: Box) -> None:
    """The warning appears unless the program has set a status or disabled warnings."""
    listens = "process.on('exit', (code) => { console.log(code); if (CHOOSES) process.exitCode = 42 }); await new Promise(() => {})"
    box.write({"a.mjs": listens.replace("CHOOSES", "false"), "b.mjs": listens.replace("CHOOSES", "true")})
    done = box.run("a.mjs")
    assert (done.returncode, done.stdout) == (13, b"13\n")
    assert done.stderr.startswith(b"warn: Detected unsettled top-level await at ")
    assert run(box, "a.mjs", status=13) == ("13\n", "")
    done = box.run("b.mjs")
    assert (done.returncode, done.stdout, done.stderr) == (42, b"13\n", b"")


@pytest.mark.parametrize("loader", [(), ("--loader", LOG_URL)], ids=["without hooks", "with hooks"])
def test_results_of_import_meta_resolve(box: Box, loader: tuple[str, ...]) -> None:
    program = """
    const at = (name, parent) => { try { return import.meta.resolve(name, parent).replace(import.meta.dirname, ''); } catch (error) { return error.code; } };
    console.log(at('./gone.mjs'), at('some://weird/x'), at('gone'), at('fs'), at('./x', 'file:///p/q.mjs'), at('./x', new URL('file:///p/q.mjs')), at('./a.mjs'));
    console.log([[], {}, Symbol(), 0, 1n, () => {}, true].map((parent) => at('./x', parent)).every((code) => code === 'ERR_INVALID_ARG_TYPE'));
    """
    box.write({"a.mjs": program})
    assert run(box, *loader, "a.mjs")[0].splitlines() == [
        "file:///gone.mjs some://weird/x ERR_MODULE_NOT_FOUND node:fs file:///p/x file:///p/x file:///a.mjs", "true",
    ]  # fmt: skip
