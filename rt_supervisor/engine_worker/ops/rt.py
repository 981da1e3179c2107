"""What `js/rt_*.js` asks of the host: hashes, glob matching."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..worker import EngineWorker

MASK = (1 << 64) - 1
SECRET = (0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3)
STRIPE = 48


def operations(worker: EngineWorker) -> dict[str, Any]:
    def checksum(name: str, data: bytes, seed: int) -> int:
        import zlib

        return zlib.crc32(data, seed) if name == "crc32" else zlib.adler32(data)

    return {
        "wyhash": (lambda data, seed: _native.BigInt(wyhash(data, seed)), "bv"),
        "checksum": (checksum, "sbv"),
        "globMatches": (_native.match_glob, "sc"),
    }


def wyhash(data: bytes, seed: int) -> int:
    """Return Wyhash (final version 4) of `data`, an integer below 2**64."""
    seed &= MASK
    first = seed ^ _mix(seed ^ SECRET[0], SECRET[1])
    size = len(data)
    if size <= 16:
        a, b = _short(data)
    else:
        first = _stripes(data, first)
        a, b = _eight(data, size - 16), _eight(data, size - 8)
    product = (a ^ SECRET[1]) * (b ^ first)
    return _mix((product & MASK) ^ SECRET[0] ^ size, (product >> 64) ^ SECRET[1])


def _stripes(data: bytes, first: int) -> int:
    size = len(data)
    place = 0
    if size >= STRIPE:
        lanes = [first, first, first]
        while place + STRIPE < size:
            for lane in range(3):
                a, b = _eight(data, place + 16 * lane), _eight(data, place + 16 * lane + 8)
                lanes[lane] = _mix(a ^ SECRET[lane + 1], b ^ lanes[lane])
            place += STRIPE
        first = lanes[0] ^ lanes[1] ^ lanes[2]
    while place + 16 < size:
        first = _mix(_eight(data, place) ^ SECRET[1], _eight(data, place + 8) ^ first)
        place += 16
    return first


def _short(data: bytes) -> tuple[int, int]:
    size = len(data)
    if size >= 4:
        quarter = (size >> 3) << 2
        return (
            _four(data, 0) << 32 | _four(data, quarter),
            _four(data, size - 4) << 32 | _four(data, size - 4 - quarter),
        )
    if size:
        return data[0] << 16 | data[size >> 1] << 8 | data[size - 1], 0
    return 0, 0


def _mix(a: int, b: int) -> int:
    product = a * b
    return product & MASK ^ product >> 64


def _eight(data: bytes, place: int) -> int:
    return int.from_bytes(data[place : place + 8], "little")


def _four(data: bytes, place: int) -> int:
    return int.from_bytes(data[place : place + 4], "little")
