"""What a bare specifier says: a package, the version that is wanted of it (`zod@3`, `zod@next`), and a place inside it."""

from __future__ import annotations

import re

from ..vocabulary.record import record

_NAME = re.compile(r"(?:@[a-z0-9~_-][a-z0-9~._-]*/)?[a-z0-9~_-][a-z0-9~._-]*", re.ASCII | re.IGNORECASE)
_VERSION = re.compile(r"[0-9][0-9A-Za-z.+-]{0,255}", re.ASCII)
_MOST = 214  # characters of a name that the registry takes


@record
class Wanted:
    """`version` is a version, a range or a tag, "" where nothing is said; `inside` begins with a slash, or is ""."""

    name: str
    version: str
    inside: str

    @property
    def specifier(self) -> str:
        """What leads to it where the package is installed."""
        return self.name + self.inside


def is_name(name: str) -> bool:
    """Whether a package may be called so. Such a name leads to one folder, or to one in the folder of its scope."""
    return len(name) <= _MOST and _NAME.fullmatch(name) is not None


def is_version(version: str) -> bool:
    """Whether `version` has the letters of a version, and so may be part of a folder's name."""
    return _VERSION.fullmatch(version) is not None


def read_specifier(specifier: str) -> Wanted | None:
    """Return what `specifier` asks of a registry; None where it is a path, a URL, or no name that a package may have."""
    found = _NAME.match(specifier)
    if found is None or found.end() > _MOST:
        return None
    name, rest = found[0], specifier[found.end() :]
    version = ""
    if rest.startswith("@"):
        version, slash, inside = rest[1:].partition("/")
        rest = slash + inside
        if not version:
            return None
    if rest and not rest.startswith(("/", "?", "#")):
        return None
    return Wanted(name, version, rest)
