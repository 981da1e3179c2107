"""Cached documents of registries: the versions of each package, and the version selected by each range.

A document is revalidated by its ETag after a day. A range keeps its version until `--prefer-latest` asks again; a tag is looked up
again after a day. A cached file that cannot be parsed is ignored. Files are written atomically, in a folder that only the user
may write to (`start/cache_folder`) and that belongs to one set of registries.
"""

from __future__ import annotations

import json
import os
import time

from .. import _native
from .documents import read_document
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, TypeAlias

    from .documents import Document
    from .registry import Registry

    Freshness: TypeAlias = Literal["", "offline", "latest"]
    Choice: TypeAlias = tuple[str, str]  # a version, and the integrity that the registry declares for its archive

DAY_S = 24 * 3600
LATEST = "latest"


class Manifests:
    """The versions of packages. Threads may request different names at once.

    `freshness` bounds the age of a cached document: "" a day, "offline" any age, "latest" always revalidated. `now` returns the
    time in seconds.
    """

    def __init__(
        self,
        folder: str,
        registry: Registry,
        freshness: Freshness,
        *,
        is_offline: bool,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._registry = registry
        self._freshness = freshness
        self._is_offline = is_offline
        self._now = now
        self._documents: dict[str, Document] = {}
        self._expired: set[str] = set()
        self._revalidated: set[str] = set()

    def document_of(self, name: str) -> Document:
        """Return the registry's document about package `name`. Raises PackageProblem."""
        if name not in self._documents:
            self._documents[name] = self._load(name)
        return self._documents[name]

    def expire(self, name: str) -> None:
        """Make the next request for package `name` revalidate its document, unless it was already, or rt is offline."""
        if name not in self._revalidated and not self._is_offline and self._freshness != "offline":
            self._expired.add(name)
            self._documents.pop(name, None)

    def choose(self, name: str, wanted: str) -> Choice:
        """Return the version that `wanted` (a version, a range, a tag, or "" for the latest) selects. Raises
        PackageProblem."""
        wanted = wanted.strip() or LATEST
        path = self._path("choices", name)
        choices = _read_choices(path)
        if self._freshness != "latest" and name not in self._expired and (chosen := choices.get(wanted)) is not None:
            version, integrity, until = chosen
            may_be_old = self._is_offline or self._freshness == "offline"
            if until is None or may_be_old or 0 <= until - self._now() < DAY_S:
                return version, integrity
        document = self.document_of(name)
        version = choose_version(wanted, document)
        integrity = document.integrity(version)
        is_tag = wanted not in document.versions and wanted in document.tags
        choices[wanted] = (version, integrity, self._now() + DAY_S if is_tag else None)
        _write(path, json.dumps(choices).encode())
        return version, integrity

    def _load(self, name: str) -> Document:
        path = self._path("documents", name)
        etag, loaded_at, body = _read_cached(path)
        cached = _parse_cached(name, body)
        must_ask = self._freshness == "latest" or name in self._expired
        is_fresh = not must_ask and 0 <= self._now() - loaded_at < DAY_S
        if cached is not None and (is_fresh or self._is_offline or self._freshness == "offline"):
            return cached
        if self._is_offline:
            raise PackageProblem("npm's settings say offline=true")
        try:
            answer = self._registry.document_of(name, etag if cached is not None else "")
        except PackageProblem:
            if cached is not None and not must_ask:
                return cached  # the registry cannot be reached: use its last answer
            raise
        if answer.body is not None:
            body = answer.body
        document = read_document(name, body)
        head = json.dumps({"etag": answer.etag, "loaded_at": self._now()}).encode()
        _write(path, head + b"\n" + body)
        self._revalidated.add(name)
        self._expired.discard(name)
        return document

    def _path(self, kind: str, name: str) -> str:
        return os.path.join(self._folder, kind, name.replace("/", "+") + ".json")


def choose_version(wanted: str, document: Document) -> str:
    """Return the version of `document` that `wanted` selects, as in npm: the latest if it satisfies, otherwise the
    newest.

    Raises PackageProblem.
    """
    name, versions, tags = document.name, document.versions, document.tags
    if wanted in versions:
        return wanted
    if wanted in tags:
        return tags[wanted]
    try:
        found = _native.satisfying_versions(wanted, list(versions))
    except ValueError:
        raise PackageProblem(f'"{wanted}" is neither a version nor a tag of "{name}"') from None
    if not found:
        raise PackageProblem(f'no version of "{name}" satisfies "{wanted}"')
    if tags.get(LATEST) in found:
        return tags[LATEST]
    return next((version for version in found if not versions[version].get("deprecated")), found[0])


def _parse_cached(name: str, body: bytes) -> Document | None:
    try:
        return read_document(name, body)
    except PackageProblem:
        return None


def _read_cached(path: str) -> tuple[str, float, bytes]:
    """Return the ETag, the time and the body of a cached document; "", 0 and b"" if there is none."""
    try:
        with open(path, "rb") as file:
            head, body = json.loads(file.readline()), file.read()
        return str(head["etag"]), float(head["loaded_at"]), body
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "", 0.0, b""


def _read_choices(path: str) -> dict[str, tuple[str, str, float | None]]:
    """Return the version and integrity that each range or tag selects, and until when a tag is valid."""
    try:
        with open(path, "rb") as file:
            stored = json.load(file).items()
            return {
                wanted: (str(version), str(integrity), until and float(until))
                for wanted, (version, integrity, until) in stored
            }
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return {}


def _write(path: str, data: bytes) -> None:
    try:
        _native.cache_put(path, data, is_durable=False)
    except OSError:
        return  # the next run downloads it again
