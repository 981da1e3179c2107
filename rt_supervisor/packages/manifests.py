"""What registries have said of packages, as it is kept: the versions of each name, and which of them a range has meant.

A kept answer is asked about again after a day, by its ETag; what a range has meant holds until somebody asks for the latest.
Files are believed if they can be read as what they are, and are written whole; the folder is one that nobody else may
write to (`start/cache_folder`).
"""

from __future__ import annotations

import json
import os
import time

from .. import _native
from .problems import PackageProblem
from .specifiers import is_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from .registry import Registry

    Freshness: TypeAlias = Literal["", "offline", "latest"]

DAY_S = 24 * 3600
LATEST = "latest"


class Manifests:
    """The versions of packages. Threads may ask for different names at once.

    `freshness` says how old a kept answer may be: "" a day, "offline" as old as it is, "latest" asked about each time.
    """

    def __init__(self, folder: str, registry: Registry, freshness: Freshness, *, is_offline: bool) -> None:
        self._folder = folder
        self._registry = registry
        self._freshness = freshness
        self._is_offline = is_offline
        self._known: dict[str, dict[str, Any]] = {}

    def versions_of(self, name: str) -> dict[str, Any]:
        """Return the versions of package `name`: the document that registries answer. Raises PackageProblem."""
        if name not in self._known:
            self._known[name] = self._versions_of(name)
        return self._known[name]

    def _versions_of(self, name: str) -> dict[str, Any]:
        path = self._path("manifests", name)
        etag, asked, body = _kept_answer(path)
        kept = _document(body)
        is_fresh = self._freshness != "latest" and 0 <= time.time() - asked < DAY_S
        if kept is not None and (is_fresh or self._is_offline or self._freshness == "offline"):
            return kept
        if self._is_offline:
            raise PackageProblem("npm's settings say offline=true")
        try:
            answer = self._registry.versions_of(name, etag if kept is not None else "")
        except PackageProblem:
            if kept is not None and self._freshness != "latest":
                return kept  # the registry is out of reach: what it said last holds
            raise
        if answer.body is not None:
            body = answer.body
        document = _document(body)
        if document is None:
            raise PackageProblem(f'the registry\'s answer for "{name}" has no versions')
        head = json.dumps({"etag": answer.etag, "asked": time.time()}).encode()
        _keep(path, head + b"\n" + body)
        return document

    def choose(self, name: str, wanted: str) -> str:
        """Return the version that `wanted` (a version, a range, a tag, "" for the latest) means. Raises PackageProblem."""
        wanted = wanted.strip() or LATEST
        path = self._path("choices", name)
        choices = _kept_choices(path)
        if self._freshness != "latest" and (chosen := choices.get(wanted)) is not None:
            version, until = chosen
            if until is None or self._is_offline or self._freshness == "offline" or 0 <= until - time.time() < DAY_S:
                return version
        document = self.versions_of(name)
        version = choose_version(name, wanted, document)
        is_tag = wanted not in document["versions"] and wanted in (document.get("dist-tags") or {})
        choices[wanted] = (version, time.time() + DAY_S if is_tag else None)
        _keep(path, json.dumps(choices).encode())
        return version

    def _path(self, kind: str, name: str) -> str:
        return os.path.join(self._folder, kind, name.replace("/", "+") + ".json")


def choose_version(name: str, wanted: str, document: dict[str, Any]) -> str:
    """Return the version of `document` that `wanted` means, as npm chooses: the latest if it will do, else the newest.

    Raises PackageProblem.
    """
    versions = {version: each for version, each in document["versions"].items() if is_version(version)}
    tags = document.get("dist-tags") or {}
    if wanted in versions:
        return wanted
    if wanted in tags and tags[wanted] in versions:
        return str(tags[wanted])
    try:
        found = _native.satisfying_versions(wanted, list(versions))
    except ValueError:
        raise PackageProblem(f'"{wanted}" is neither a version nor a tag of "{name}"') from None
    if not found:
        raise PackageProblem(f'no version of "{name}" satisfies "{wanted}"')
    if tags.get(LATEST) in found:
        return str(tags[LATEST])
    return next((version for version in found if not versions[version].get("deprecated")), found[0])


def _kept_answer(path: str) -> tuple[str, float, bytes]:
    """Return the ETag, the time and the body of a kept answer; "", 0 and nothing where there is none."""
    try:
        with open(path, "rb") as file:
            head, body = json.loads(file.readline()), file.read()
        return str(head["etag"]), float(head["asked"]), body
    except (OSError, ValueError, KeyError, TypeError):
        return "", 0.0, b""


def _kept_choices(path: str) -> dict[str, tuple[str, float | None]]:
    """Return which version each range or tag has meant, and until when a tag means it."""
    try:
        with open(path, "rb") as file:
            kept = json.load(file).items()
            return {wanted: (str(version), until and float(until)) for wanted, (version, until) in kept}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _document(body: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not isinstance(document.get("versions"), dict):
        return None
    return document


def _keep(path: str, data: bytes) -> None:
    try:
        _native.cache_put(path, data, is_durable=False)
    except OSError:
        return  # and it is asked for again the next time
