"""What tasks write: it is never among the inputs of the tasks of the same package that depend on them.

Each task of a long chain in one package has other outputs to leave out, and more than the one before. A set of outputs is therefore a
number with one bit for each of the different `Globs`, and a path is compared with all patterns at once.
"""

from __future__ import annotations

from ..vocabulary.record import record
from .globs import literal_of
from .sorted_paths import filtered, is_any_below, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .globs import Globs
    from .sorted_paths import SortedPaths

_FEW = 4  # outputs, for each of which the paths are searched rather than read


class OutputSets:
    """The sets of outputs of one run."""

    def __init__(self) -> None:
        self._bits: dict[Globs, int] = {}
        self._starts: dict[int, list[str]] = {}
        self._unread: list[tuple[int, Globs]] = []  # whose patterns are not in the tables below, which few runs need
        self._exact: dict[str, int] = {}  # by path, the bits of patterns that are this path
        self._below: dict[str, int] = {}  # by folder, the bits of patterns that include everything below it
        self._others: list[tuple[int, Globs]] = []  # have wildcards, or exclude files
        self._covering: dict[
            str, int
        ] = {}  # by folder, the bits of all patterns that include everything below it or a folder above

    def joined(self, globs: Globs, others: Iterable[Written]) -> Written:
        """Return the outputs that `globs` match or that are in `others`."""
        bits = self._bit(globs) if globs.included else 0
        for other in others:
            bits |= other.bits
        return Written(self, bits)

    def without(self, bits: int, paths: SortedPaths) -> SortedPaths:
        """Return those of `paths` that no output with these bits matches."""
        if bits.bit_count() <= _FEW and not any(is_any_below(paths, start) for start in self._starts_of(bits)):
            return paths  # as in most packages, whose outputs git ignores
        self._read_patterns()
        exact, covering = self._exact, self._covering

        def is_other(path: str) -> bool:
            folder = path[: max(0, path.rfind("/"))]
            above = covering.get(folder)
            if above is None:
                above = self._cover(folder)
            return not (above | exact.get(path, 0)) & bits

        found = filtered(paths, is_other)
        for bit, globs in self._others:
            if bits & bit and (outputs := set(globs.matching(found))):
                found = without(found, outputs)
        return found

    def are_apart_from(self, bits: int, folder: str, paths: SortedPaths) -> bool:
        """Return whether no output with these bits can be one of `paths` that is below `folder`, at first sight."""
        if bits.bit_count() > _FEW:
            return False
        for start in self._starts_of(bits):
            if start.startswith(f"{folder}/"):
                if is_any_below(paths, start):
                    return False
            elif not start or start == folder or folder.startswith(f"{start}/"):
                return False
        return True

    def _starts_of(self, bits: int) -> list[str]:
        """Return the folders and files that contain everything that outputs with these bits can match."""
        found = self._starts.get(bits)
        if found is None:
            found = []
            while bits:
                bit = bits & -bits
                found += self._starts[bit]
                bits ^= bit
        return found

    def _bit(self, globs: Globs) -> int:
        bit = self._bits.get(globs)
        if bit is None:
            bit = self._bits[globs] = 1 << len(self._bits)
            self._starts[bit] = globs.starts()
            self._unread.append((bit, globs))
        return bit

    def _read_patterns(self) -> None:
        if self._unread:
            unread, self._unread = self._unread, []
            self._covering.clear()
            for bit, globs in unread:
                self._add(globs, bit)

    def _add(self, globs: Globs, bit: int) -> None:
        literals = [literal_of(pattern) for pattern in globs.included]
        if globs.excluded or None in literals:
            self._others.append((bit, globs))
            return
        for folder, is_exact in filter(None, literals):
            self._below[folder] = self._below.get(folder, 0) | bit
            if is_exact:
                self._exact[folder] = self._exact.get(folder, 0) | bit

    def _cover(self, folder: str) -> int:
        found, at = 0, folder
        while at:
            found |= self._below.get(at, 0)
            at = at[: max(0, at.rfind("/"))]
        self._covering[folder] = found
        return found


@record
class Written:
    """The outputs in `sets` whose bits are in `bits`."""

    sets: OutputSets
    bits: int

    def __hash__(self) -> int:
        return hash(self.bits)

    def is_apart_from(self, folder: str, paths: SortedPaths) -> bool:
        """Return whether none of `paths` that is below `folder` is such an output, at first sight."""
        return not self.bits or self.sets.are_apart_from(self.bits, folder, paths)

    def without(self, paths: SortedPaths) -> SortedPaths:
        """Return those of `paths` that are not such outputs."""
        return self.sets.without(self.bits, paths) if self.bits else paths


NOTHING = Written(OutputSets(), 0)
