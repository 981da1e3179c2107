"""OpenSSL for the programs that rt runs (native/crypto). `engine_worker/ops/crypto.py` hands its functions to JavaScript;
`js/internal/crypto/binding.js` and the files that use it say what each takes. Nothing in Python calls them.
"""

class CryptoError(Exception):
    """What OpenSSL or Node refuses. `for_javascript`: (class, message, properties) of the error that a program sees."""

    for_javascript: tuple[str, str, dict[str, str | list[str]]]

def __getattr__(name: str) -> object: ...
