"""Modules of the library whose first load was ended in the middle, by a time limit or a full stack, are loaded again, and whole."""

from __future__ import annotations

from rig import Box

# What every module has when nothing came in between, told by a process of its own.
KEYS = """
const names = require('module').builtinModules.filter((name) => !/^_|trace_events|inspector|repl|wasi|sys|punycode/.test(name));
const keys = (value) => Object.keys(value ?? {}).sort().join();
const whole = () => { for (const name of names) console.log(name, keys(require(name))); };
"""
# Each load gets the shortest limit there is, again and again, until one load was quick enough.
LIMITED = """
const vm = require('vm');
let ended = 0;
for (const name of names) {
  const load = () => { require(name); };
  for (let i = 0; i < 50; i++) {
    try { vm.runInNewContext('load()', { load }, { timeout: 1 }); break; } catch { ended++; }
  }
}
whole();
require('fs').writeFileSync('ended', String(ended));
"""
# From the deepest call that the stack allows up, each module is tried at every hundredth.
FULL_STACK = """
let depth = 0;
const dive = () => {
  const own = depth++;
  try { dive(); } catch {
    if (own % 100 === 0) for (const name of names) try { require(name); } catch {}
    throw 1;
  }
};
try { dive(); } catch {}
whole();
"""


def test_modules_whose_load_was_ended_are_loaded_again(box: Box) -> None:
    box.write({"whole.cjs": KEYS + "whole();", "limited.cjs": KEYS + LIMITED, "full.cjs": KEYS + FULL_STACK})
    whole = box.run("whole.cjs")
    assert whole.returncode == 0, whole.stderr
    for name in ("limited.cjs", "full.cjs"):
        done = box.run(name)
        assert done.returncode == 0, done.stderr
        assert done.stdout == whole.stdout
    assert int((box.folder / "ended").read_text()) > 0
