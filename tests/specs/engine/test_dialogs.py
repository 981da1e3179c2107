"""alert, confirm and prompt: the questions they print, and the values they return for an answer.

Each single dialog behaves as in Bun. For several dialogs reading from a pipe Bun loses lines, because only one of
them reads through a buffer.
"""

from __future__ import annotations

import subprocess

from rig import Box, executable

PROGRAM = """
console.log('[', confirm('sure?'), ']');
console.log('[', prompt('name?'), ']');
console.log('[', prompt('name?', 'none'), ']');
console.log('[', prompt(), ']');
console.log('[', alert('hey'), ']');
console.log('[', confirm(), ']');
console.log('[', prompt('number?', 5), ']');
console.log('[', prompt('cut off?', 'default'), ']');
console.log('[', prompt('no more?', 'default'), ']');
"""
ANSWERS = b"y\r\nB\xc3\xb6b\n\n  q \n\nn\n\nno"
SAID = """sure? [y/N] [ true ]
name? [ Böb ]
name? [none] [ none ]
Prompt [   q  ]
hey [Enter] [ undefined ]
Confirm [y/N] [ false ]
number? [5] [ 5 ]
cut off? [default] [ default ]
no more? [default] [ null ]
"""


def test_questions_and_answers(box: Box) -> None:
    (box.folder / "a.mjs").write_text(PROGRAM)
    command = [executable(), "a.mjs"]
    done = subprocess.run(command, cwd=box.folder, env=box.environment(), input=ANSWERS, capture_output=True)
    assert (done.stdout.decode(), done.stderr.decode(), done.returncode) == (SAID, "", 0)
