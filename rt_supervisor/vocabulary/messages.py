"""Messages with named fields, for Python and for native code: `{name}` stands for the value of that field.

Python prints them through `fill`, or encodes them for native code, which fills them with `native/wire/src/template.rs`. They have no
line ends and no colours.
"""

from __future__ import annotations

GUARDIAN_LOST = "the process that guards rt's scripts was killed; the scripts were ended"
GUARDIAN_UNANSWERED = "the process that guards rt's scripts did not answer; the scripts were ended"
DESCRIPTOR_LIMIT = "cannot open a pipe: the limit on open files is reached (see `ulimit -n`)"
FOLDER_GONE = "cannot start: {folder} is gone"

# A process that the system does not start.
PROCESS_LIMIT = "cannot start another process: the limit on processes is reached (see `ulimit -u`)"
ARGUMENTS_TOO_LONG = "cannot start the script: its arguments and environment are too long"
OUT_OF_MEMORY = "cannot start another process: out of memory"
CANNOT_START = "cannot start: {reason}"
CANNOT_START_FILE = "cannot start {path}: {reason}"

CANNOT_WRITE = "cannot write output: {reason} ({code})"


def fill(template: str, **fields: str) -> str:
    """Replace each field in `template` by its value. A brace that does not belong to a field stays as it is."""
    first, *parts = template.split("{")
    filled = [first]
    for part in parts:
        name, brace, rest = part.partition("}")
        filled.append(fields[name] + rest if brace and name in fields else "{" + part)
    return "".join(filled)
