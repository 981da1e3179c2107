"""Files of frozen modules: modules, compiled, in one file that the interpreter runs as its script (`frozen_boot`).

    code of frozen_boot as a .pyc | code of each module | marshalled (contents, length of the codes) | its length
    | record | length of the record | checksum of the record

The record is the part of a start image that the launcher reads; the shell bundle has none.
"""

from __future__ import annotations

from .. import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .frozen_boot import Places

    Frozen = dict[str, tuple[str, bool, bytes]]  # by name: the file, whether it is a package, the marshalled code

_PYC_HEAD_BYTES = 16


def encode(modules: Frozen, record: bytes = b"", **contents: Any) -> bytes:
    """Return the bytes of a file with `modules`, and `contents` for `frozen_boot`: among them `main`, the module to run."""
    import marshal
    from importlib.util import MAGIC_NUMBER

    from . import frozen_boot

    code = frozen_boot.__spec__.loader.get_code(frozen_boot.__name__)  # type: ignore[union-attr]
    codes = b"".join(code for _, _, code in modules.values())
    about = marshal.dumps(({"modules": _places(modules), **contents}, len(codes)))
    return b"".join(
        (
            MAGIC_NUMBER + bytes(_PYC_HEAD_BYTES - len(MAGIC_NUMBER)) + marshal.dumps(code),
            codes,
            about,
            len(about).to_bytes(8, "little"),
            record,
            len(record).to_bytes(8, "little"),
            _native.checksum(record).to_bytes(8, "little"),
        )
    )


def _places(modules: Frozen) -> Places:
    places, at = {}, 0
    for name, (file, is_package, code) in modules.items():
        places[name] = (file, is_package, at, at + len(code))
        at += len(code)
    return places
