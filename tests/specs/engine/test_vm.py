"""node:vm where a comparison with Node is not enough: modules (which need a flag in Node), import(), memory."""

from __future__ import annotations

import subprocess
from pathlib import Path

import js_peers as peers
from rig import Box, executable

MODULES = Path(__file__).parent / "vm_modules.cjs"


def output(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_modules_behave_as_in_node() -> None:
    expected = output(peers.node(), "--experimental-vm-modules", "--no-warnings", str(MODULES))
    assert output(executable(), str(MODULES)) == expected


def test_import_calls_the_callback_of_its_own_code(box: Box) -> None:
    box.write(
        {
            "main.cjs": """
const vm = require('node:vm');
const importing = (text, options) => vm.runInThisContext(text, options).then((it) => it.sep, (error) => error.code);
(async () => {
  console.log(await importing('import("fs")'));
  const options = { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER, filename: __filename };
  console.log(await importing('import("node:path")', options));
  const own = { importModuleDynamically: async (name, script, attributes) => {
    console.log(name, script instanceof vm.Script, JSON.stringify(attributes));
    return import('node:path');
  } };
  console.log(await importing('import("mine", { with: { type: "t" } })', own));
})();
"""
        }
    )
    done = box.run("--no-warnings", "main.cjs")
    assert done.stdout.decode().splitlines() == [
        "ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING",
        "/",
        'mine true {"type":"t"}',
        "/",
    ]


def test_contexts_are_collected(box: Box) -> None:
    box.write(
        {
            "main.cjs": """
const vm = require('node:vm');
const script = new vm.Script('a = (a || 0) + 1; function q() { return a } q()');
let first = 0;
for (let round = 0; round < 10; round++) {
  for (let i = 0; i < 100; i++) {
    const context = vm.createContext({ a: i }, i % 10 === 0 ? { microtaskMode: 'afterEvaluate' } : {});
    script.runInContext(context);
    vm.compileFunction('return ' + i, [], { parsingContext: context })();
  }
  gc();
  if (round === 2) first = process.memoryUsage().heapUsed;
}
console.log(process.memoryUsage().heapUsed - first < 8e6);
"""
        }
    )
    assert box.run("--expose-gc", "main.cjs").stdout == b"true\n"


def test_process_as_test_runners_use_it(box: Box) -> None:
    box.write({"main.cjs": "const it = {}; process.constructor.call(it); console.log(process.constructor.name, it);"})
    assert box.run("main.cjs").stdout == b"process {}\n"
