"""HTTP to registries, by urllib3: connections that are used again, npm's proxies and certificates. Imported when one is asked.

Nothing here knows what the answers mean.
"""

from __future__ import annotations

import os
import threading
import urllib.parse
import urllib.request

import urllib3

from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .npmrc import RegistrySettings

CONNECTIONS = 16
_TIMEOUT = urllib3.Timeout(connect=10.0, read=60.0)
_RETRIES = urllib3.Retry(2, status_forcelist=(429, 500, 502, 503, 504), backoff_factor=0.2, raise_on_status=False)


class Transport:
    """GETs for several threads at once."""

    def __init__(self, settings: RegistrySettings) -> None:
        self._settings = settings
        self._pools: dict[str | None, urllib3.PoolManager] = {}
        self._lock = threading.Lock()

    def get(self, url: str, headers: dict[str, str]) -> urllib3.BaseHTTPResponse:
        """Return the whole answer to a GET, after redirects. Raises PackageProblem where there is none."""
        try:
            return self._pool(url).request("GET", url, headers=headers, timeout=_TIMEOUT, retries=_RETRIES)
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise PackageProblem(f"GET {without_secrets(url)} failed: {reason}") from error

    def _pool(self, url: str) -> urllib3.PoolManager:
        proxy = self._proxy(url)
        with self._lock:
            return self._pools.get(proxy) or self._made(proxy)

    def _made(self, proxy: str | None) -> urllib3.PoolManager:
        values = self._settings.values
        options: dict[str, object] = {"maxsize": CONNECTIONS, "num_pools": 8}
        if authority := values.get("cafile"):
            if not os.path.exists(authority):
                raise OSError(f"cafile {authority} of .npmrc is not there")
            options["ca_certs"] = authority
        if authority := values.get("ca"):
            options["ca_cert_data"] = authority.replace("\\n", "\n")
        if values.get("strict-ssl") == "false":
            options["cert_reqs"] = "CERT_NONE"
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        made = urllib3.ProxyManager(proxy, **options) if proxy else urllib3.PoolManager(**options)  # type: ignore[arg-type]
        self._pools[proxy] = made
        return made

    def _proxy(self, url: str) -> str | None:
        """Return the proxy for `url`: of npm's settings, else of the environment."""
        parts = urllib.parse.urlsplit(url)
        values = self._settings.values
        without = values.get("noproxy", "")
        if any(parts.hostname == host.strip() for host in without.split(",")):
            return None
        named = (values.get("https-proxy") if parts.scheme == "https" else None) or values.get("proxy")
        if named:
            return named
        if parts.hostname is None or urllib.request.proxy_bypass(parts.netloc):
            return None
        return urllib.request.getproxies().get(parts.scheme)


def without_secrets(url: str) -> str:
    """Return `url` without user, password, query and fragment."""
    parts = urllib.parse.urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urllib.parse.urlunsplit((parts.scheme, host, parts.path, "", ""))
