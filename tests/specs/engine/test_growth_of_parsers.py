"""The time of every parser that programs can give hostile text grows with the text: an input 16 times as long may not take 80 times as long."""

from __future__ import annotations

import pytest
from rig import Box

# name -> a function of a text, as JavaScript, and the pieces that the text repeats
PARSERS: dict[str, tuple[str, list[str]]] = {
    "TOML": ("RT.TOML.parse(text)", ["a.", '"', "[", "a={", "'''", "a=1\n", "[[a]]\n"]),
    "YAML": ("RT.YAML.parse(text)", ["a: ", "- ", "[", "{", '"', "# ", "&a ", "a: 1\n"]),
    "JSONC": ("RT.JSONC.parse(text)", ['"', "\\", "/*", '{"a":', "[", ","]),
    ".env": ("util.parseEnv(text)", ["A=", "A=b\n", '"', "A='", "\\", "export ", "#", "$A"]),
    "a glob of node:path": ("path.matchesGlob('abc', text)", ["!(", "!(a)", "*", "+(", "[", "{", "{a,", "a|", "**/"]),
    "a name for node:path": ("path.matchesGlob(text, '!(*b)!(*c)+(a|aa)*a*a*a*c')", ["a", "b", "!"]),
    "a path for node:path": ("path.matchesGlob(text, '**/a/**/a/**/a/**/b')", ["a/", "b/", "/"]),
    "RT.Glob": ("new RT.Glob(text).match('abc')", ["*", "**/", "[", "{", "{a,", "!", "\\"]),
    "semver": ("RT.semver.satisfies('1.2.3', text)", ["1", "1.", "||", " ", ">=1 ", "- ", "^1.2.3 ", "x", "1.2.3-a."]),
    "Markdown": ("RT.markdown.html(text)", ["*", "_", "[", "![", "`", "<", "> ", "- ", "](", "&", "|", "# ", "**a "]),
    "selectors": ("new HTMLRewriter().on(text, {}).transform('<a></a>')", ["a ", "a>", ".a", "[a]", "a,"]),
    "a cookie": ("RT.Cookie.parse('a=b' + text)", [";", "; a=b", "=", " ", "%", "; Expires="]),
    "cookies": ("new RT.CookieMap(text)", ["a=b; ", ";", "=", "%"]),
    "a header": ("new Headers([['a', text]]).get('a')", [" ", "a", ", ", "\t"]),
    "a media type": ("new Request('http://a', { method: 'POST', body: 'x', headers: { 'content-type': text } })", ["a/b;", '"', ';a="']),
    "a URL": ("new URL('http://h/' + text)", ["../", "./", "%", "?", "#", "@", ":", "é"]),
    "a host": ("new URL('http://' + text)", ["a.", "1.", "[", "é", "xn--", "@", ":", "0x"]),
    "a query": ("[...new URLSearchParams(text)]", ["a=b&", "&", "=", "%", "+"]),
    "terminal codes": ("util.stripVTControlCharacters(text)", ["\x1b[", "\x1b]8;;", "\x1b[1;", "\x9b", "\x1b"]),
    "a query of node:querystring": ("querystring.parse(text)", ["a=b&", "%", "=", "&", "+"]),
    "XML": ("RT.XML.parse(text)", ["<a>", "<", "&", "<!--", "<a b='", "<![CDATA[", "&amp;", "<a/>"]),
    "ANSI sequences": ("RT.stripANSI(text) + RT.stringWidth(text)", ["\x1b[", "\x1b]8;;", "\x1b[1m", "\x1b", "\x9b", "日", "\u200d"]),
}  # fmt: skip
PROGRAM = """
import path from 'node:path';
import util from 'node:util';
import querystring from 'node:querystring';
const { pieces } = JSON.parse(process.argv[2]);
const run = (text) => PARSER;
const SIZE = 2000;
const measure = (text) => {
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const begun = process.cpuUsage().user;
    try {
      run(text);
    } catch {}
    best = Math.min(best, process.cpuUsage().user - begun);
  }
  return best / 1000;
};
for (const piece of pieces) {
  const small = measure(piece.repeat(SIZE / piece.length));
  const large = measure(piece.repeat((SIZE * 16) / piece.length));
  // A small input may take no measurable time; 3 ms stand for the costs that do not depend on the input.
  if (large / Math.max(small, 3) > 80) console.log(`${JSON.stringify(piece)}: ${small} ms, ${large} ms`);
}
"""


@pytest.mark.parametrize("name", PARSERS)
def test_time_grows_with_the_text(box: Box, name: str) -> None:
    parser, pieces = PARSERS[name]
    box.write({"main.mjs": PROGRAM.replace("PARSER", parser), "pieces.json": {"pieces": pieces}})
    done = box.run("main.mjs", (box.folder / "pieces.json").read_text())
    assert (done.stdout.decode(), done.stderr, done.returncode) == ("", b"", 0)
