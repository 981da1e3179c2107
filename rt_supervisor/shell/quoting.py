"""Reads the inside of words: quotes, escapes, and expansions with `$` and backquotes (POSIX 2.2, 2.6.2 to 2.6.4).

Reads from a `Lexer`, which holds the position, and creates the parts of `tree.Word`. Nothing is expanded here.
"""

from __future__ import annotations

from .tree import ArithmeticExpansion, CommandSubstitution, Parameter, ProcessSubstitution, SyntaxProblem, Text, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lexer import Lexer
    from .tree import Part

WORD_ENDS = frozenset(" \t\n;&|<>()")
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+")
_STARTS_SOMETHING = frozenset("\\'\"$`")
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME = _NAME_START | frozenset("0123456789")
_SPECIAL = frozenset("?$#@*!-0123456789")
_DIGITS = frozenset("0123456789")
# The longest first.
_OPERATORS = (
    *(":-", ":=", ":?", ":+", "-", "=", "?", "+", "##", "#", "%%", "%", "//", "/#", "/%", "/", ":"),
    *("^^", "^", ",,", ",", "@"),
)
_MOST_LOOKED_AHEAD = 8_000_000
_BRACE_END = frozenset("}")
_SUBSCRIPT_END = frozenset("]")
_SLASH_OR_BRACE = frozenset("/}")
_COLON_OR_BRACE = frozenset(":}")


def is_name(text: str) -> bool:
    """Return whether `text` is a valid name of a variable."""
    return bool(text) and text[0] in _NAME_START and all(character in _NAME for character in text)


def begins_process_substitution(text: str, at: int) -> bool:
    """Return whether `<(` or `>(` is at `at`."""
    return text[at] in "<>" and text.startswith("(", at + 1)


def quoted_text(text: str, at: int) -> Text:
    return Text(text, True, at)


def make_word(parts: Sequence[Part], at: int, end: int) -> Word:
    """Return the word of `parts`, with the properties that are known before it is expanded."""
    literal: str | None = ""
    has_braces = has_substitution = False
    for place, part in enumerate(parts):
        if not isinstance(part, Text):
            literal = None
            if not isinstance(part, Parameter) or part.operand is not None:
                has_substitution = True
            continue
        if not part.quoted:
            text = part.text
            if "{" in text:
                has_braces = True
            is_special = "*" in text or "?" in text or ("[" in text and len(text) > 1) or has_braces
            if is_special or (place == 0 and "~" in text and (text[0] == "~" or "=~" in text)):
                literal = None
        if literal is not None:
            literal += part.text
    if len(parts) > 1 and literal is not None and any(isinstance(p, Text) and p.text == "[" for p in parts):
        literal = None  # `["]"` and similar words are left to the expansion
    return Word(tuple(parts), at, end, literal, has_braces=has_braces, has_substitution=has_substitution)


def name_word(name: str, word: Word) -> Word:
    """Return a word for `name` alone, at the position of `word`."""
    return Word((Text(name, False, word.at),), word.at, word.end, name)


def read_parts(lexer: Lexer, ends: frozenset[str]) -> list[Part]:
    """Read up to an unquoted character of `ends` or the end of the text."""
    parts: list[Part] = []
    while lexer.at < len(lexer.text):
        text, length = lexer.text, len(lexer.text)  # aliases inside a part may have changed them
        at = lexer.at
        character = text[at]
        if character in ends:
            if ends is not WORD_ENDS or not begins_process_substitution(text, at):
                break
            lexer.at = at + 2
            body = lexer.commands_inside(at)
            parts.append(ProcessSubstitution(body, character == "<", True, at))
        elif character not in _STARTS_SOMETHING:
            end = at + 1
            while end < length and text[end] not in ends and text[end] not in _STARTS_SOMETHING:
                end += 1
            parts.append(Text(text[at:end], False, at))
            lexer.at = end
        elif character == "\\":
            if at + 1 >= length:
                parts.append(Text("\\", True, at))
            elif text[at + 1] != "\n":
                parts.append(Text(text[at + 1], True, at))
            lexer.at = min(at + 2, length)
        elif character == "'":
            end = text.find("'", at + 1)
            if end < 0:
                raise SyntaxProblem("Unclosed single quote", at)
            parts.append(Text(text[at + 1 : end], True, at))
            lexer.at = end + 1
        elif character == '"':
            lexer.at += 1
            parts += read_double_quoted(lexer, at)
        elif character == "`":
            parts.append(_read_backquoted(lexer, quoted=False))
        else:
            parts.append(read_dollar(lexer, quoted=False))
    return _merge(parts)


def _merge(parts: list[Part]) -> list[Part]:
    """Merge neighbouring texts with the same quoting."""
    merged: list[Part] = []
    run: list[str] = []
    first: Text | None = None
    for part in parts:
        if isinstance(part, Text) and first is not None and first.quoted == part.quoted:
            run.append(part.text)
            continue
        if first is not None:
            merged.append(Text("".join(run), first.quoted, first.at) if len(run) > 1 else first)
            first = None
        if isinstance(part, Text):
            first, run = part, [part.text]
        else:
            merged.append(part)
    if first is not None:
        merged.append(Text("".join(run), first.quoted, first.at) if len(run) > 1 else first)
    return merged


def read_double_quoted(
    lexer: Lexer, opened: int, *, closer: str = '"', ends: frozenset[str] | None = None
) -> list[Part]:
    """Read after the opening quote up to and including `closer`; with "", to the end of the text (a here-document).

    With `ends`, stop before one of these instead (an operand inside `"${x:-operand}"`), where a double quote opens a
    separate string.
    """
    text, length = lexer.text, len(lexer.text)
    parts: list[Part] = []
    buffer: list[str] = []
    at = lexer.at
    start = at
    escapable = '$`"\\' if closer or ends else "$`\\"
    if ends:
        escapable += "}/"
    while True:
        if at >= length:
            if closer and ends is None:
                raise SyntaxProblem("Unclosed double quote", opened)
            break
        character = text[at]
        if ends is not None and character in ends:
            break
        if character == closer:
            if ends is None:
                at += 1
                break
            lexer.at = at + 1
            if buffer:
                parts.append(Text("".join(buffer), True, start))
                buffer = []
            parts += read_double_quoted(lexer, at)
            text, length = lexer.text, len(lexer.text)
            at = start = lexer.at
        elif character == "\\":
            following = text[at + 1 : at + 2]
            if following == "\n":
                pass
            elif following and following in escapable:
                buffer.append(following)
            else:
                buffer.append("\\" + following)
            at = min(at + 2, length)
        elif character in "$`":
            if buffer:
                parts.append(Text("".join(buffer), True, start))
                buffer = []
            lexer.at = at
            parts.append(_read_backquoted(lexer, quoted=True) if character == "`" else read_dollar(lexer, quoted=True))
            text, length = lexer.text, len(lexer.text)
            at = start = lexer.at
        else:
            end = at + 1
            while end < length and text[end] not in '\\$`"' and (ends is None or text[end] not in ends):
                end += 1
            buffer.append(text[at:end])
            at = end
    lexer.at = at
    if buffer or (not parts and closer and ends is None):
        parts.append(Text("".join(buffer), True, start))
    return parts


def read_dollar(lexer: Lexer, *, quoted: bool) -> Part:
    """Read an expansion that begins with `$`; otherwise the `$` is a character."""
    text, at = lexer.text, lexer.at
    following = text[at + 1 : at + 2]
    if following == "{":
        return _read_braced(lexer, quoted=quoted)
    if following == "(":
        if text.startswith("((", at + 1):
            arithmetic = _read_arithmetic(lexer, quoted=quoted)
            if arithmetic is not None:
                return arithmetic
        lexer.at = at + 2
        body = lexer.commands_inside(at)
        return CommandSubstitution(body, quoted, at)
    if following and following in _NAME_START:
        end = at + 2
        while end < len(text) and text[end] in _NAME:
            end += 1
        lexer.at = end
        return Parameter(text[at + 1 : end], "", None, None, False, quoted, at)
    if following and following in _SPECIAL:
        lexer.at = at + 2
        return Parameter(following, "", None, None, False, quoted, at)
    if following == "'" and not quoted:
        from .ansi_quoting import read_ansi_quoted

        return read_ansi_quoted(lexer)
    if following == '"' and not quoted:
        lexer.at = at + 1  # a translatable string, which is not translated
        return Text("", True, at)
    lexer.at = at + 1
    return Text("$", quoted, at)


def _read_backquoted(lexer: Lexer, *, quoted: bool) -> Part:
    """Read backquotes (POSIX 2.6.3), in which a backslash escapes `$`, a backquote and itself."""
    text, at = lexer.text, lexer.at
    pieces: list[str] = []
    place = at + 1
    escapable = '$`\\"' if quoted else "$`\\"
    while True:
        end = place
        while end < len(text) and text[end] not in "`\\":
            end += 1
        pieces.append(text[place:end])
        if end >= len(text):
            raise SyntaxProblem("Unclosed command substitution", at)
        if text[end] == "`":
            break
        following = text[end + 1 : end + 2]
        pieces.append(following if following and following in escapable else "\\" + following)
        place = end + 2
    lexer.at = end + 1
    inner = lexer.of_text("".join(pieces) + ")", at)
    try:
        body = inner.commands_inside(at)
    except SyntaxProblem as problem:
        raise SyntaxProblem(problem.message, at) from problem
    if inner.at < len(inner.text):
        raise SyntaxProblem("Unexpected ')'", at)
    return CommandSubstitution(body, quoted, at)


def _read_arithmetic(lexer: Lexer, *, quoted: bool) -> Part | None:
    """Read `$((…))`; None, with nothing read, if it is a subshell in a command substitution."""
    at = lexer.at
    end = closing_of_arithmetic(lexer, at + 3)
    if end is None:
        return None
    expression = arithmetic_word(lexer, at + 3, end)
    lexer.at = end + 2
    return ArithmeticExpansion(expression, quoted, at)


def closing_of_arithmetic(lexer: Lexer, opened: int) -> int | None:
    """Return where the `))` is that closes the one opened at `opened`; None if the two parentheses are closed
    separately."""
    text, at = lexer.text, opened
    depth = 0
    length = len(text)
    while at < length:
        character = text[at]
        if character == "(":
            depth += 1
        elif character == ")":
            if depth == 0:
                break
            depth -= 1
        elif character == "\\":
            at += 1
        elif character == "'":
            end = text.find("'", at + 1)
            at = length if end < 0 else end
        at += 1
    lexer.looked_ahead += at - opened
    if (
        lexer.looked_ahead > _MOST_LOOKED_AHEAD
    ):  # each level examines everything inside it: quadratic for a hostile text
        raise SyntaxProblem("Nested too deep: too many parentheses", opened)
    return at if text.startswith("))", at) else None


def arithmetic_word(lexer: Lexer, start: int, end: int) -> Word:
    """Return the expression in `text[start:end]`, read as if in double quotes."""
    inner = lexer.of_text(lexer.text[start:end], start)
    inner.nest(start)
    parts: list[Part] = []
    while inner.at < len(inner.text):
        parts += read_double_quoted(inner, start, closer="")
    return make_word(parts, start, end)


def _read_braced(lexer: Lexer, *, quoted: bool) -> Part:
    """Read `${…}`."""
    text, at = lexer.text, lexer.at
    lexer.nest(at)
    place = at + 2
    indirect = False
    has_length = False
    if text.startswith("#", place) and text[place + 1 : place + 2] not in ("}", "", ":", "-", "=", "+", "%", "/"):
        if not (text[place + 1] in "#?" and text[place + 2 : place + 3] != "}"):
            has_length = True
            place += 1
    elif text.startswith("!", place) and text[place + 1 : place + 2] not in ("}", ":", "-", "=", "+", "?", ""):
        indirect = True
        place += 1
    end = place
    if end < len(text) and text[end] in _NAME_START:
        while end < len(text) and text[end] in _NAME:
            end += 1
    elif end < len(text) and text[end] in _DIGITS:
        while end < len(text) and text[end] in _DIGITS:
            end += 1
    elif end < len(text) and text[end] in _SPECIAL:
        end += 1
    name = text[place:end]
    if not name and end < len(text):
        raise SyntaxProblem("Bad substitution: ${ needs the name of a variable", at)
    subscript: Word | None = None
    if text.startswith("[", end) and is_name(name):
        lexer.at = end + 1
        subscript = _operand(lexer, _SUBSCRIPT_END, quoted=False, opened=at)
        if not text.startswith("]", lexer.at) or not subscript.parts:
            raise SyntaxProblem(f"Bad substitution: ${{{name}[…", at)
        if text[end + 1 : lexer.at] in ("@", "*"):
            name, subscript = f"{name}[{text[end + 1]}]", None
        end = lexer.at + 1
    if end >= len(text):
        raise SyntaxProblem('Unclosed "${"', at)
    lexer.at = end
    operator = ""
    operand: Word | None = None
    second: Word | None = None
    if text[end] == "}":
        lexer.at = end + 1
        operator = "length" if has_length else ""
        if indirect and name.endswith(("[@]", "[*]")):
            operator, indirect = "keys", False
    elif has_length:
        raise SyntaxProblem(f"Bad substitution: ${{#{name}…", at)
    elif indirect and text[end] in "*@" and text[end + 1 : end + 2] == "}":
        operator, indirect = "names", False
        lexer.at = end + 2
    else:
        for candidate in _OPERATORS:
            if text.startswith(candidate, end):
                operator = candidate
                break
        else:
            raise SyntaxProblem(f"Bad substitution: ${{{name}{text[end]}…", at)
        lexer.at = end + len(operator)
        if operator == "@":
            operator += text[lexer.at : lexer.at + 1]
            if operator not in ("@Q", "@U", "@u", "@L", "@E"):
                raise SyntaxProblem(f"Bad substitution: ${{{name}{operator}…", at)
            lexer.at += 1
        else:
            operand, second = _read_operands(lexer, operator, quoted=quoted, opened=at)
        if not lexer.text.startswith("}", lexer.at):
            raise SyntaxProblem('Unclosed "${"', at)
        lexer.at += 1
    lexer.unnest()
    return Parameter(name, operator, operand, second, indirect, quoted, at, subscript)


def _read_operands(lexer: Lexer, operator: str, *, quoted: bool, opened: int) -> tuple[Word | None, Word | None]:
    if operator[0] in "/":
        operand = _operand(lexer, _SLASH_OR_BRACE, quoted=False, opened=opened)
        if lexer.text.startswith("/", lexer.at):
            lexer.at += 1
            return operand, _operand(lexer, _BRACE_END, quoted=False, opened=opened)
        return operand, None
    if operator == ":":
        operand = _operand(lexer, _COLON_OR_BRACE, quoted=True, opened=opened)
        if lexer.text.startswith(":", lexer.at):
            lexer.at += 1
            return operand, _operand(lexer, _BRACE_END, quoted=True, opened=opened)
        return operand, None
    is_pattern = operator[0] in "#%^,"
    return _operand(lexer, _BRACE_END, quoted=quoted and not is_pattern, opened=opened), None


def _operand(lexer: Lexer, ends: frozenset[str], *, quoted: bool, opened: int) -> Word:
    """Read the operand after an operator; within double quotes, it is read as part of them."""
    start = lexer.at
    parts = read_double_quoted(lexer, opened, ends=ends) if quoted else read_parts(lexer, ends)
    return make_word(parts, start, lexer.at)
