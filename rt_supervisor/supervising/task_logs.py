"""The output of a task as it is stored with its result, which is the same whether the task had a terminal or pipes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PIECE_BYTES = 64 << 10


def without_returns(log: Sequence[tuple[int, int, bytes]]) -> list[tuple[int, int, bytes]]:
    """Return recorded output of a terminal with the line ends that the script wrote, in pieces (step, stream, bytes)."""
    written: dict[tuple[int, int], list[bytes]] = {}
    for step, stream, block in log:
        written.setdefault((step, stream), []).append(block)
    pieces = []
    for (step, stream), blocks in written.items():
        text = b"".join(blocks).replace(b"\r\n", b"\n")  # a line end may be split between two blocks
        pieces += [(step, stream, text[at : at + _PIECE_BYTES]) for at in range(0, len(text), _PIECE_BYTES)]
    return pieces
