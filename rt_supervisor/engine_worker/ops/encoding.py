"""Operations of `js/web/encoding`: decoding legacy encodings, as a whole or in pieces with a numbered decoder."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    under_way: dict[int, _native.TextDecoder] = {}
    last = 0

    def start(label: str, is_fatal: bool) -> int:
        nonlocal last
        last += 1
        under_way[last] = _native.TextDecoder(label, is_fatal)
        return last

    def decode(number: int, data: bytes, is_last: bool) -> str | _native.JsNull:
        """Decode the next piece; the decoder is released after the last one or an error."""
        text = under_way[number].decode(data, is_last)
        if is_last or text is None:
            del under_way[number]
        return _native.null if text is None else text

    return {"start": (start, "sv"), "decode": (decode, "vbv")}
