"""Numbered decoders of legacy encodings: pieces, errors, and their release."""

from __future__ import annotations

from typing import Any

import pytest

from rt_supervisor import _native
from rt_supervisor.engine_worker.ops.encoding import operations


@pytest.fixture
def encoding() -> dict[str, Any]:
    return {name: operation for name, (operation, _) in operations(None).items()}  # type: ignore[arg-type]


def test_a_character_in_two_pieces(encoding: dict[str, Any]) -> None:
    data = "日本".encode("shift-jis")
    number = encoding["start"]("shift_jis", False)
    assert encoding["decode"](number, data[:3], False) + encoding["decode"](number, data[3:], True) == "日本"
    with pytest.raises(KeyError):
        encoding["decode"](number, b"", True)


def test_invalid_bytes_are_replaced_or_end_a_fatal_decoder(encoding: dict[str, Any]) -> None:
    assert encoding["decode"](encoding["start"]("euc-kr", False), b"a\xffb", True) == "a\ufffdb"
    fatal = encoding["start"]("euc-kr", True)
    assert encoding["decode"](fatal, b"a\xffb", False) is _native.null
    with pytest.raises(KeyError):
        encoding["decode"](fatal, b"", False)


def test_decoders_do_not_share_state(encoding: dict[str, Any]) -> None:
    one, two = encoding["start"]("gbk", False), encoding["start"]("gbk", False)
    assert one != two
    assert encoding["decode"](one, b"\xc4", False) == ""
    assert encoding["decode"](two, b"a", True) == "a"
    assert encoding["decode"](one, b"\xe3", True) == "你"
