"""The requirements of a package version: its dependencies, and the machines that it supports.

Dependencies are `dependencies`, peers that are not optional, and optional dependencies. Bundled dependencies are part
of the package's own archive. Ranges that do not name a registry (Git, files, URLs) are a PackageProblem.
"""

from __future__ import annotations

import sys

from ..vocabulary.record import record
from .documents import read_table, read_words
from .problems import PackageProblem
from .specifiers import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CPU = {"x86_64": "x64", "aarch64": "arm64", "amd64": "x64", "i686": "ia32"}


@record
class Need:
    """A dependency, imported as `alias`. A package works without its optional ones."""

    alias: str
    name: str
    wanted: str
    is_optional: bool


def needs_of(document: dict[str, Any], label: str) -> list[Need]:
    """Return the dependencies of the version `label` (`name@version`), described by `document`. Raises
    PackageProblem."""
    bundled = {*read_words(document, "bundleDependencies"), *read_words(document, "bundledDependencies")}
    if document.get("bundleDependencies") is True or document.get("bundledDependencies") is True:
        bundled = set(read_table(document, "dependencies"))
    optional = read_table(document, "optionalDependencies")
    peer_options = read_table(document, "peerDependenciesMeta")
    needs: dict[str, Need] = {}
    for alias, wanted in read_table(document, "peerDependencies").items():
        if not read_table(peer_options, alias).get("optional"):
            needs[alias] = _need(alias, wanted, label, is_optional=False)
    for alias, wanted in read_table(document, "dependencies").items():
        if alias not in optional:
            needs[alias] = _need(alias, wanted, label, is_optional=False)
    for alias, wanted in optional.items():
        try:
            needs[alias] = _need(alias, wanted, label, is_optional=True)
        except PackageProblem:
            continue
    own_name = label.rpartition("@")[0]
    return [need for alias, need in needs.items() if alias not in bundled and alias != own_name]


def read_need(alias: str, wanted: str) -> tuple[str, str] | None:
    """Return (name, range) of a dependency `"alias": "wanted"`; None if it does not come from a registry."""
    if wanted.startswith("npm:"):
        name, at, version = wanted[4:].rpartition("@")
        return (name, version) if at and name else (wanted[4:], "")
    if ":" in wanted or wanted.startswith((".", "/", "~/")) or ("/" in wanted and not wanted.startswith("@")):
        return None
    return alias, wanted


def _need(alias: str, wanted: object, label: str, *, is_optional: bool) -> Need:
    read = read_need(alias, wanted) if isinstance(wanted, str) else None
    if read is None or not (is_name(alias) and is_name(read[0])):
        raise PackageProblem(f'{label} needs "{alias}" from {wanted}, which is not a package of a registry')
    return Need(alias, *read, is_optional)


def fits_machine(document: dict[str, Any]) -> bool:
    """Return whether `os`, `cpu` and `libc` of a version allow this machine."""
    import platform

    libc = "glibc" if platform.libc_ver()[0] else "musl"
    here = {"os": sys.platform, "cpu": _CPU.get(platform.machine(), platform.machine()), "libc": libc}
    return all(_allows(read_words(document, key), value) for key, value in here.items())


def _allows(words: list[str], value: str) -> bool:
    refused = [word[1:] for word in words if word.startswith("!")]
    wanted = [word for word in words if not word.startswith("!")]
    return value not in refused and (not wanted or value in wanted or "any" in wanted)
