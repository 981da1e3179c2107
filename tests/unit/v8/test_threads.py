"""V8 with worker threads, which must be configured when the process starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUN = """
import sys
from rt_supervisor import _native
_native.v8_start(sys.argv[1], None, "", 2)
assert len(open("/proc/self/stat").read().split()) and int(open("/proc/self/stat").read().split()[19]) > 1
engine = _native.Engine()
reported = []
engine.global_object["report"] = engine.function(reported.append)
engine.run('''
const bytes = [0,97,115,109,1,0,0,0,1,7,1,96,2,127,127,1,127,3,2,1,0,7,7,1,3,97,100,100,0,0,10,9,1,7,0,32,0,32,1,106,11];
WebAssembly.instantiate(new Uint8Array(bytes)).then(made => report(made.instance.exports.add(40, 2)));
let sum = 0; for (let i = 0; i < 1e7; i++) sum += i % 7; const kept = []; for (let i = 0; i < 1e6; i++) kept[i % 1000] = { i };
''')
while not reported:
    engine.pump()
    engine.run_microtasks()
assert reported == [42]
engine.close()
print("fine")
"""


def test_work_finishes_beside_javascript() -> None:
    maps = Path("/proc/self/maps").read_text().split()
    library = next(word for word in maps if word.endswith("libmini_racer.so"))
    done = subprocess.run([sys.executable, "-c", RUN, library], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("fine\n", "")
