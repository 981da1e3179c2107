"""What `js/internal/crypto/binding.js` asks of the host: the functions of the native crypto module, and threads for them.

The module (OpenSSL) is loaded at a program's first use of cryptography. JavaScript calls its functions directly.
"""

from __future__ import annotations

from .threads import Threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


class CryptoMissing(Exception):
    """The native crypto module is not there."""


def operations(worker: Host) -> dict[str, Any]:
    threads = Threads(worker)

    def binding() -> Any:
        """Return an object with the native module's functions."""
        module = native_module()
        functions = {name: each for name, each in vars(module).items() if callable(each) and not isinstance(each, type)}
        return worker.engine.new_object({name: worker.engine.function(each, name) for name, each in functions.items()})

    def later(name: str, arguments: list[Any], callback: Any) -> None:
        """Call a native function on a thread; `callback(error)` or `callback(undefined, result)` in a later turn."""
        threads.ask(lambda: [None, getattr(native_module(), name)(*arguments)], callback)

    return {"binding": binding, "later": (later, "scv")}


def native_module() -> Any:
    try:
        from ... import _crypto
    except ImportError as problem:
        raise CryptoMissing(f"rt's native crypto module cannot be loaded: {problem}") from problem
    return _crypto
