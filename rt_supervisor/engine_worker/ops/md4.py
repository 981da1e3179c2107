"""MD4 (RFC 1320) with the interface of hashlib, for builds of hashlib that lack it. It is insecure; old formats require it."""

from __future__ import annotations

import struct

_MASK = 0xFFFFFFFF
_START = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
# For each round: its constant, the order in which it processes the words of a block, and the rotations of its four
# steps in bits.
_ROUNDS = (
    (0, tuple(range(16)), (3, 7, 11, 19)),
    (0x5A827999, (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), (3, 5, 9, 13)),
    (0x6ED9EBA1, (0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15), (3, 9, 11, 15)),
)


class Md4:
    """A digest with `update`, `copy` and `digest` as in hashlib."""

    name = "md4"
    digest_size = 16
    block_size = 64

    def __init__(self, data: bytes = b"") -> None:
        self._state: tuple[int, ...] = _START
        self._rest = b""
        self._length = 0
        self.update(data)

    def update(self, data: bytes, /) -> None:
        self._length += len(data)
        waiting = self._rest + bytes(data)
        whole = len(waiting) - len(waiting) % self.block_size
        for place in range(0, whole, self.block_size):
            self._state = _after(self._state, struct.unpack_from("<16I", waiting, place))
        self._rest = waiting[whole:]

    def copy(self) -> Md4:
        other = Md4()
        other._state, other._rest, other._length = self._state, self._rest, self._length
        return other

    def digest(self) -> bytes:
        last = self.copy()
        padding = b"\x80" + bytes((55 - self._length) % 64)
        last.update(padding + struct.pack("<Q", self._length * 8 & 0xFFFFFFFFFFFFFFFF))
        return struct.pack("<4I", *last._state)


def _after(state: tuple[int, ...], words: tuple[int, ...]) -> tuple[int, ...]:
    """Return the state after one block of sixteen words."""
    a, b, c, d = state
    for number, (constant, order, turns) in enumerate(_ROUNDS):
        for step, place in enumerate(order):
            if number == 0:
                mixed = b & c | ~b & d
            elif number == 1:
                mixed = b & c | b & d | c & d
            else:
                mixed = b ^ c ^ d
            total = a + mixed + words[place] + constant & _MASK
            turn = turns[step % 4]
            a, b, c, d = d, (total << turn | total >> 32 - turn) & _MASK, b, c
    return tuple(old + new & _MASK for old, new in zip(state, (a, b, c, d), strict=True))
