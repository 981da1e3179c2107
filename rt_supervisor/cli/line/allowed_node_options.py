"""The flags that Node accepts in NODE_OPTIONS, and its messages for others.

Only programs that are started under the name `node` refuse flags. Elsewhere the variable applies to every program of a shell, and
rt ignores what it does not know. Imported only if the variable is set.
"""

from __future__ import annotations

from ...vocabulary.errors import Failed

# A name ending in "!" can be negated with "no-"; names that begin with a dash are complete. `scripts/flag-docs` writes them to
# the JavaScript library, for process.allowedNodeEnvironmentFlags.
NAMES = """
    -C -r abort-on-uncaught-exception addons! allow-addons! allow-child-process! allow-ffi! allow-fs-read
    allow-fs-vfs! allow-fs-write allow-inspector! allow-net! allow-openssl-store! allow-wasi! allow-worker!
    async-context-frame! bench-isolation bench-name-pattern bench-reporter bench-reporter-destination bench-samples
    bench-warmup conditions cpu-prof! cpu-prof-dir cpu-prof-interval cpu-prof-name debug-arraybuffer-allocations!
    debug-port deprecation! diagnostic-dir disable-proto disable-sigusr1! disable-warning disable-wasm-trap-handler!
    disallow-code-generation-from-strings dns-result-order enable-etw-stack-walking enable-fips!
    enable-fips-indicator-events! enable-network-family-autoselection enable-source-maps! entry-url!
    es-module-specifier-resolution experimental-abortcontroller experimental-addon-modules! experimental-bench!
    experimental-detect-module! experimental-dtls experimental-eventsource! experimental-fetch experimental-ffi!
    experimental-global-customevent experimental-global-navigator! experimental-global-webcrypto
    experimental-import-meta-resolve! experimental-import-text! experimental-json-modules experimental-loader
    experimental-modules experimental-package-map experimental-print-required-tla! experimental-quic
    experimental-repl-await! experimental-report experimental-require-module! experimental-shadow-realm!
    experimental-specifier-resolution experimental-sqlite! experimental-stream-iter! experimental-strip-types
    experimental-test-isolation experimental-top-level-await experimental-vfs! experimental-vm-modules!
    experimental-wasi-unstable-preview1 experimental-wasm-modules experimental-web-worker! experimental-websocket!
    experimental-webstorage! experimental-worker expose-gc extra-info-on-fatal-exception! force-async-hooks-checks!
    force-context-aware! force-fips! force-node-api-uncaught-exceptions-policy! frozen-intrinsics!
    global-search-paths! heap-prof! heap-prof-dir heap-prof-interval heap-prof-name heapsnapshot-near-heap-limit
    heapsnapshot-signal http-parser icu-data-dir import input-type insecure-http-parser! inspect! inspect-brk!
    inspect-port inspect-publish-uid inspect-wait! interpreted-frames-native-stack jitless loader localstorage-file
    max-heap-size max-http-header-size max-old-space-size max-old-space-size-percentage max-semi-space-size
    napi-modules network-family-autoselection! network-family-autoselection-attempt-timeout node-memory-debug
    node-snapshot! openssl-config openssl-legacy-provider! openssl-shared-config! pending-deprecation! perf-basic-prof
    perf-basic-prof-only-functions perf-prof perf-prof-unwinding-info permission! permission-audit! preserve-symlinks!
    preserve-symlinks-main! prof-process redirect-warnings report-compact! report-dir report-directory
    report-exclude-env! report-exclude-network! report-filename report-on-fatalerror! report-on-signal! report-signal
    report-uncaught-exception! require require-module! secure-heap secure-heap-min snapshot-blob stack-trace-limit
    strip-types! test-coverage-branches test-coverage-exclude test-coverage-functions test-coverage-include
    test-coverage-include-all! test-coverage-lines test-global-setup test-isolation test-name-pattern test-only!
    test-random-seed test-randomize! test-reporter test-reporter-destination test-rerun-failures test-shard
    test-skip-pattern throw-deprecation! title tls-cipher-list tls-keylog tls-max-v1.2! tls-max-v1.3! tls-min-v1.0!
    tls-min-v1.1! tls-min-v1.2! tls-min-v1.3! trace-deprecation! trace-env! trace-env-js-stack!
    trace-env-native-stack! trace-event-categories trace-event-file-pattern trace-events-enabled trace-exit!
    trace-promises! trace-require-module trace-sigint! trace-sync-io! trace-tls! trace-uncaught! trace-warnings!
    track-heap-objects! unhandled-rejections use-bundled-ca! use-env-proxy! use-largepages use-openssl-ca!
    use-system-ca! v8-pool-size verify-base-objects! vfs-mount warnings! watch! watch-kill-signal watch-path
    watch-preserve-output! webstorage worker-snapshot! zero-fill-buffers!
"""


def refuse_others(words: list[str], needs_value: frozenset[str]) -> None:
    """Raise Failed for the first of `words` that Node does not allow, or whose value it refuses; the word after a flag in `needs_value` is its value."""
    from .node_options import BAD_OPTION, require_value
    from .node_refusals import check_value

    allowed = _spellings()
    remaining = iter(words)
    for word in remaining:
        name, equals, _ = word.partition("=")
        if len(word) < 2 or not word.startswith("-"):
            continue
        spelled = name.replace("_", "-")
        if (equals and not spelled.startswith("--")) or spelled not in allowed:
            shown = f"{name}{equals}" if spelled.startswith("--") else word
            raise Failed("unknown-flag", f"{shown} is not allowed in NODE_OPTIONS", BAD_OPTION)
        require_value(word, remaining, needs_value, spelled=spelled)
        check_value(word, words)


def _spellings() -> frozenset[str]:
    spellings: set[str] = set()
    for name in NAMES.split():
        bare = name.removesuffix("!")
        spellings.add(name if name.startswith("-") else f"--{bare}")
        if bare != name:
            spellings.add(f"--no-{bare}")
    return frozenset(spellings)
