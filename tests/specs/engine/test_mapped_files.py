"""How long a file stays mapped as the memory of a buffer (`RT.mmap`), and where such a buffer may be sent."""

from __future__ import annotations

from rig import Box

MANY = """
const fs = require('node:fs');
fs.writeFileSync('data', Buffer.alloc(300_000, 65));
for (let round = 0; round < 1000; round++) {
  const bytes = RT.mmap('data', { shared: round % 2 === 0, offset: (round % 7) * 1000 });
  bytes[0] = 66;
}
while (fs.readFileSync('/proc/self/maps', 'utf8').split('\\n').filter((line) => line.endsWith('/data')).length > 1) {
  RT.gc(true);
  await RT.sleep(1);
}
// Memory that was the file's is given to others now; what they write does not reach it.
const before = fs.readFileSync('data');
const others = Array.from({ length: 200 }, () => new Uint8Array(300_000).fill(67));
console.log(others.length, before.equals(fs.readFileSync('data')), before[0], before[1]);
"""

TRAVELS = """
const fs = require('node:fs');
fs.writeFileSync('data', 'hello');
const bytes = RT.mmap('data');
const copy = structuredClone(bytes);
bytes[0] = 'J'.charCodeAt(0);
console.log(Buffer.from(copy).toString(), Buffer.from(bytes).toString());
const moved = structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
console.log(bytes.length, Buffer.from(moved).toString());
const worker = new Worker('data:text/javascript,onmessage = ({ data }) => { new Uint8Array(data)[4] = 33; postMessage(0) }');
worker.postMessage(moved, [moved]);
await new Promise((resolve) => (worker.onmessage = resolve));
worker.terminate();
console.log(fs.readFileSync('data', 'utf8'));
"""


def test_unreferenced_memory_is_unmapped(box: Box) -> None:
    box.write({"a.ts": MANY})
    assert box.run("a.ts").stdout == b"200 true 66 65\n"


def test_it_is_copied_and_moved_as_any_buffer_is(box: Box) -> None:
    box.write({"a.ts": TRAVELS})
    assert box.run("a.ts").stdout == b"hello Jello\n0 Jello\nJell!\n"
