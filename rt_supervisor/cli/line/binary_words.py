"""The words of `rt x`: its flags, the package, the binary, and the arguments of the binary."""

from __future__ import annotations

from ...vocabulary.errors import Failed
from ...vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_YES = ("-y", "--yes")  # npx asks before it installs; rt does not
_AS_RT = ("-b", "--rt", "--bun")
_PACKAGE = ("-p", "--package")


@record
class BinaryWords:
    """`package` is "" without --package: then `binary` names the package, possibly with a version.

    `needs_npx` is set for flags that only npx has.
    """

    binary: str
    arguments: tuple[str, ...]
    package: str
    as_rt: bool
    is_silent: bool
    no_install: bool
    needs_npx: bool


def read_binary_words(words: Sequence[str]) -> BinaryWords:
    """Parse what follows `rt x`. Raises Failed without a binary."""
    rest = list(words)
    package = ""
    as_rt = is_silent = no_install = needs_npx = False
    while rest and rest[0].startswith("-"):
        flag, equals, value = rest[0].partition("=")
        if flag in _PACKAGE and (equals or len(rest) > 1):
            needs_npx |= bool(package)  # several packages
            package = value if equals else rest.pop(1)
        elif rest[0] in _AS_RT:
            as_rt = True
        elif rest[0] == "--silent":
            is_silent = True
        elif rest[0] == "--no-install":
            no_install = True
        elif rest[0] == "--":
            rest.pop(0)
            break
        elif rest[0] not in _YES:
            needs_npx = True
            break
        rest.pop(0)
    if not rest:
        raise Failed("no-names", "rt x needs the name of a binary, such as `rt x eslint`")
    return BinaryWords(rest[0], tuple(rest[1:]), package, as_rt, is_silent, no_install, needs_npx)
