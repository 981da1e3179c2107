"""Waiting for a scheduler: what is reported while it does not answer, and why it did not in the end.

Dask's own attempts report neither. They go on in the meantime; a connection of our own finds the reason, and is made only if the scheduler has not
answered soon.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl

from ..vocabulary.errors import Failed
from .addresses import host_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from distributed import Security

QUIET_S = 1.5  # how long a wait is not reported
_PROBE_S = 2.0  # how long the search for a reason may take

_PLAIN = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")  # what OpenSSL calls an answer without TLS


@contextlib.asynccontextmanager
async def waiting_for_scheduler(
    url: str, security: Security, *, patience_s: float, setting: str, say: Callable[[str], None]
) -> AsyncIterator[None]:
    """Wait in the body for the scheduler at `url`, for at most `patience_s`, which `setting` changes. `say` gets what to report if it takes
    long. Raises Failed instead of the errors of connections.
    """

    async def report() -> None:
        await asyncio.sleep(QUIET_S)
        reason = await _find_reason(url, security)
        say(f"no scheduler answers at {url} yet ({reason}); waiting {_how_long(patience_s, setting)}")

    reporting = asyncio.create_task(report()) if patience_s > QUIET_S else None
    try:
        async with asyncio.timeout(max(patience_s, 1.0)):
            yield
    except TypeError as error:  # of Dask, for TLS without certificates
        raise Failed(
            "cluster-certificates", f"{url} requires certificates: name their folder with --certificates"
        ) from error
    except OSError as error:
        raise await _failure_of(error, url, security) from error
    finally:
        if reporting is not None:
            reporting.cancel()


def report_lack(lack: Failed, *, patience_s: float, setting: str) -> str:
    """Return what to report while a run lacks an agent."""
    return f"{lack}; waiting {_how_long(patience_s, setting)}"


def _how_long(patience_s: float, setting: str) -> str:
    return f"up to {patience_s:g} seconds ({setting} sets how long)"


async def _failure_of(error: OSError, url: str, security: Security) -> Failed:
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, ssl.SSLError) and cause.reason not in _PLAIN:
        return Failed(
            "cluster-certificates",
            f"the scheduler at {url} and this machine do not accept each other's certificates ({_text_of(cause, url)}): "
            "both need files that one `rt agent --make-certificates` has written",
        )
    reason = await _find_reason(url, security)
    return Failed(
        "cluster-unreachable",
        f"no scheduler answers at {url} ({reason}): start one with `rt agent --scheduler`, or check the address",
    )


async def _find_reason(url: str, security: Security) -> str:
    """Return why the scheduler does not answer, as a connection that only finds that out shows it."""
    context = security.get_connection_args("client").get("ssl_context") if url.startswith("tls://") else None
    try:
        async with asyncio.timeout(_PROBE_S):
            await _connect(url, context)
    except OSError as error:
        return _text_of(error, url)
    return "it accepts connections, but does not answer as a scheduler"


async def _connect(url: str, context: ssl.SSLContext | None) -> None:
    """Connect, and disconnect. Raises OSError: that of the last address of the host."""
    host, port = host_of(url), int(url.rpartition(":")[2])
    problem: OSError | None = None
    for family, _, _, _, address in await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM):
        try:
            _, writer = await asyncio.open_connection(str(address[0]), port, family=family)
        except OSError as error:
            problem = error
            continue
        try:
            if context is not None:
                await writer.start_tls(context, server_hostname=host)
        finally:
            writer.transport.abort()
        return
    if problem is not None:
        raise problem


def _text_of(error: OSError, url: str) -> str:
    if isinstance(error, ssl.SSLError):
        if error.reason in _PLAIN:
            return "it does not use TLS"
        return getattr(error, "verify_message", "") or (error.reason or "TLS error").replace("_", " ").lower()
    if isinstance(error, socket.gaierror):
        return f'the host "{host_of(url)}" cannot be resolved: {error.strerror}'
    return os.strerror(error.errno) if error.errno else "no answer"
