"""Subresource Integrity, as registries and lockfiles use it: parse, compute and compare digests.

An integrity is text such as `sha512-BASE64 sha1-BASE64`. Only the strongest algorithm that rt knows counts, as in npm.
Text without a known algorithm is ignored: `strongest` returns "" for it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ALGORITHMS = ("sha512", "sha384", "sha256", "sha1")  # the strongest first


class Digester:
    """Computes the digests of data that arrives in pieces."""

    def __init__(self) -> None:
        self._hashes = [hashlib.new(algorithm, usedforsecurity=algorithm != "sha1") for algorithm in ALGORITHMS]

    def update(self, data: bytes) -> None:
        for each in self._hashes:
            each.update(data)

    @property
    def integrity(self) -> str:
        """The digests of all data so far, with every algorithm that rt knows."""
        return " ".join(f"{each.name}-{base64.b64encode(each.digest()).decode()}" for each in self._hashes)


def declared_integrity(dist: Mapping[str, object]) -> str:
    """Return the integrity in the `dist` of a registry's document: `integrity`, otherwise `shasum`, otherwise ""."""
    integrity, shasum = dist.get("integrity"), dist.get("shasum")
    if isinstance(integrity, str) and (declared := strongest(integrity)):
        return declared
    try:
        digest = binascii.unhexlify(shasum) if isinstance(shasum, str) else b""
    except ValueError:
        return ""
    return (
        f"sha1-{base64.b64encode(digest).decode()}"
        if len(digest) == hashlib.sha1(usedforsecurity=False).digest_size
        else ""
    )


def strongest(integrity: str) -> str:
    """Return the part of `integrity` that counts, in canonical form; "" if no algorithm is known."""
    digests = _digests(integrity)
    algorithm = next((each for each in ALGORITHMS if each in digests), "")
    return " ".join(f"{algorithm}-{digest}" for digest in sorted(digests.get(algorithm, ())))


def is_match(expected: str, actual: str) -> bool | None:
    """Return whether `actual` has a digest that `expected` accepts; None if they have no algorithm in common."""
    accepted, present = _digests(strongest(expected)), _digests(actual)
    for algorithm, digests in accepted.items():
        return bool(digests & present[algorithm]) if algorithm in present else None
    return None


def matching_part(expected: str, actual: str) -> str:
    """Return the digests of `actual` to show beside `expected`: those of the algorithm that counts."""
    algorithm = strongest(expected).partition("-")[0]
    shown = [f"{algorithm}-{digest}" for digest in sorted(_digests(actual).get(algorithm, ()))]
    return " ".join(shown) or strongest(actual)


def _digests(integrity: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for each in integrity.split():
        algorithm, _, digest = each.partition("-")
        if algorithm in ALGORITHMS:
            found.setdefault(algorithm, set()).add(digest.partition("?")[0])
    return found
