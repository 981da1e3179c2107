"""Operations of `js/rt`: hashes, colours, glob matching."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    return {
        "hashLong": (lambda name, data, seed: _native.BigInt(_native.hash_bytes(name, data, seed)), "sbv"),
        "hashShort": (hash_short, "sbv"),
        "parseColor": (parse_color, "s"),
        "ambiguousCount": (ambiguous_count, "s"),
        "globMatches": (lambda pattern, texts: _native.match_glob(pattern, texts, extended=True), "sc"),
    }


def hash_short(name: str, data: bytes, seed: int) -> int:
    """Return a 32-bit hash or checksum of `data`."""
    import zlib

    match name:
        case "crc32":
            return zlib.crc32(data, seed)
        case "adler32":
            return zlib.adler32(data)
    return _native.hash_bytes(name, data, seed)


def parse_color(text: str) -> dict[str, Any] | None:
    """Return the parts of a CSS colour for `js/rt/terminal/color.js`; `channels` is null if only a page can resolve it."""
    found = _native.parse_color(text)
    if found is None:
        return None
    css, values = found
    if values is None:
        return {"css": css, "channels": _native.null}
    channels, hsl, lab, alpha = values
    return {"css": css, "channels": list(channels), "hsl": hsl, "lab": lab, "alphaText": alpha}


def ambiguous_count(text: str) -> int:
    """Return the number of characters in `text` whose East Asian width is ambiguous."""
    from unicodedata import category, east_asian_width

    return sum(east_asian_width(each) == "A" and not category(each).startswith("M") for each in text)
