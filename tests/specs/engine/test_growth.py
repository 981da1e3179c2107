"""Parsers in JavaScript take linear time: an input 16 times as long may not take 80 times as long."""

from __future__ import annotations

from rig import Box

PROGRAM = """
const withoutHash = (text) => {
  const url = new URL(`p:x${text}y#z`);
  url.hash = '';
};
const parsers = {
  'URL.hash': [withoutHash, [' ', ' y', '%']],
  'RT.wrapAnsi': [(text) => RT.wrapAnsi(text, 20), ['a ', ' ', '\\x1b[1m ', '\\x1b[31ma', '\\t']],
  'RT.wrapAnsi of a wide row': [(text) => RT.wrapAnsi(text, 1e9), ['a ', '\\t a', '\\x1b[1m ']],
  'RT.JSON5.parse': [(text) => RT.JSON5.parse(text), ['\\\\', '[', "'", '/*', ',']],
  'RT.JSONC.parse': [(text) => RT.JSONC.parse(text), ['"', '\\\\', '/*', '{"a":']],
  'RT.TOML.parse': [(text) => RT.TOML.parse(text), ['a.', '"', '[']],
};
const size = 2000;
const rounds = 3;
const measure = (run, text) => {
  const begun = process.cpuUsage().user;
  try {
    run(text);
  } catch {}
  return (process.cpuUsage().user - begun) / 1000;
};
for (const [name, [run, pieces]] of Object.entries(parsers)) {
  for (const piece of pieces) {
    let small = Infinity;
    for (let round = 0; round < rounds; round++) small = Math.min(small, measure(run, piece.repeat(size / piece.length)));
    // A small input may take no measurable time; 3 ms stand for the costs that do not depend on the input.
    const isLong = (time) => time / Math.max(small, 3) > 80;
    let large = Infinity;
    for (let round = 0; round < rounds && isLong(large); round++)
      large = Math.min(large, measure(run, piece.repeat((size * 16) / piece.length)));
    if (isLong(large)) console.log(`${name} of ${JSON.stringify(piece)}: ${small} ms, ${large} ms`);
  }
}
"""


def test_time_grows_with_the_input(box: Box) -> None:
    box.write({"main.mjs": PROGRAM})
    done = box.run("main.mjs")
    assert (done.stdout.decode(), done.stderr, done.returncode) == ("", b"", 0)
