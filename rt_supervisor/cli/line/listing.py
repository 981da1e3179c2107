"""`rt run` without a name: the scripts of the nearest package.json."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_BLUE, _DIM, _RESET = "\x1b[34m", "\x1b[2m", "\x1b[0m"
_USAGE = "Usage: rt run [flags] <file or script>\n       rt run --help lists the flags\n\n"


def listing(scripts: Mapping[str, str] | None, *, colour: bool) -> str:
    """Return the text of the list; `scripts` is None without a package.json. Empty scripts are omitted."""
    if scripts is None:
        return f"{_USAGE}No package.json found.\n"
    shown = {name: command for name, command in scripts.items() if command}
    if not shown:
        return f'{_USAGE}No "scripts" found in package.json.\n'
    dim, blue, reset = (_DIM, _BLUE, _RESET) if colour else ("", "", "")
    entries = "".join(
        f"  {dim}${reset} rt run {blue}{one_line(name)}{reset}\n    {dim}{one_line(command)}{reset}\n\n"
        for name, command in shown.items()
    )
    return f"{_USAGE}package.json scripts ({len(shown)} found):\n{entries}"


def one_line(text: str) -> str:
    r"""`text` without control characters: line ends as `\n`, so that they cannot break the list or control a terminal."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == " " else char.encode("unicode_escape").decode("ascii") for char in text
    )
