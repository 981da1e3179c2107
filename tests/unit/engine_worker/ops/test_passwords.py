"""Passwords: hashes made by Bun verify, and new hashes have the same format."""

from __future__ import annotations

import pytest

from rt_supervisor.engine_worker.ops.passwords import Unsupported, hash_password, verify

# Made by Bun, of the password "x" and of "a" repeated 80 times.
OF_THE_PEER = [
    "$argon2id$v=19$m=65536,t=2,p=1$1osoqcL5MLSLo/WAy4nP02Jjaoqv1C+X52dpE420Ovo$90DmCLqoVzncQtfWFVA/wJMm+tJuE03XxZrBWryy5pc",
    "$argon2i$v=19$m=8,t=1,p=1$jyUoaGn9pz6Zs/VOLm5C/VS2btuOWplcNejCtvN86dY$N+PFDODTeel4F6JidE5qfkg7S52X/KnvaQGifep6LMM",
    "$argon2d$v=19$m=8,t=1,p=1$Jvv7kPDJ9apxMgNVRWz9eoiB1+yjJkburLWRpjtNVWk$tRbukTJAl/E7payb2YH4RZcc7NFnV6nQIbOcsXT7usA",
    "$2b$04$8G/M/aGNBDwULonMp2ywueGBdA3nNtkpt1fimZNIz17aOgTAcHxsi",
]
CHEAP = {"cost": 4, "memoryCost": 8, "timeCost": 1}


@pytest.mark.parametrize("text", OF_THE_PEER)
def test_hashes_made_by_bun_verify(text: str) -> None:
    assert verify(b"x", text, None)
    assert not verify(b"y", text, None)
    assert not verify(b"x", text, "argon2d" if "argon2d" not in text else "argon2i")


@pytest.mark.parametrize("algorithm", ["argon2id", "argon2i", "argon2d", "bcrypt"])
def test_hashes_verify(algorithm: str) -> None:
    settings = {**CHEAP, "algorithm": algorithm}
    for password in (b"x", b"a" * 80, bytes(range(256))):
        text = hash_password(password, settings)
        assert text.startswith("$2b$04$" if algorithm == "bcrypt" else f"${algorithm}$v=19$m=8,t=1,p=1$")
        assert text != hash_password(password, settings)
        assert verify(password, text, algorithm)
        assert not verify(password + b"!", text, None)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("nope", "UnsupportedAlgorithm"), ("$1$x", "UnsupportedAlgorithm"), ("$2a$04$short", "InvalidEncoding"),
        ("$argon2id$v=19$m=8", "InvalidEncoding"), ("$argon2id$v=19$m=8,t=1,p=1$?$?", "InvalidEncoding"),
        ("$argon2id$v=16$m=8,t=1,p=1$YWFhYWFhYWE$YWFhYQ", "InvalidEncoding"),
        ("$argon2id$v=19$m=99999999999,t=1,p=1$YWFhYWFhYWE$YWFhYWFhYWE", "InvalidEncoding"),
        ("$argon2id$v=19$m=-8,t=1,p=1$YWFhYWFhYWE$YWFhYWFhYWE", "InvalidEncoding"),
    ],
)  # fmt: skip
def test_malformed_hashes_are_rejected(text: str, word: str) -> None:
    with pytest.raises(Unsupported, match=word):
        verify(b"x", text, None)


def test_nothing_matches_nothing() -> None:
    assert not verify(b"", OF_THE_PEER[0], None)
    assert not verify(b"x", "", None)
