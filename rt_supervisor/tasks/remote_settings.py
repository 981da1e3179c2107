"""Where the remote cache is, and by what right: variables of Turborepo over `remoteCache` of the workspace. Reads no file of the user.

The token and the key are secrets: they are in no message, and `repr` does not show them.
"""

from __future__ import annotations

from ..vocabulary.errors import Failed
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .definitions import Globals

API = "TURBO_API"
TOKEN = "TURBO_TOKEN"
TEAM_ID = "TURBO_TEAMID"
TEAM = "TURBO_TEAM"
TIMEOUT = "TURBO_REMOTE_CACHE_TIMEOUT"
UPLOAD_TIMEOUT = "TURBO_REMOTE_CACHE_UPLOAD_TIMEOUT"
SIGNATURE_KEY = "TURBO_REMOTE_CACHE_SIGNATURE_KEY"

_DEFAULT_API = "https://vercel.com/api"
_TIMEOUT_MS, _UPLOAD_TIMEOUT_MS = 30_000, 60_000
_NO_LIMIT_S = 86_400.0  # stands for 0, which means no limit


@record
class CacheModes:
    """What the local and the remote cache are used for."""

    local_reads: bool = True
    local_writes: bool = True
    remote_reads: bool = True
    remote_writes: bool = True

    @property
    def is_unused(self) -> bool:
        return not (self.local_reads or self.local_writes or self.remote_reads or self.remote_writes)


class Secret:
    """A value that nothing prints."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value


@record
class RemoteSettings:
    """A remote cache. `signature_key` is None if results are not signed."""

    url: str
    token: Secret
    team_id: str
    team_slug: str
    timeout_s: float
    upload_timeout_s: float
    signature_key: Secret | None


def parse_modes(text: str) -> CacheModes | None:
    """Return the meaning of `--cache=TEXT`, None if it has none."""
    letters = {"local": "", "remote": ""}
    seen = set()
    for part in text.split(","):
        place, mark, given = part.partition(":")
        if place not in letters or place in seen or not mark or not set(given) <= {"r", "w"} or len(given) > 2:
            return None
        seen.add(place)
        letters[place] = given
    local, remote = letters["local"], letters["remote"]
    return CacheModes("r" in local, "w" in local, "r" in remote, "w" in remote)


def remote_settings(environment: Mapping[str, str], values: Globals) -> RemoteSettings | None:
    """Return the remote cache of the workspace, None if it is disabled or no token is known. Raises Failed."""
    settings = values.remote
    token = environment.get(TOKEN, "")
    if settings.get("enabled") is False or not token:
        return None
    url = environment.get(API) or str(settings.get("apiUrl", "")) or _DEFAULT_API
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise Failed(
            "remote-cache-url", f"the URL of the remote cache must be http:// or https:// and a host (see {API})"
        )
    key = environment.get(SIGNATURE_KEY, "")
    if settings.get("signature") is True and not key:
        raise Failed("remote-cache-key", f"results of the remote cache are signed: set {SIGNATURE_KEY} to the key")
    download_s = _seconds(environment, TIMEOUT, settings.get("timeout"), _TIMEOUT_MS)
    return RemoteSettings(
        url=url.rstrip("/"),
        token=Secret(token),
        team_id=environment.get(TEAM_ID) or str(settings.get("teamId", "")),
        team_slug=environment.get(TEAM) or str(settings.get("teamSlug", "")),
        timeout_s=download_s,
        upload_timeout_s=_seconds(environment, UPLOAD_TIMEOUT, settings.get("uploadTimeout"), _UPLOAD_TIMEOUT_MS),
        signature_key=Secret(key) if settings.get("signature") is True else None,
    )


def _seconds(environment: Mapping[str, str], name: str, setting: object, default_ms: int) -> float:
    """Return the time limit that a variable or a setting gives, in seconds. Raises Failed."""
    text = environment.get(name)
    if text:
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds < float("inf"):
            raise Failed("remote-cache-timeout", f'{name} must be a number of seconds, not "{text}"')
        return seconds or _NO_LIMIT_S
    milliseconds = setting if isinstance(setting, int) and not isinstance(setting, bool) else default_ms
    return milliseconds / 1000 or _NO_LIMIT_S
