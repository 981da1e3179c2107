"""rt's own colours: those of states, and one for each package. If disabled, text stays unchanged."""

from __future__ import annotations

BOLD = "1"
DIM = "2"
RED = "31"
GREEN = "32"
YELLOW = "33"
CYAN = "36"
_PACKAGES = ("36", "35", "34", "33", "32", "96", "95", "94", "93", "92")


class Palette:
    """Colours text with SGR codes, unless colours are disabled (NO_COLOR)."""

    def __init__(self, *, is_on: bool) -> None:
        self.is_on = is_on

    def paint(self, text: str, *codes: str) -> str:
        """Return `text` with these codes, followed by a reset."""
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.is_on and codes else text

    @staticmethod
    def of_package(index: int) -> str:
        """Return the colour code of the package at `index`; neighbours differ."""
        return _PACKAGES[index % len(_PACKAGES)]
