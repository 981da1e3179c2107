"""Library modules whose first load was interrupted by a time limit or a full stack are loaded again, completely."""

from __future__ import annotations

from rig import Box

# Prints the exports of every module, loaded in a separate process without interruption.
KEYS = """
const names = require('module').builtinModules.filter((name) => !/^_|trace_events|inspector|repl|wasi|sys|punycode/.test(name));
const keys = (value) => Object.keys(value ?? {}).sort().join();
const whole = () => { for (const name of names) console.log(name, keys(require(name))); };
"""
# Loads each module with the shortest possible limit, repeatedly, until a load is fast enough.
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
# Tries each module at every hundredth level of the deepest possible stack.
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
