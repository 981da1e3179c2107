"""Operations of `js/rt/crypto/digests.js`: digests and keyed digests, each identified by a number."""

from __future__ import annotations

import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from ..host import Host

    class Digest(Protocol):
        def update(self, data: bytes, /) -> None: ...
        def copy(self) -> Any: ...


# Names that hashlib spells differently, and the sizes of digests without a fixed size.
_NAMES = {
    "sha512-224": "sha512_224", "sha512-256": "sha512_256", "sha3-224": "sha3_224", "sha3-256": "sha3_256",
    "sha3-384": "sha3_384", "sha3-512": "sha3_512", "shake128": "shake_128", "shake256": "shake_256",
}  # fmt: skip
_SIZES = {"shake128": 16, "shake256": 32}


def operations(host: Host) -> dict[str, Any]:
    under_way: dict[int, tuple[Digest, int | None]] = {}
    last = 0

    def keep(digest: Digest, size: int | None) -> int:
        nonlocal last
        last += 1
        under_way[last] = (digest, size)
        return last

    def start(algorithm: str, key: Any) -> int:
        if not isinstance(key, (bytes, bytearray, memoryview)) and not hasattr(key, "read"):
            return keep(new_digest(algorithm), _SIZES.get(algorithm))
        import hmac

        def digestmod(data: bytes = b"") -> Any:
            return new_digest(algorithm, data)

        return keep(hmac.new(bytes(key), digestmod=digestmod), None)

    def update(number: int, data: bytes) -> None:
        under_way[number][0].update(data)

    def copy(number: int) -> int:
        digest, size = under_way[number]
        return keep(digest.copy(), size)

    def finish(number: int) -> bytes | None:
        """Return the digest and drop its state; None if it was dropped before."""
        found = under_way.pop(number, None)
        return None if found is None else _bytes_of(*found)

    return {
        "start": start,
        "update": (update, "vb"),
        "copy": copy,
        "finish": finish,
        "digest": (lambda name, data: _bytes_of(new_digest(name, data), _SIZES.get(name)), "sb"),
        "size": lambda algorithm: _SIZES.get(algorithm) or new_digest(algorithm).digest_size,
        "algorithms": lambda names: [name for name in names.to_list() if _is_there(name)],
    }


def new_digest(algorithm: str, data: bytes = b"") -> Any:
    """Return hashlib's digest for one of the names of `js/rt/crypto/digests.js`. Raises ValueError if this build lacks it."""
    match algorithm:
        case "blake2b256":
            return hashlib.blake2b(data, digest_size=32, usedforsecurity=False)
        case "blake2b512":
            return hashlib.blake2b(data, usedforsecurity=False)
        case "blake2s256":
            return hashlib.blake2s(data, usedforsecurity=False)
        case "md4":
            from .md4 import Md4

            return Md4(data)
    return hashlib.new(_NAMES.get(algorithm, algorithm), data, usedforsecurity=False)


def _bytes_of(digest: Any, size: int | None) -> bytes:
    result: bytes = digest.digest() if size is None else digest.digest(size)
    return result


def _is_there(algorithm: str) -> bool:
    try:
        new_digest(algorithm)
    except ValueError:
        return False
    return True
