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
