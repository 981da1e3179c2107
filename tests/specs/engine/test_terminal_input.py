"""`tty.ReadStream` as node-pty uses it: a `net.Socket` on its side of a pseudoterminal."""

from __future__ import annotations

import os

from rig import Box

PROGRAM = """
const tty = require('tty'), net = require('net');
const stream = new tty.ReadStream(Number(process.argv[2]));
console.log(stream instanceof net.Socket, stream instanceof tty.ReadStream, stream.isTTY, stream.isRaw);
stream.setEncoding('utf8');
stream.on('data', (text) => {
  console.log(JSON.stringify(text));
  if (text.includes('one')) stream.write('two\\n');
  else stream.destroy();
});
stream.on('close', () => console.log('closed'));
stream.write('one\\n');
for (const descriptor of [-1, 1.5, 0]) try { new tty.ReadStream(descriptor); } catch (error) { console.log(error.code); }
"""


def test_it_reads_and_writes_a_pseudoterminal(box: Box) -> None:
    box.write({"a.cjs": PROGRAM})
    sides = os.openpty()
    try:
        done = box.run("a.cjs", str(sides[0]), pass_fds=sides)
    finally:
        for descriptor in sides:
            os.close(descriptor)
    codes = "ERR_INVALID_FD\nERR_INVALID_FD\nERR_TTY_INIT_FAILED\n"
    assert done.stdout.decode() == f'true true true false\n{codes}"one\\r\\n"\n"two\\r\\n"\nclosed\n'
