"""HTMLRewriter where rt improves on Bun: a stream is read only as fast as its output is consumed."""

from __future__ import annotations

from rig import Box

WITHOUT_END = """
let pulled = 0;
const source = new ReadableStream({
  pull(controller) {
    pulled++;
    controller.enqueue(new TextEncoder().encode('<p>x</p>'));
  },
});
const rewriter = new HTMLRewriter().on('p', { element(each) { each.setAttribute('a', ''); } });
const reader = rewriter.transform(new Response(source)).body.getReader();
const { value } = await reader.read();
await new Promise((resolve) => setTimeout(resolve, 1));
console.log(new TextDecoder().decode(value).startsWith('<p a="">'), pulled < 10);
await reader.cancel();
"""


def test_an_endless_document_is_read_on_demand(box: Box) -> None:
    box.write({"main.mjs": WITHOUT_END})
    done = box.run("main.mjs")
    assert (done.stdout, done.stderr, done.returncode) == (b"true true\n", b"", 0)


SELECTORS = """
for (const depth of [700, 9000]) {
  let seen = 0;
  const rewriter = new HTMLRewriter().on('b' + ' > b'.repeat(depth), { element() { seen++; } });
  const text = await rewriter.transform(new Response('<b>'.repeat(depth + 2) + 'x')).text();
  console.log(seen, text.length);
}
for (const selector of ['b' + ' > b'.repeat(20_000), ':not('.repeat(20_000) + 'a']) {
  try {
    new HTMLRewriter().on(selector, {});
  } catch (error) {
    console.log(error.message);
  }
}
"""


def test_long_and_deep_selectors(box: Box) -> None:
    box.write({"main.mjs": SELECTORS})
    done = box.run("main.mjs")
    assert (done.stdout.decode().splitlines(), done.stderr, done.returncode) == (
        [
            "2 2107",
            "2 27007",
            "The selector has more than 10000 combinators.",
            "The selector is nested too deeply.",
        ],
        b"",
        0,
    )
