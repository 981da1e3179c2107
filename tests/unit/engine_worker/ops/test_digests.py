"""Digests by number: pieces, copies, keys, digests of variable size, and MD4, which hashlib may lack."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.engine_worker.ops.digests import operations
from rt_supervisor.engine_worker.ops.md4 import Md4


@pytest.fixture
def digests() -> dict[str, Any]:
    made: dict[str, Any] = operations(None)  # type: ignore[arg-type] # the host is not used
    return {name: each[0] if isinstance(each, tuple) else each for name, each in made.items()}


def test_pieces_and_copies(digests: dict[str, Any]) -> None:
    first = digests["start"]("sha512-256", None)
    digests["update"](first, b"one")
    second = digests["copy"](first)
    digests["update"](second, b"two")
    assert digests["finish"](first) == hashlib.new("sha512_256", b"one").digest()
    assert digests["finish"](second) == hashlib.new("sha512_256", b"onetwo").digest()
    assert digests["finish"](first) is None


def test_keys(digests: dict[str, Any]) -> None:
    number = digests["start"]("blake2b256", b"key")
    digests["update"](number, b"data")

    def blake2b256(data: bytes = b"") -> Any:
        return hashlib.blake2b(data, digest_size=32)

    assert digests["finish"](number) == hmac.new(b"key", b"data", blake2b256).digest()


def test_sizes(digests: dict[str, Any]) -> None:
    for name, size in (("shake128", 16), ("shake256", 32), ("sha1", 20), ("blake2s256", 32), ("md4", 16)):
        assert digests["size"](name) == len(digests["digest"](name, b"x")) == size
    with pytest.raises(ValueError, match="unsupported hash type"):
        digests["start"]("none", None)


# RFC 1320, A.5.
MD4 = {
    b"": "31d6cfe0d16ae931b73c59d7e0c089c0",
    b"abc": "a448017aaf21d8525fc10ae87aa6729d",
    b"abcdefghijklmnopqrstuvwxyz": "d79e1c308aa5bbcdeea8ed63df412da9",
    b"1234567890" * 8: "e33b4ddc9c38f2199c3e7b164fcc0536",
}


@pytest.mark.parametrize("text", MD4)
def test_md4(text: bytes) -> None:
    assert Md4(text).digest().hex() == MD4[text]


@given(st.lists(st.binary(max_size=150), max_size=6))
def test_md4_of_pieces(pieces: list[bytes]) -> None:
    digest = Md4()
    for piece in pieces:
        digest.update(piece)
    assert digest.copy().digest() == digest.digest() == Md4(b"".join(pieces)).digest()
