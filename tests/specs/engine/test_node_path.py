"""NODE_PATH: shared package folders, searched after all `node_modules`; for `require` and `import`, as in Bun."""

from __future__ import annotations

import pytest
from rig import Box

ASK = """
const reported = (name, ask) => { try { console.log(name, ask()); } catch (error) { console.log(name, error.code); } };
for (const name of ['both', '@scope/one', 'single', 'with', 'with/way', 'with/hidden', './single', 'gone']) reported(name, () => require(name));
for (const name of ['single', 'with']) import(name).then((it) => console.log('import', name, it.default), (e) => console.log(e.code));
console.log(require.resolve.paths('x').slice(-2).join(), require('module').globalPaths.join());
"""
FILES = {
    "lib/both/index.js": "module.exports = 'of lib'",
    "lib/@scope/one/package.json": {"main": "./main"},
    "lib/@scope/one/main.js": "module.exports = 'scoped'",
    "lib/single.ts": "export default 'single' as string",
    "lib/with/package.json": {"exports": {".": "./x.js", "./way": "./x.js"}},
    "lib/with/x.js": "module.exports = 'x'",
    "lib/with/hidden.js": "",
    "more/both/index.js": "module.exports = 'of more'",
    "app/node_modules/both/index.js": "module.exports = 'own'",
    "app/a.cjs": ASK,
    "a.cjs": ASK.replace("require(name)", "(it => it.default ?? it)(require(name))"),
}


def lines(box: Box, *arguments: str, **changes: str) -> list[str]:
    done = box.run(*arguments, env=box.environment(**changes))
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("value", ["lib:more", "{folder}/lib:{folder}/more", ":/gone::./lib/:more"])
def test_shared_packages(box: Box, value: str) -> None:
    box.write(FILES)
    value = value.format(folder=box.folder)
    folders = [each for each in value.split(":") if each]
    assert lines(box, "a.cjs", NODE_PATH=value) == [
        "both of lib", "@scope/one scoped", "single single", "with x", "with/way x",
        "with/hidden MODULE_NOT_FOUND", "./single MODULE_NOT_FOUND", "gone MODULE_NOT_FOUND",
        f"{','.join(folders[-2:])} {','.join(folders)}", "import single single", "import with x",
    ]  # fmt: skip


def test_node_modules_come_first(box: Box) -> None:
    box.write(FILES)
    assert lines(box, "app/a.cjs", NODE_PATH="lib")[0] == "both own"


def test_an_env_file_may_name_them(box: Box) -> None:
    box.write({**FILES, ".env": "NODE_PATH=lib", "b.cjs": "console.log(require('with'))"})
    assert lines(box, "b.cjs") == ["x"]


def test_a_program_may_change_them(box: Box) -> None:
    program = "process.env.NODE_PATH = 'more'; require('module')._initPaths(); console.log(require('both'), require('module').globalPaths)"
    box.write({**FILES, "b.cjs": program})
    assert lines(box, "b.cjs", NODE_PATH="lib") == ['of more [ "more" ]']


def test_workers_have_those_of_their_environment(box: Box) -> None:
    program = """
const { Worker } = require('worker_threads');
const ask = "try { console.log(require('both')) } catch (error) { console.log(error.code) }";
new Worker(ask, { eval: true }).on('exit', () => new Worker(ask, { eval: true, env: {} }));
"""
    box.write({**FILES, "b.cjs": program})
    assert lines(box, "b.cjs", NODE_PATH="lib") == ["of lib", "MODULE_NOT_FOUND"]


def test_folders_of_packages_can_be_given_as_paths(box: Box) -> None:
    paths = "[__dirname + '/node_modules/node_modules', ...require.resolve.paths('both')]"
    program = f"console.log(require.resolve('both', {{ paths: {paths} }}))"
    box.write({**FILES, "app/node_modules/node_modules/both.js": "", "app/b.cjs": program})
    assert lines(box, "app/b.cjs") == [f"{box.folder}/app/node_modules/both/index.js"]
