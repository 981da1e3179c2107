"""Flags of Node and V8 that programs pass to `process.execPath`, and that rt can ignore.

Imported only for a flag that rt does not know. Flags that are not listed are refused, because a program would run differently
without them: the permission model, other limits, loaders, TLS versions, and modes that do not run a file.
"""

from __future__ import annotations

_PLAIN = """
    abort-on-uncaught-exception addons async-context-frame compilation-cache concurrent-array-buffer-sweeping debug-arraybuffer-allocations
    deprecation
    disable-wasm-trap-handler enable-etw-stack-walking enable-network-family-autoselection enable-source-maps entry-url
    extra-info-on-fatal-exception flush-bytecode insecure-http-parser force-async-hooks-checks force-context-aware
    force-node-api-uncaught-exceptions-policy gc-global global-search-paths interpreted-frames-native-stack
    jitless js-source-phase-imports lazy max-lazy napi-modules node-snapshot openssl-legacy-provider
    openssl-shared-config opt
    optimize-for-size pending-deprecation perf-basic-prof perf-basic-prof-only-functions perf-prof
    perf-prof-unwinding-info predictable predictable-gc-schedule report-compact report-exclude-env
    report-exclude-network report-on-fatalerror report-on-signal report-uncaught-exception require-module
    single-threaded single-threaded-gc sparkplug strip-types trace-deopt trace-events-enabled trace-env trace-env-js-stack
    trace-env-native-stack trace-gc trace-opt trace-promises trace-sigint trace-sync-io trace-uncaught
    track-heap-objects use-strict verify-base-objects warnings webstorage worker-snapshot allow-natives-syntax
    expose-internals experimental-abortcontroller experimental-addon-modules experimental-async-context-frame
    experimental-detect-module experimental-fetch experimental-global-customevent
    experimental-global-webcrypto experimental-import-meta-resolve
    experimental-import-text experimental-inspector-network-resource experimental-json-modules experimental-modules
    experimental-network-inspection experimental-print-required-tla experimental-repl-await experimental-report
    experimental-require-module experimental-shadow-realm experimental-specifier-resolution experimental-sqlite
    experimental-strip-types experimental-test-module-mocks experimental-top-level-await
    experimental-transform-types experimental-vm-modules experimental-wasi-unstable-preview1
    experimental-wasm-modules experimental-web-worker experimental-webstorage
    experimental-worker experimental-worker-inspection
"""
_WITH_VALUE = """
    diagnostic-dir es-module-specifier-resolution experimental-default-type
    icu-data-dir input-type localstorage-file openssl-config
    report-dir report-directory report-filename report-signal trace-event-categories trace-event-file-pattern
    use-largepages v8-pool-size
"""
_WITH_JOINED_VALUE = """
    gc-interval hash-seed initial-old-space-size max-heap-size max-semi-space-size
    min-semi-space-size random-seed stack-size
"""

# Under the name `node` also ignored: what they concern does not exist here.
IGNORED_UNDER_NODE = """
    bench bench-isolation bench-name-pattern bench-reporter bench-reporter-destination bench-samples bench-warmup build-sea
    enable-fips enable-fips-indicator-events experimental-bench experimental-dtls experimental-ffi experimental-quic
    experimental-test-snapshots http-parser inspect-brk-node security-reverts test-udp-no-try-send experimental-config-file experimental-default-config-file
    experimental-package-map experimental-sea-config experimental-storage-inspection experimental-stream-iter
    experimental-vfs force-fips frozen-intrinsics heapsnapshot-signal no-experimental-ffi node-memory-debug prof
    prof-process secure-heap secure-heap-min trace-require-module trace-tls vfs-load vfs-mount watch-path
    watch-preserve-output
"""


def names() -> list[str]:
    """Return the names of all flags of this table."""
    return f"{_PLAIN} {_WITH_VALUE} {_WITH_JOINED_VALUE} {IGNORED_UNDER_NODE}".split()


def is_harmless(name: str) -> bool:
    """Return whether rt can ignore the flag `name` (without dashes and value)."""
    name = name.replace("_", "-")
    positive = name.removeprefix("no-")
    known = positive in _PLAIN.split() or positive.startswith("harmony")
    return known or name in _WITH_VALUE.split() or name in _WITH_JOINED_VALUE.split()


def takes_next_word(name: str) -> bool:
    """Return whether the value of a flag given without `=` is the next word."""
    return name.replace("_", "-") in _WITH_VALUE.split()
