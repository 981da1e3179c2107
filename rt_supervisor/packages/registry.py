"""What a registry of npm's protocol answers: a package's versions, and the archive of one.

The protocol is npm's: `GET /name` with its abbreviated form, `ETag`s, archives by the URL that a version names. Answers
come as they are; what is kept of them is the business of `manifests` and `store`.
"""

from __future__ import annotations

import threading

from ..vocabulary.record import record
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from urllib3 import BaseHTTPResponse

    from .npmrc import RegistrySettings
    from .transport import Transport

_ABBREVIATED = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8"
_STRENGTHS = ("sha512", "sha384", "sha256", "sha1")


@record
class Answer:
    """The versions of a package in JSON, None where they are those of the `etag` that was sent."""

    body: bytes | None
    etag: str


class Registry:
    """Asks registries over HTTP; used by several threads at once."""

    def __init__(self, settings: RegistrySettings, user_agent: str) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._lock = threading.Lock()
        self._made: Transport | None = None

    def versions_of(self, name: str, etag: str = "") -> Answer:
        """Return the versions of package `name`. Raises PackageProblem."""
        url = self._settings.registry_of(name) + name.replace("/", "%2f")
        headers = {"Accept": _ABBREVIATED}
        if etag:
            headers["If-None-Match"] = etag
        response = self._get(url, headers)
        if response.status == 304:
            return Answer(None, etag)
        if response.status == 404:
            raise PackageProblem(f'the registry has no package "{name}"')
        self._check(response, url)
        return Answer(response.data, response.headers.get("ETag", ""))

    def archive(self, dist: Mapping[str, object], label: str) -> bytes:
        """Return the archive that `dist` of a version names, its bytes proved. Raises PackageProblem."""
        url = dist.get("tarball")
        if not isinstance(url, str):
            raise PackageProblem(f"the registry names no archive of {label}")
        response = self._get(url, {})
        self._check(response, url)
        data: bytes = response.data
        if not is_proved(data, dist):
            raise PackageProblem(f"the archive of {label} is not what the registry says it is (wrong integrity)")
        return data

    def _check(self, response: BaseHTTPResponse, url: str) -> None:
        if response.status != 200:
            from .transport import without_secrets

            raise PackageProblem(f"the registry answers {response.status} to GET {without_secrets(url)}")

    def _get(self, url: str, headers: dict[str, str]) -> BaseHTTPResponse:
        headers = {"User-Agent": self._user_agent, "Accept-Encoding": "gzip", **headers}
        if authorization := self._settings.authorization(url):
            headers["Authorization"] = authorization
        return self._transport().get(url, headers)

    def _transport(self) -> Transport:
        with self._lock:
            if self._made is None:
                from .transport import Transport

                self._made = Transport(self._settings)
            return self._made


def is_proved(data: bytes, dist: Mapping[str, object]) -> bool:
    """Whether `data` has a digest that `dist` names: the strongest one counts. Without any, nothing is proved."""
    import base64
    import hashlib

    integrity = dist.get("integrity")
    named: dict[str, set[str]] = {}
    for each in integrity.split() if isinstance(integrity, str) else ():
        algorithm, _, digest = each.partition("-")
        named.setdefault(algorithm, set()).add(digest.partition("?")[0])
    for algorithm in _STRENGTHS:
        if algorithm in named:
            return base64.b64encode(hashlib.new(algorithm, data).digest()).decode() in named[algorithm]
    shasum = dist.get("shasum")
    return isinstance(shasum, str) and hashlib.sha1(data, usedforsecurity=False).hexdigest() == shasum.lower()
