"""Bare specifiers: a package, optionally with a version (`zod@3`, `zod@next`) and a path inside the package."""

from __future__ import annotations

import re

from ..vocabulary.record import record

_NAME = re.compile(r"(?:@[a-z0-9~_-][a-z0-9~._-]*/)?[a-z0-9~_-][a-z0-9~._-]*", re.ASCII | re.IGNORECASE)
_VERSION = re.compile(r"[0-9][0-9A-Za-z.+-]{0,255}", re.ASCII)
_MAX_LENGTH = 214  # of a name, in npm's registry


@record
class Wanted:
    """`version` is a version, a range or a tag, or ""; `inside` begins with a slash, a `?` or a `#`, or is ""."""

    name: str
    version: str
    inside: str

    @property
    def specifier(self) -> str:
        """The specifier without a version, which resolves where the package is installed."""
        return self.name + self.inside


def is_name(name: str) -> bool:
    """Return whether `name` is a valid package name: one folder, or one in a scope's folder, never a path with `..`."""
    return len(name) <= _MAX_LENGTH and _NAME.fullmatch(name) is not None


def is_version(version: str) -> bool:
    """Return whether `version` has only characters that versions may have, which are safe in a file name."""
    return _VERSION.fullmatch(version) is not None


def read_specifier(specifier: str) -> Wanted | None:
    """Parse `specifier`; None if it is a path, a URL, or not a valid package name."""
    found = _NAME.match(specifier)
    if found is None or found.end() > _MAX_LENGTH:
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
