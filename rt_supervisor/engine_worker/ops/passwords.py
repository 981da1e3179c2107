"""Operations of `js/rt/crypto/password.js`: hashing and verifying passwords, at once or on a thread.

Hashes are text: PHC strings for Argon2, `$2b$` and variants for bcrypt. Passwords that are too long for bcrypt are
hashed first.
"""

from __future__ import annotations

import os

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..host import Host

SALT_BYTES = 32
HASH_BYTES = 32
BCRYPT_SALT_BYTES = 16
BCRYPT_BYTES = 72  # bcrypt ignores the rest
LANES = 1
VERSION = 19


class Unsupported(Exception):
    """A text is not a known hash; the argument is Bun's word for the problem."""


def operations(host: Host) -> dict[str, Any]:
    def later(work: Callable[[], Any], callback: Any) -> None:
        """Run `work` on a thread; call `callback(result, code of the problem)` in a later turn."""
        from .threads import run_on_thread

        loop = host.loop
        loop.waker()
        loop.references += 1

        def answer(outcome: list[Any]) -> None:
            loop.references -= 1
            host.entry.invoke("call", callback, *outcome)

        def run() -> None:
            outcome = _outcome(work)
            loop.complete(lambda: answer(outcome))

        run_on_thread(run)

    return {
        "hash": (lambda password, settings: _outcome(lambda: hash_password(password, settings)), "bc"),
        "verify": (lambda password, text, algorithm: _outcome(lambda: verify(password, text, algorithm)), "bsv"),
        "hashLater": (
            lambda password, settings, callback: later(lambda: hash_password(password, settings), callback), "bcv",
        ),
        "verifyLater": (
            lambda password, text, algorithm, callback: later(lambda: verify(password, text, algorithm), callback),
            "bsvv",
        ),
    }  # fmt: skip


def _outcome(work: Callable[[], Any]) -> list[Any]:
    try:
        return [work(), _native.null]
    except Unsupported as problem:
        return [_native.null, str(problem)]
    except ValueError as problem:
        return [_native.null, str(problem)]


def hash_password(password: bytes, settings: dict[str, Any]) -> str:
    """Return the text of a new hash. Raises ValueError for settings that the algorithm rejects."""
    algorithm = settings["algorithm"]
    if algorithm == "bcrypt":
        return _native.bcrypt(_short(password), settings["cost"], os.urandom(BCRYPT_SALT_BYTES))
    memory, passes = settings["memoryCost"], settings["timeCost"]
    salt = os.urandom(SALT_BYTES)
    digest = _native.argon2(algorithm, password, salt, memory, passes, LANES, HASH_BYTES)
    return f"${algorithm}$v={VERSION}$m={memory},t={passes},p={LANES}${_encode(salt)}${_encode(digest)}"


def verify(password: bytes, text: str, algorithm: str | None) -> bool:
    """Return whether `password` matches the hash `text`, which must be of `algorithm` if given. Raises Unsupported."""
    if text == "" or password == b"":
        return False
    if text.startswith("$argon2"):
        return (algorithm is None or text.startswith(f"${algorithm}$")) and _matches_argon2(password, text)
    if not text.startswith("$2"):
        raise Unsupported("UnsupportedAlgorithm")
    if algorithm not in (None, "bcrypt"):
        return False
    try:
        return _native.bcrypt_matches(_short(password), text)
    except ValueError as error:
        raise Unsupported("InvalidEncoding") from error


def _matches_argon2(password: bytes, text: str) -> bool:
    from hmac import compare_digest

    try:
        _, variant, version, parameters, salt, digest = text.split("$")
        figures = dict(part.split("=") for part in parameters.split(","))
        expected = _decode(digest)
        if version != f"v={VERSION}":
            raise Unsupported("InvalidEncoding")
        memory, passes, lanes = int(figures["m"]), int(figures["t"]), int(figures["p"])
        found = _native.argon2(variant, password, _decode(salt), memory, passes, lanes, len(expected))
    except (ValueError, KeyError, OverflowError) as error:
        raise Unsupported("InvalidEncoding") from error
    return compare_digest(found, expected)


def _short(password: bytes) -> bytes:
    """Return the input of bcrypt: the password if bcrypt uses all of it, otherwise a digest of it."""
    if len(password) <= BCRYPT_BYTES:
        return password
    from hashlib import sha512

    return sha512(password).digest()


def _encode(data: bytes) -> str:
    from base64 import b64encode

    return b64encode(data).rstrip(b"=").decode("ascii")


def _decode(text: str) -> bytes:
    from base64 import b64decode

    return b64decode(text + "=" * (-len(text) % 4), validate=True)
