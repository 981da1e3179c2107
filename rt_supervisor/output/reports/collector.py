"""Which runs send spans to a collector of OpenTelemetry: those whose environment names one, if the extra `otel` is installed.

The variables are those of the OpenTelemetry specification. This module is imported by every run; `spans` and the SDK only by those that send.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...start.dependencies import Variables

EXTRA = "pip install 'rt-supervisor[otel]'"
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def is_named(environment: Variables) -> bool:
    """Return whether the environment names a collector for traces, and does not turn them off."""
    if not any(environment.get(name) for name in _ENDPOINTS):
        return False
    is_disabled = (environment.get("OTEL_SDK_DISABLED") or "").lower() == "true"
    return not is_disabled and (environment.get("OTEL_TRACES_EXPORTER") or "otlp") == "otlp"


def has_exporter() -> bool:
    """Return whether the packages of the extra `otel` are installed."""
    from importlib.util import find_spec

    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False
