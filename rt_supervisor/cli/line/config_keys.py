"""Which keys of `rtfig.toml` set which flags, and the values that they take: derived from the flag table.

`[run]` takes every flag of `rt run` under its name or in camel case ("no-orphans", "noOrphans"); rows with `keys` have other
keys as well. The checks of values are those of the command line.
"""

from __future__ import annotations

from ...vocabulary.errors import Failed
from ...vocabulary.record import record
from . import flag_values, flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .arguments import Value
    from .flags import Flag

_RUN = "run."
_BY_KEY = {key: flag for flag in flags.BY_NAME.values() for key in flag.keys}


@record
class ConfigKey:
    """A key of the file: the flag that it sets, and the row that describes its values, that of the flag or of its negation.

    `words` maps the values of the file to those of the flag; None if they are the same.
    """

    flag: str
    row: Flag
    words: Mapping[str | bool, str | bool] | None = None

    @property
    def wanted(self) -> str:
        """A description of the valid values."""
        row, meant = self.row, flags.BY_NAME[self.flag]
        words = self.words or {word: word for word in meant.choices if word}
        names = [f'"{word}"' for word in words if isinstance(word, str)]
        switches = "true, false" if True in words or meant.kind == flags.OPTIONAL else ""
        if names:
            return " or ".join(part for part in (", ".join(filter(None, (switches, *names[:-1]))), names[-1]) if part)
        if row.kind in (flags.BOOLEAN, flags.NEGATION):
            return "true or false"
        if meant.kind == flags.NUMBER:
            return f"a whole number from 0 to {meant.most}" if meant.most else "a whole number of at least 0"
        if meant.is_table:
            return "a table of strings"
        if meant.kind == flags.OPTIONAL:
            return "true, false or a string"
        return "a string or a list of strings" if meant.repeats else "a string"

    def convert(self, value: object) -> Value | None:
        """Convert `value` to that of the command line, None if its type is wrong. Raises Failed for an invalid value."""
        row, meant = self.row, flags.BY_NAME[self.flag]
        if self.words is not None:
            return self.words.get(value) if isinstance(value, (str, bool)) else None
        if row.kind in (flags.BOOLEAN, flags.NEGATION):
            return value != (row.kind == flags.NEGATION) if isinstance(value, bool) else None
        if meant.kind == flags.NUMBER:
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            return value if is_whole and 0 <= value <= (meant.most or value) else None  # type: ignore[operator, return-value]
        if meant.is_table and isinstance(value, dict):
            if not all(isinstance(item, str) for item in value.values()):
                return None
            return tuple(str(flag_values.check(meant, f"{key}:{item}")) for key, item in value.items())
        if meant.kind == flags.OPTIONAL and isinstance(value, bool):
            return "" if value else False
        if meant.repeats:
            items = [value] if isinstance(value, str) else value
            if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
                return None
            return tuple(str(flag_values.check(meant, item)) for item in items)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)  # as in `concurrency = 4`
        if not isinstance(value, str) or (meant.choices and value not in meant.choices):
            return None
        return flag_values.check(meant, value)


def find_key(key: str) -> ConfigKey | None:
    """Return the entry of `key` ("table.key"), None for an unknown key. Raises Failed for a flag that a file cannot set."""
    row = _BY_KEY.get(key)
    words = row.words if row else None
    if row is None and key.startswith(_RUN):
        name = key.removeprefix(_RUN)
        row = flags.BY_NAME.get(name) or flags.BY_NAME.get(_kebab_case(name))
    if row is None:
        return None
    flag = row.means or row.name
    if not (row.in_config and flags.BY_NAME[flag].in_config):
        raise Failed("config-bad-value", f'"{key}": --{row.name} is a flag of the command line only')
    return ConfigKey(flag, flags.BY_NAME[flag] if row.kind == flags.ALIAS else row, words)


def _kebab_case(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)
