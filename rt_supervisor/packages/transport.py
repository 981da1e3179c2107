"""HTTP requests to registries and remote caches, by urllib3: pooled connections, npm's proxies and certificates, and bounds on every
answer.

An answer is bounded in bytes, before and after decompression, and in time: besides the timeout of each read, a deadline
covers the whole request with its retries and redirects. A redirect to another host loses the token. The meaning of answers is left
to the caller. Importing this module imports urllib3, so it is imported only when a server is queried.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import urllib.parse
import urllib.request
import zlib

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from ..vocabulary.record import record
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import IO, Any

    from .npmrc import RegistrySettings

CONNECTIONS = 16
_BLOCK_BYTES = 1 << 16
_CONNECT_S = 10.0
_READ_S = 60.0
_RETRIES = urllib3.Retry(
    2,
    status_forcelist=(429, 500, 502, 503, 504),
    backoff_factor=0.2,
    raise_on_status=False,
    respect_retry_after_header=False,  # it may name any time
)


@record
class Bounds:
    """The most that one answer may take: `data_bytes` after decompression, and `total_s` from request to last byte."""

    data_bytes: int
    total_s: float


@record
class Reply:
    """The head of an answer whose body was passed on. The names in `headers` are in lower case."""

    status: int
    etag: str
    headers: Mapping[str, str]


class Transport:
    """Sends requests for several threads at once."""

    def __init__(self, settings: RegistrySettings) -> None:
        self._settings = settings
        self._pools: dict[str | None, urllib3.PoolManager] = {}
        self._lock = threading.Lock()

    def get(self, url: str, headers: dict[str, str], bounds: Bounds, write: Callable[[bytes], object]) -> Reply:
        """GET `url`, follow redirects, pass the decompressed body of a 200 to `write`, and return the answer's head.

        Raises PackageProblem for an answer that is incomplete, too large or too slow.
        """
        return self.send("GET", url, headers, bounds, write)

    def send(
        self,
        method: str,
        url: str,
        headers: dict[str, str],
        bounds: Bounds,
        write: Callable[[bytes], object],
        body: bytes | IO[bytes] | None = None,
    ) -> Reply:
        """Send a request with another method, and a `body`, in the same way. Raises PackageProblem."""
        shown = f"{method} {without_secrets(url)}"
        try:
            if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
                raise PackageProblem(f"{shown} failed: not an http: or https: URL")
            with _Deadline(bounds.total_s) as deadline:
                try:
                    return self._exchange(method, url, {**headers, "Accept-Encoding": "gzip"}, bounds, write, body)
                finally:
                    # A body without a declared length may look complete after the shutdown.
                    deadline.check()
        except _TooLarge as error:
            reason = f"the answer is larger than {show_bytes(bounds.data_bytes)}"
            raise PackageProblem(f"{shown} failed: {reason}") from error
        except _DeadlinePassed as error:
            reason = f"the answer was not complete after {bounds.total_s:g} seconds"
            raise PackageProblem(f"{shown} failed: {reason}") from error
        except (urllib3.exceptions.HTTPError, OSError, ValueError, zlib.error) as error:
            raise PackageProblem(f"{shown} failed: {_describe(error)}") from error

    def _exchange(
        self,
        method: str,
        url: str,
        headers: dict[str, str],
        bounds: Bounds,
        write: Callable[[bytes], object],
        body: bytes | IO[bytes] | None,
    ) -> Reply:
        timeout = urllib3.Timeout(connect=_CONNECT_S, read=min(_READ_S, bounds.total_s))
        response = self._pool(url).request(
            method, url, body=body, headers=headers, timeout=timeout, retries=_RETRIES, preload_content=False
        )
        try:
            if response.status == 200:
                is_gzip = response.headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip")
                limited = _LimitedWriter(write, bounds.data_bytes)
                decode = _GzipDecoder(limited) if is_gzip else limited
                # `stream()` would read chunk headers of any length; `read(n)` leaves them to http.client, which has a limit.
                while block := response.read(_BLOCK_BYTES, decode_content=False):
                    decode.write(block)
                decode.finish()
        except BaseException:
            response.close()
            raise
        response.release_conn() if response.status == 200 else response.close()
        found = {name.lower(): value for name, value in response.headers.items()}
        return Reply(response.status, found.get("etag", ""), found)

    def _pool(self, url: str) -> urllib3.PoolManager:
        proxy = self._proxy(url)
        with self._lock:
            return self._pools.get(proxy) or self._make_pool(proxy)

    def _make_pool(self, proxy: str | None) -> urllib3.PoolManager:
        values = self._settings.values
        options: dict[str, Any] = {"maxsize": CONNECTIONS, "num_pools": 8}
        if authority := values.get("cafile"):
            if not os.path.exists(authority):
                raise OSError(f"cafile {authority} of .npmrc does not exist")
            options["ca_certs"] = authority
        if authority := values.get("ca"):
            options["ca_cert_data"] = authority.replace("\\n", "\n")
        if values.get("strict-ssl") == "false":
            options["cert_reqs"] = "CERT_NONE"
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        pool = urllib3.ProxyManager(proxy, **options) if proxy else urllib3.PoolManager(**options)
        pool.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}
        self._pools[proxy] = pool
        return pool

    def _proxy(self, url: str) -> str | None:
        """Return the proxy for `url`: from npm's settings, otherwise from the environment."""
        parts = urllib.parse.urlsplit(url)
        values = self._settings.values
        without = values.get("noproxy", "")
        if any(parts.hostname == host.strip() for host in without.split(",")):
            return None
        configured = (values.get("https-proxy") if parts.scheme == "https" else None) or values.get("proxy")
        if configured:
            return configured
        if parts.hostname is None or urllib.request.proxy_bypass(parts.netloc):
            return None
        return urllib.request.getproxies().get(parts.scheme)


def without_secrets(url: str) -> str:
    """Return `url` without user, password, query and fragment."""
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        return "the registry"
    host = parts.netloc.rpartition("@")[2]
    return urllib.parse.urlunsplit((parts.scheme, host, parts.path, "", ""))


def show_bytes(count: int) -> str:
    """Return `count` for a message, in MB where it is that much."""
    return f"{count >> 20} MB" if count >= 1 << 20 else f"{count} bytes"


class _TooLarge(Exception):
    pass


class _DeadlinePassed(Exception):
    pass


class _LimitedWriter:
    """Passes data on until more than `limit` bytes have come."""

    def __init__(self, write: Callable[[bytes], object], limit: int) -> None:
        self._write = write
        self._left = limit

    def write(self, data: bytes) -> None:
        self._left -= len(data)
        if self._left < 0:
            raise _TooLarge
        self._write(data)

    def finish(self) -> None:
        return


class _GzipDecoder:
    """Decompresses in blocks of bounded size, so that memory does not depend on the ratio of the compression."""

    def __init__(self, target: _LimitedWriter) -> None:
        self._target = target
        self._stream = zlib.decompressobj(wbits=31)

    def write(self, data: bytes) -> None:
        while data and not self._stream.eof:
            self._target.write(self._stream.decompress(data, _BLOCK_BYTES))
            data = self._stream.unconsumed_tail

    def finish(self) -> None:
        while not self._stream.eof and (data := self._stream.decompress(self._stream.unconsumed_tail, _BLOCK_BYTES)):
            self._target.write(data)
        if not self._stream.eof:
            raise ValueError("the compressed answer ends early")


class _Deadline:
    """A block of one thread whose connection is shut down once `seconds` have passed.

    A shutdown ends any blocked read. A timeout cannot: it starts again with each byte that a peer sends.
    """

    current = threading.local()

    def __init__(self, seconds: float) -> None:
        self._ends_at = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None

    def check(self) -> None:
        """Raise _DeadlinePassed once the time is up."""
        if time.monotonic() >= self._ends_at:
            raise _DeadlinePassed

    def watch(self, connected: socket.socket) -> None:
        """Use `connected` from now on, by a descriptor that lives until the block ends: urllib3 may give up its own."""
        with self._lock:
            self._release()
            self._socket = socket.socket(fileno=os.dup(connected.fileno()))
        self.check()

    def _expire(self) -> None:
        with self._lock:
            if self._socket is not None:
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    return  # the peer has closed it

    def _release(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> _Deadline:
        _Deadline.current.value = self
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        _Deadline.current.value = None
        with self._lock:
            self._release()


class _Watched:
    """A connection that registers its socket with the deadline of its thread."""

    sock: socket.socket | None

    def _new_conn(self) -> socket.socket:
        connected: socket.socket = super()._new_conn()  # type: ignore[misc]
        deadline: _Deadline | None = getattr(_Deadline.current, "value", None)
        if deadline is not None:
            deadline.watch(connected)
        return connected

    def request(self, *words: Any, **options: Any) -> None:
        deadline: _Deadline | None = getattr(_Deadline.current, "value", None)
        if deadline is not None:
            deadline.check()
            if self.sock is not None:
                deadline.watch(self.sock)
        super().request(*words, **options)  # type: ignore[misc]


class _HttpConnection(_Watched, HTTPConnection):
    pass


class _HttpsConnection(_Watched, HTTPSConnection):
    pass


class _HttpPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _HttpConnection


class _HttpsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _HttpsConnection


def _describe(error: BaseException) -> str:
    """Return what went wrong in words for users, without the names and addresses of Python objects."""
    reasons = urllib3.exceptions
    while isinstance(error, reasons.MaxRetryError) and error.reason is not None:
        error = error.reason
    cause = error.__cause__ or error.__context__
    if isinstance(error, reasons.NameResolutionError):
        return "the host name cannot be resolved"
    if isinstance(error, reasons.ProxyError):
        return f"the proxy cannot be used: {_describe(error.original_error)}"
    if isinstance(error, reasons.NewConnectionError) and isinstance(cause, OSError) and cause.strerror:
        return cause.strerror.lower()
    if isinstance(error, reasons.ConnectTimeoutError):
        return f"no connection after {_CONNECT_S:g} seconds"
    if isinstance(error, (reasons.ReadTimeoutError, TimeoutError)):
        return f"no data for {_READ_S:g} seconds"
    if isinstance(error, reasons.SSLError):
        return f"TLS: {getattr(error.args[0], 'reason', None) or error.args[0]}" if error.args else "TLS failed"
    if isinstance(error, reasons.ResponseError):
        return str(error)
    if isinstance(error, (reasons.LocationParseError, reasons.LocationValueError)):
        return "invalid URL"
    if isinstance(error, (reasons.ProtocolError, reasons.HTTPError)):
        return "the connection was closed, or the answer is not valid HTTP"
    if isinstance(error, zlib.error):
        return "the answer is not valid gzip"
    return (isinstance(error, OSError) and error.strerror) or str(error)
