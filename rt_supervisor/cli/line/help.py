"""`rt --help`, `rt run --help` and the help of rt's other commands, all from the tables of flags and commands."""

from __future__ import annotations

import os

from . import commands, flags

_BOLD, _DIM, _CYAN, _GREEN, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[36m", "\x1b[32m", "\x1b[0m"
_FLAG_COLUMN = 34  # where the help of a flag starts; beside a longer flag it starts on the next line
_OVERVIEW_GROUPS = ("General execution", "Workspace management", "Global configuration and context")
_FLAGS_OF = {
    "graph": ("format", "filter", "workspaces", "strict-cycles", "cwd"),
    "completions": (),
    "x": ("rt", "silent"),
}


def overview(width: int, *, colour: bool) -> str:
    """`rt --help`: a description of rt, its commands, and common flags."""
    page = _Page(width, colour)
    page.text("rt runs JavaScript and TypeScript, and supervises the scripts of JavaScript monorepos.")
    page.blank()
    page.plain("Usage: rt <command> [...flags] [...args]")
    page.blank()
    page.heading("Commands")
    left = [f"{name} {arguments}".strip() for name, arguments, _ in commands.COMMANDS]
    left.append("<file or script>")
    for (name, _, text), words in zip(commands.COMMANDS, left, strict=False):
        page.entry(f"  {words}", f"  {page.paint(name, _GREEN)}{words[len(name) :]}", text, max(map(len, left)) + 4)
    page.entry(f"  {left[-1]}", f"  {left[-1]}", "Shorthand for rt run <file or script>", max(map(len, left)) + 4)
    for title, group in flags.FLAG_GROUPS:
        if title in _OVERVIEW_GROUPS:
            page.blank()
            page.rows(title, group)
    page.blank()
    page.text("All flags: rt run --help")
    return page.done()


def run_help(width: int, *, colour: bool) -> str:
    """`rt run --help`: every flag, by group."""
    page = _Page(width, colour)
    page.plain("Usage: rt run [flags] <file or script>")
    page.blank()
    page.text("Flags go before the name; what comes after it is passed on to the file or script.")
    for title, group in flags.FLAG_GROUPS:
        page.blank()
        page.rows(title, group)
    page.blank()
    page.heading("Examples")
    for line in (
        "rt run build",
        "rt ./server.ts --port 8080",
        "rt run --filter 'packages-*' build",
        "rt run --parallel 'lint:*' test",
    ):
        page.plain(f"  {line}")
    return page.done()


def command_help(name: str, width: int, *, colour: bool) -> str:
    """The help of one of `commands.COMMANDS` other than run."""
    ((_, arguments, text),) = [row for row in commands.COMMANDS if row[0] == name]
    page = _Page(width, colour)
    rows = tuple(flags.BY_NAME[flag] for flag in _FLAGS_OF.get(name, ()))
    page.plain(f"Usage: rt {name} {'[flags] ' if rows else ''}{arguments}".rstrip())
    page.blank()
    page.text(text)
    if rows:
        page.blank()
        page.rows("Flags", rows)
    return page.done()


def terminal_width(descriptor: int) -> int:
    """The width to wrap help to: COLUMNS, else that of the terminal, else 100."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return max(40, int(columns))
    try:
        return max(40, os.get_terminal_size(descriptor).columns)
    except OSError:
        return 100


class _Page:
    """Lines of text within a width; colours do not count."""

    def __init__(self, width: int, colour: bool) -> None:
        self._width = min(width, 120)
        self._colour = colour
        self._lines: list[str] = []

    def done(self) -> str:
        return "\n".join(self._lines) + "\n"

    def paint(self, text: str, codes: str) -> str:
        return f"{codes}{text}{_RESET}" if self._colour and text else text

    def blank(self) -> None:
        self._lines.append("")

    def plain(self, line: str) -> None:
        self._lines.append(line)

    def text(self, text: str) -> None:
        self._lines += _wrap(text, self._width)

    def heading(self, text: str) -> None:
        self._lines.append(self.paint(f"{text}:", _BOLD))

    def rows(self, title: str, rows: tuple[flags.Flag, ...]) -> None:
        self.heading(title)
        for row in rows:
            self.entry(_format_left(row), self._paint_left(row), flag_text(row), _FLAG_COLUMN)

    def entry(self, left: str, painted: str, text: str, column: int) -> None:
        """`left` (shown as `painted`) and its text, in two columns; one under the other where that is too narrow."""
        first, *others = _wrap(text, self._width - column) if self._width - column >= 36 else [""]
        if not first or len(left) + 2 > column:
            self._lines.append(painted)
            lines = [first, *others] if first else _wrap(text, self._width - 8)
            indent = column if first else 8
        else:
            self._lines.append(painted + " " * (column - len(left)) + first)
            lines, indent = others, column
        self._lines += [" " * indent + line for line in lines]

    def _paint_left(self, row: flags.Flag) -> str:
        short, long, value = _spellings(row)
        comma = ", " if short and long else ""
        pad = "" if short else "    "
        return f"  {pad}{self.paint(short, _CYAN)}{comma}{self.paint(long, _CYAN)}{self.paint(value, _DIM)}"


def flag_text(row: flags.Flag) -> str:
    """The help of a flag with its default."""
    text, default = row.help, row.default
    if default is not None:
        text += f" (default: {str(default).replace(',', ', ')})"
    return text


def _spellings(row: flags.Flag) -> tuple[str, str, str]:
    """Short form, long form and value of a flag, each maybe empty."""
    short = f"-{row.short}" if row.short else ""
    long = f"--{row.name}" if row.name else ""
    value = f"=<{row.value}>" if row.value else ""
    if row.kind == flags.OPTIONAL:
        value = f"[{value}]"
    return short, long, value


def _format_left(row: flags.Flag) -> str:
    short, long, value = _spellings(row)
    return f"  {short or '    '}{', ' if short and long else ''}{long}{value}"


def _wrap(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines
