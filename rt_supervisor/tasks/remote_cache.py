"""The client of a remote cache: the open protocol of Turborepo (`/v8/artifacts`).

A problem never fails a run: each is noted once, in `problems`. After one that all requests would share - no answer in time, no connection,
a refused token, a failing server - the cache counts as unreachable, and nothing is requested any more. Signatures are verified before
anything is unpacked. Requests carry the token, the team and the key of the result, and nothing else of the environment.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import tempfile
import urllib.parse

from .. import __version__
from ..packages.npmrc import RegistrySettings
from ..packages.problems import PackageProblem
from ..packages.transport import Bounds, Transport
from ..vocabulary.record import record
from .artifact import BOUNDS, InvalidArtifact, pack, unpack
from .remote_settings import TOKEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

    from .globs import Globs
    from .remote_settings import RemoteSettings
    from .store import Entry, Store

_TAG = "x-artifact-tag"
_DURATION = "x-artifact-duration"  # in milliseconds
_ANSWER_BYTES = 1 << 20  # of answers other than results
_BLOCK_BYTES = 1 << 18
_IN_MEMORY_BYTES = 8 << 20  # larger results are in a temporary file meanwhile
_REFUSED = (401, 403)


@record
class CacheEvent:
    """A look-up of the result `key`: in the local or the remote cache, found or not; `seconds` is what a hit saved."""

    key: str
    is_remote: bool
    is_hit: bool
    seconds: float = 0.0


class RemoteCache:
    """A remote cache, used by several threads. `store` holds the results that are exchanged."""

    def __init__(self, settings: RemoteSettings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._transport = Transport(RegistrySettings({}))
        self.is_reachable = True
        self.problems: list[str] = []

    def fetch(self, key: str, title: str, outputs: Globs) -> bool:
        """Store the result of the task `title` if the server has it. Return whether it does. `outputs` are those of the task."""
        if not self.is_reachable:
            return False
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as body:
            bounds = Bounds(BOUNDS.artifact_bytes, self._settings.timeout_s)
            answer = self._send("GET", f"artifacts/{key}", bounds, target=body)
            if answer is None or answer[0] != 200:
                if answer is not None and answer[0] != 404:
                    self._note_status(answer[0])
                return False
            try:
                self._verify(key, body, answer[1])
                body.seek(0)
                unpack(key, body, outputs, self._store)
            except InvalidArtifact as problem:
                self._note(f"the result of {title} from the remote cache is not used: {problem}")
                return False
            except OSError as error:
                self._note(f"cannot store results of the remote cache: {error.strerror}")
                return False
        return True

    def has(self, key: str) -> bool:
        """Return whether the server has a result."""
        if not self.is_reachable:
            return False
        answer = self._send("HEAD", f"artifacts/{key}", Bounds(_ANSWER_BYTES, self._settings.timeout_s))
        if answer is not None and answer[0] not in (200, 404):
            self._note_status(answer[0])
        return answer is not None and answer[0] == 200

    def upload(self, key: str, title: str, entry: Entry) -> None:
        """Send the result of the task `title`, whose files are in the store."""
        if not self.is_reachable:
            return
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as body:
            try:
                size = pack(key, entry, self._store, body)
            except InvalidArtifact as problem:
                self._note(f"the result of {title} is not sent to the remote cache: {problem}")
                return
            except OSError as error:
                self._note(f"the result of {title} is not sent to the remote cache: {error.strerror}")
                return
            headers = {
                "Content-Type": "application/octet-stream",
                "Content-Length": str(size),
                _DURATION: str(round(entry.seconds * 1000)),
            }
            tag = self._tag(key, body)
            if tag is not None:
                headers[_TAG] = base64.b64encode(tag).decode()
            body.seek(0)
            bounds = Bounds(_ANSWER_BYTES, self._settings.upload_timeout_s)
            answer = self._send("PUT", f"artifacts/{key}", bounds, headers=headers, body=body)
        if answer is not None and not 200 <= answer[0] < 300:
            self._note_status(answer[0], f"the result of {title} was not stored")

    def record(self, events: Sequence[CacheEvent]) -> None:
        """Send look-ups for the server's statistics. Servers without any answer with an error, which has no meaning."""
        if not self.is_reachable or not events:
            return
        document = [
            {
                "source": "REMOTE" if event.is_remote else "LOCAL",
                "event": "HIT" if event.is_hit else "MISS",
                "hash": event.key,
                "duration": round(event.seconds * 1000),
            }
            for event in events
        ]
        headers = {"Content-Type": "application/json"}
        bounds = Bounds(_ANSWER_BYTES, self._settings.timeout_s)
        body = json.dumps(document).encode()
        with contextlib.suppress(PackageProblem):
            self._request("POST", "artifacts/events", bounds, headers=headers, body=body)

    def status(self) -> str:
        """Return the server's word for its state, such as "enabled", or what is wrong."""
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as body:
            answer = self._send("GET", "artifacts/status", Bounds(_ANSWER_BYTES, self._settings.timeout_s), target=body)
            if answer is None:
                return self.problems[-1]
            if answer[0] != 200:
                return f"status {answer[0]}"
            body.seek(0)
            try:
                word = json.loads(body.read())["status"]
            except (ValueError, KeyError, TypeError):
                word = None
        return word if isinstance(word, str) and word.isprintable() else "an invalid answer"

    # --- requests

    def _send(
        self,
        method: str,
        path: str,
        bounds: Bounds,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | IO[bytes] | tempfile.SpooledTemporaryFile[bytes] | None = None,
        target: tempfile.SpooledTemporaryFile[bytes] | None = None,
    ) -> tuple[int, Mapping[str, str]] | None:
        """Return status and headers of the answer, whose body is written to `target`; None if there is none."""
        try:
            return self._request(method, path, bounds, headers=headers, body=body, target=target)
        except PackageProblem as problem:
            self._give_up(str(problem))
            return None

    def _request(
        self,
        method: str,
        path: str,
        bounds: Bounds,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | IO[bytes] | tempfile.SpooledTemporaryFile[bytes] | None = None,
        target: tempfile.SpooledTemporaryFile[bytes] | None = None,
    ) -> tuple[int, Mapping[str, str]]:
        all_headers = {
            "Authorization": f"Bearer {self._settings.token.reveal()}",
            "User-Agent": f"rt/{__version__}",
            **(headers or {}),
        }
        write = (lambda _: None) if target is None else target.write
        reply = self._transport.send(method, self._url(path), all_headers, bounds, write, body)
        return reply.status, reply.headers

    def _url(self, path: str) -> str:
        team = {"teamId": self._settings.team_id, "slug": self._settings.team_slug}
        query = urllib.parse.urlencode({name: value for name, value in team.items() if value})
        return f"{self._settings.url}/v8/{path}{'?' if query else ''}{query}"

    # --- signatures

    def _tag(self, key: str, body: tempfile.SpooledTemporaryFile[bytes]) -> bytes | None:
        """Return the signature of a result, None if results are not signed."""
        secret = self._settings.signature_key
        if secret is None:
            return None
        signer = hmac.new(secret.reveal().encode("utf-8", "surrogateescape"), digestmod=hashlib.sha256)
        signer.update(key.encode() + self._settings.team_id.encode())
        body.seek(0)
        while block := body.read(_BLOCK_BYTES):
            signer.update(block)
        return signer.digest()

    def _verify(self, key: str, body: tempfile.SpooledTemporaryFile[bytes], headers: Mapping[str, str]) -> None:
        """Raise InvalidArtifact unless the result is signed as it has to be."""
        expected = self._tag(key, body)
        if expected is None:
            return
        written = headers.get(_TAG)
        if written is None:
            raise InvalidArtifact("it has no signature")
        try:
            tag = base64.b64decode(written, validate=True)
        except ValueError:
            tag = b""
        if not hmac.compare_digest(tag, expected):
            raise InvalidArtifact("its signature is wrong")

    # --- problems

    def _note_status(self, status: int, meaning: str = "") -> None:
        if status in _REFUSED:
            self._give_up(f"the server refused the token (status {status}; see {TOKEN})")
        elif status >= 500 or status == 429:
            self._give_up(f"the server answered with status {status}")
        else:
            self._note(f"the remote cache answered with status {status}{f': {meaning}' if meaning else ''}")

    def _give_up(self, reason: str) -> None:
        if self.is_reachable:
            self.is_reachable = False
            self._note(f"the remote cache is not used any more: {reason}")

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)
