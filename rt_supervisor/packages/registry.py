"""The protocol of npm's registries: the document of a package, and the archive of a version.

`GET /name` returns the document in its abbreviated form, with an `ETag`; archives are at the URL that a version declares. Answers
are returned unparsed: `documents` reads them, `manifests` caches them and `store` unpacks archives.
"""

from __future__ import annotations

import threading

from ..vocabulary.record import record
from .documents import read_table
from .integrity import Digester, declared_integrity, is_match, matching_part
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import IO

    from .npmrc import RegistrySettings
    from .transport import Bounds, Reply, Transport

_ABBREVIATED = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8"
_DOCUMENT_BYTES, _DOCUMENT_S = 128 << 20, 120.0
_ARCHIVE_BYTES, _ARCHIVE_S = 1 << 30, 900.0


@record
class Answer:
    """The document of a package as JSON; None if it is still the one with the `etag` that was sent."""

    body: bytes | None
    etag: str


class Registry:
    """Downloads documents and archives; several threads may use it at once."""

    def __init__(self, settings: RegistrySettings, user_agent: str) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._lock = threading.Lock()
        self._transport: Transport | None = None

    def document_of(self, name: str, etag: str = "") -> Answer:
        """Download the document of package `name`, unless it still has `etag`. Raises PackageProblem."""
        from .transport import Bounds

        url = self._settings.registry_of(name) + name.replace("/", "%2f")
        headers = {"Accept": _ABBREVIATED}
        if etag:
            headers["If-None-Match"] = etag
        body = bytearray()
        reply = self._get(url, headers, Bounds(_DOCUMENT_BYTES, _DOCUMENT_S), body.extend)
        if reply.status == 304 and etag:
            return Answer(None, etag)
        if reply.status == 404:
            raise PackageProblem(f'the registry has no package "{name}"')
        _refuse_failure(reply, url)
        return Answer(bytes(body), reply.etag)

    def download(self, version: Mapping[str, object], label: str, target: IO[bytes]) -> str:
        """Write the archive that the document of a version declares to `target`; return all of its digests.

        The archive is verified against the declared integrity. Raises PackageProblem.
        """
        from .transport import Bounds

        dist = read_table(version, "dist")
        url, declared = dist.get("tarball"), declared_integrity(dist)
        if not isinstance(url, str):
            raise PackageProblem(f"the registry declares no archive for {label}")
        if not declared:
            raise PackageProblem(f"the registry declares no integrity for the archive of {label}")
        digester = Digester()

        def write(data: bytes) -> None:
            target.write(data)
            digester.update(data)

        _refuse_failure(self._get(url, {}, Bounds(_ARCHIVE_BYTES, _ARCHIVE_S), write), url)
        if not is_match(declared, digester.integrity):
            raise PackageProblem(
                f"the archive of {label} does not have the integrity that the registry declares: "
                f"{declared} is declared, {matching_part(declared, digester.integrity)} was downloaded"
            )
        return digester.integrity

    def _get(self, url: str, headers: dict[str, str], bounds: Bounds, write: Callable[[bytes], object]) -> Reply:
        headers = {"User-Agent": self._user_agent, **headers}
        if authorization := self._settings.authorization(url):
            headers["Authorization"] = authorization
        return self._connect().get(url, headers, bounds, write)

    def _connect(self) -> Transport:
        with self._lock:
            if self._transport is None:
                from .transport import Transport

                self._transport = Transport(self._settings)
            return self._transport


def _refuse_failure(reply: Reply, url: str) -> None:
    if reply.status != 200:
        from .transport import without_secrets

        raise PackageProblem(f"the registry answers {reply.status} to GET {without_secrets(url)}")
