"""Digests of archives, declared and computed."""

from __future__ import annotations

import base64
import hashlib

import pytest

from rt_supervisor.packages.integrity import Digester, declared_integrity, is_match, matching_part, strongest


def sri(algorithm: str, data: bytes) -> str:
    return f"{algorithm}-{base64.b64encode(hashlib.new(algorithm, data).digest()).decode()}"


def test_a_digester_computes_every_algorithm() -> None:
    digester = Digester()
    digester.update(b"a")
    digester.update(b"bc")
    assert digester.integrity.split() == [sri(each, b"abc") for each in ("sha512", "sha384", "sha256", "sha1")]


def test_declared_integrity() -> None:
    sha1 = hashlib.sha1(b"x", usedforsecurity=False).hexdigest()
    assert declared_integrity({"shasum": sha1.upper()}) == sri("sha1", b"x")
    assert declared_integrity({"integrity": "md5-x", "shasum": sha1}) == sri("sha1", b"x")
    assert declared_integrity({"integrity": f"{sri('sha1', b'x')} {sri('sha256', b'y')}?a"}) == sri("sha256", b"y")
    broken: list[dict[str, object]] = [{}, {"integrity": 5}, {"shasum": "zz"}, {"shasum": "ab"}, {"shasum": {}}]
    for dist in broken:
        assert declared_integrity(dist) == ""


@pytest.mark.parametrize(
    ("expected", "actual", "answer"),
    [
        (sri("sha512", b"x"), sri("sha512", b"x"), True),
        (sri("sha512", b"x"), sri("sha512", b"y"), False),
        (f"{sri('sha512', b'y')} {sri('sha512', b'x')}", sri("sha512", b"x"), True),
        (f"{sri('sha512', b'y')} {sri('sha1', b'x')}", f"{sri('sha512', b'x')} {sri('sha1', b'x')}", False),
        (f"{sri('sha512', b'x')} {sri('sha1', b'x')}", sri("sha1", b"x"), None),
        ("md5-x", sri("sha1", b"x"), None),
        ("", sri("sha1", b"x"), None),
        (sri("sha1", b"x"), "", None),
    ],
)
def test_the_strongest_expected_algorithm_counts(expected: str, actual: str, answer: bool | None) -> None:
    assert is_match(expected, actual) is answer


def test_what_is_shown_beside_an_expected_digest() -> None:
    digester = Digester()
    digester.update(b"x")
    assert matching_part(sri("sha256", b"y"), digester.integrity) == sri("sha256", b"x")
    assert matching_part(sri("sha256", b"y"), sri("sha512", b"x")) == sri("sha512", b"x")
    assert strongest("sha9-x nothing -") == ""
