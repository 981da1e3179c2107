"""Native code reads the decisions that Python encodes; truncated or longer data is rejected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor._native import carry_out, is_decision
from rt_supervisor.start.decision import Command, Decision, Refusals, encode

texts = st.text(max_size=8)
commands = st.builds(
    Command,
    name=texts,
    echo=texts,
    argv=st.lists(texts, min_size=1, max_size=3),
    folder=texts,
    variables=st.dictionaries(texts, texts, max_size=3),
    quiet=st.lists(st.integers(0, 255), max_size=2),
    program=texts,
)
decisions = st.builds(
    Decision,
    commands=st.lists(commands, min_size=1, max_size=3),
    grace_ms=st.integers(0, 1 << 40),
    dropped=st.lists(texts, max_size=2),
    exited=texts,
    signaled=texts,
    signals=st.lists(texts, max_size=3),
    refusals=st.builds(
        Refusals,
        by_errno=st.dictionaries(st.integers(0, 200), texts, max_size=2),
        other=texts,
        other_file=texts,
    ),
    lost=texts,
    failed=st.integers(0, 255),
)


@given(decisions)
def test_native_code_reads_what_is_encoded(decision: Decision) -> None:
    assert is_decision(encode(decision))


@given(decisions, st.data())
def test_nothing_else_is_a_decision(decision: Decision, data: st.DataObject) -> None:
    whole = encode(decision)
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert not is_decision(whole[:cut])
    assert not is_decision(whole + b"\0")


def test_invalid_decisions_are_not_executed() -> None:
    with pytest.raises(ValueError, match="not a decision"):
        carry_out(b"\xff" * 40)
