"""util.inspect and util.format compared with Node, RT.inspect with Bun, in rt itself: generated values of every kind
if the other program is installed, and tables of its output (printed/*.json) everywhere.

`python tests/specs/test_printed.py` regenerates the tables from the programs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import js_peers as peers
import pytest
from hypothesis import strategies as st
from js_values import console_values, options, options_source, values
from printed import EXAMPLES, FOLDER, Case, answers, differences, examples
from rig import executable

# Node throws for an error whose name is a symbol; rt prints it.
THROWS_THERE = "Cannot convert a Symbol value to a string"

# Host objects, printed without hidden properties, which differ between hosts.
HOST_VALUES = [
    "new URL('http://u:p@a.b:81/c?d#e')", "new URLSearchParams('a=1&b=2')", "new URLSearchParams()", "new AbortController()", "new AbortController().signal",
    "AbortSignal.abort(5)", "new TextEncoder()", "new EventTarget()", "new URLSearchParams('a=1&b=2').values()", "new (class Own extends EventTarget {})()", "new TextDecoder('latin1')", "new DOMException('m', 'AbortError').name", "Object.assign(new URL('http://a.b'), { own: 1 })", "new URLSearchParams('a=1').entries()", "R.deep(4, globalThis)",
]  # fmt: skip
HOST_OPTIONS = [
    "{}",
    "{ depth: 0 }",
    "{ depth: -1 }",
    "{ colors: true }",
    "{ compact: false }",
    "{ customInspect: true, breakLength: 20 }",
]

# Bun's output for host objects that look the same in every run, as they are and below the maximum depth.
PEER_HOST_VALUES = [
    "new EventTarget()", "new (class Own extends EventTarget { z = 1 })()", "new AbortController()", "AbortSignal.abort('why')", "new DOMException('m', 'AbortError')",
    "new MessageChannel().port1", "new URLPattern({ pathname: '/a' })", "new TextEncoder()", "new TextDecoder()", "new ErrorEvent('error', { message: 'm', error: null })",
    "new Headers([['x-z', '1'], ['content-type', 't'], ['a', 'b'], ['set-cookie', 'c=1'], ['Accept', 'q'], ['set-cookie', 'd=2']])", "new Headers()",
    "new Request('http://x/', { headers: { b: '1', host: 'h' } })", "new Response('x', { headers: { b: '1', etag: 'e' } })", "new URLSearchParams('a=1')", "new FormData()",
    "Math", "JSON", "({ [Symbol.toStringTag]: 'Tag', x: 1 })", "Object(1n)", "new WeakRef({})",
]  # fmt: skip
PEER_OPTIONS = ["{}", "{ depth: 2 }", "{ depth: 0 }", "{ colors: true }", "{ sorted: true }", "{ compact: true }"]
TABLE_SIZE = 250
LONGEST_ROW = 800


def node_cases(count: int) -> list[Case]:
    """Return the host values, then `count` generated ones, each printed plainly, with options, and by the directives
    of util.format.
    """
    cases = [
        {"call": "inspect", "source": source, "options": chosen}
        for value in HOST_VALUES
        for source in (value, f"{{ a: {value} }}")
        for chosen in HOST_OPTIONS
    ]
    for value, chosen in examples(st.tuples(values, options), count):
        cases.append({"call": "inspect", "source": value})
        cases.append({"call": "inspect", "source": value, "options": options_source(chosen)})
        cases.append({"call": "format", "source": f"['%s|%o|%O|%j', {value}, {value}, {value}, 1, {value}]"})
    return cases


def peer_cases(count: int) -> list[Case]:
    pairs = examples(st.tuples(console_values, st.sampled_from(PEER_OPTIONS)), count)
    made = [{"call": "RT.inspect", "source": value, "options": chosen} for value, chosen in pairs]
    deep = [
        value if form is None else form.format(value)
        for value in PEER_HOST_VALUES
        for form in (None, "{{ a: {{ b: {{ c: {} }} }} }}")
    ]
    own = ("Math", "JSON", "Object(1n)")  # each engine has its own order of their members
    return [
        *({"call": "RT.inspect", "source": value, "options": "{ depth: 2 }"} for value in deep if value not in own),
        *made,
    ]


def agreed(cases: list[Case], theirs: list[str], ours: list[str]) -> str:
    same = [our if THROWS_THERE in their else their for their, our in zip(theirs, ours, strict=True)]
    return differences(cases, same, ours)


def test_generated_values_print_as_node_prints_them(tmp_path: Path) -> None:
    node = peers.node()
    cases = node_cases(EXAMPLES)
    assert agreed(cases, answers(node, cases, tmp_path), answers(executable(), cases, tmp_path)) == ""


def test_generated_values_print_as_the_peer_prints_them(tmp_path: Path) -> None:
    peer = peers.peer()
    cases = peer_cases(EXAMPLES)
    assert agreed(cases, answers(peer, cases, tmp_path), answers(executable(), cases, tmp_path)) == ""


@pytest.mark.parametrize("table", ["node", "peer"])
def test_values_print_as_the_table_says(table: str, tmp_path: Path) -> None:
    rows = json.loads((FOLDER / f"{table}.json").read_text(encoding="utf-8"))
    cases = [row["case"] for row in rows]
    assert len(cases) >= TABLE_SIZE
    assert agreed(cases, [row["text"] for row in rows], answers(executable(), cases, tmp_path)) == ""


def write_tables() -> None:
    import tempfile

    for table, program, cases in (
        ("node", peers.node(), node_cases(TABLE_SIZE)),
        ("peer", peers.peer(), peer_cases(TABLE_SIZE * 2)),
    ):
        with tempfile.TemporaryDirectory() as folder:
            texts = answers(program, cases, Path(folder))
        rows = [json.dumps({"case": case, "text": text}) for case, text in zip(cases, texts, strict=True)]
        rows = [row for row in rows if len(row) <= LONGEST_ROW][:TABLE_SIZE]
        (FOLDER / f"{table}.json").write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write_tables()
