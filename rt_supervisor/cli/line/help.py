"""`rt --help`, `rt run --help` and the help of rt's other commands, all from the tables of flags and commands."""

from __future__ import annotations

import os

from . import commands, flags

_BOLD, _DIM, _CYAN, _GREEN, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[36m", "\x1b[32m", "\x1b[0m"
_FLAG_COLUMN = 34  # where the help of a flag starts; beside a longer flag it starts on the next line
_FLAGS_OF = {
    "graph": ("format", "filter", "workspaces", "strict-cycles", "cwd"),
    "completions": (),
    "x": ("rt", "silent"),
}


# The most common uses: a command line and its description. Each fits on one line of 80 columns.
EXAMPLES = (
    ("rt server.ts", "run a file: TypeScript, JSX, ES modules, CommonJS"),
    ("rt run build", "run a script of package.json; `rt run` lists them"),
    ("rt run --filter 'web...' build", "run it in packages and their dependencies"),
    ("rt run --parallel lint test", "run several scripts at once"),
    ("rt --watch server.ts", "restart when a file changes"),
    ("rt --hot server.ts", "reload changed modules without a restart"),
    ("rt --inspect server.ts", "debug in a browser or an editor"),
    ("rt --preload ./setup.ts app.ts", "import a module first"),
    ("rt -i app.ts", "install missing packages while running"),
    ("rt -p '6 * 7'", "evaluate code and print the result"),
    ("rt x eslint src", "run the binary of an installed package"),
)
_EXAMPLE_COLUMN = 34


def overview(width: int, *, colour: bool) -> str:
    """Return `rt --help`: examples, the commands of rt, and references to further help."""
    from .topics import topics

    page = _Page(width, colour)
    page.text("rt runs JavaScript and TypeScript, and supervises the scripts of monorepos.")
    page.blank()
    page.plain("Usage: rt <command> [...flags] [...args]")
    page.blank()
    for words, text in EXAMPLES:
        page.entry(f"  {words}", f"  {page.paint(words, _CYAN)}", text, _EXAMPLE_COLUMN)
    page.blank()
    page.text(f"Commands: {', '.join(name for name, _, _ in commands.COMMANDS)}")
    page.blank()
    for words, text in (
        ("rt run --help", "every flag"),
        ("rt help <command>", "a command and its flags"),
        ("rt help <topic>", f"a page of the documentation: {', '.join(topics())}"),
    ):
        page.entry(f"  {words}", f"  {page.paint(words, _GREEN)}", text, 22)
    return page.done()


def run_help(width: int, *, colour: bool) -> str:
    """Return `rt run --help`: every flag, by group."""
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
    """Return the help of one of `commands.COMMANDS` other than run."""
    ((_, arguments, text),) = [row for row in commands.COMMANDS if row[0] == name]
    page = _Page(width, colour)
    if name in commands.WITH_OWN_FLAGS:
        from . import command_words

        rows = command_words.flags_of(name)
    else:
        rows = tuple(flags.BY_NAME[flag] for flag in _FLAGS_OF.get(name, ()))
    page.plain(f"Usage: rt {name} {'[flags] ' if rows else ''}{arguments}".rstrip())
    page.blank()
    page.text(text)
    if name in commands.OF_RUNS:
        page.text(f"A script, file or binary named {name} precedes this command.")
    if rows:
        page.blank()
        page.rows("Flags", rows)
    return page.done()


def terminal_width(descriptor: int) -> int:
    """Return the width for wrapping: COLUMNS, the width of the terminal, or 100."""
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
        """Add `left` (shown as `painted`) and its text in two columns, or below each other if that is too narrow."""
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
    """Return the help of a flag with its default."""
    text, default = row.help, row.default
    if default is not None:
        text += f" (default: {str(default).replace(',', ', ')})"
    return text


def _spellings(row: flags.Flag) -> tuple[str, str, str]:
    """Return short form, long form and value of a flag, each of which may be empty."""
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
