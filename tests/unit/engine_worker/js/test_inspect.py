"""util.format compared with Node's, side by side in Node; specs/test_printed.py compares what rt prints."""

from __future__ import annotations

from collections.abc import Iterator

import js_peers as peers
import pytest
from js_values import PRELUDE

# Node throws for an error whose name is a symbol; the library prints it.
KNOWN = "THROWN TypeError undefined Cannot convert a Symbol value to a string"


@pytest.fixture(scope="module")
def node() -> Iterator[peers.Conversation]:
    talk = peers.Conversation(peers.node(), *peers.INTERNALS, "peer_node.cjs")
    talk.ask(call="inspect", source="0", prelude=PRELUDE)
    yield talk
    talk.close()


def same(answer: dict[str, str]) -> None:
    assert "error" not in answer, answer
    if answer["theirs"] != KNOWN:
        assert answer["ours"] == answer["theirs"]


@pytest.mark.parametrize(
    "arguments",
    [
        "[]", "['%s']", "['%%']", "['%%', 1]", "['%', 1]", "['%z %s', 1]", "['%d %i %f', '0x10', '12px', '1.5x']", "['%d %i %f', 5n, 5n, '5']",
        "['%d', Symbol('a')]", "['%j', { a: [1] }]", "['%j', undefined]", "['%c%s', 'css', 1, 2]", "[1, '%s', 2]", "['a', 'b', { c: 1 }]",
        "['%s', -0]", "['%s %s', 'a']", "['%s', new (class W { toString() { return 'w'; } })()]", "['%s', Object.create(null)]", "['100%', 5]",
    ],
)  # fmt: skip
def test_directives(node: peers.Conversation, arguments: str) -> None:
    same(node.ask(call="format", source=arguments))


def test_circular_json_is_not_an_error(node: peers.Conversation) -> None:
    same(node.ask(call="format", source="(() => { const c = {}; c.c = c; return ['%j', c]; })()"))
