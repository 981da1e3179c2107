"""What `/json/protocol` lists: the domains of the debugger with the names of their commands and events, for clients that ask.

Clients make functions of these names; what they take and give is the protocol's own documentation.
"""

from __future__ import annotations

import json

_DOMAINS = {  # name -> (commands, events)
    "Console": ("clearMessages disable enable", "messageAdded"),
    "Debugger": (
        "continueToLocation disable enable evaluateOnCallFrame getPossibleBreakpoints getScriptSource "
        "disassembleWasmModule nextWasmDisassemblyChunk getWasmBytecode getStackTrace pause pauseOnAsyncCall "
        "removeBreakpoint restartFrame resume searchInContent setAsyncCallStackDepth "
        "setBlackboxExecutionContexts setBlackboxPatterns setBlackboxedRanges setBreakpoint "
        "setInstrumentationBreakpoint setBreakpointByUrl setBreakpointOnFunctionCall setBreakpointsActive "
        "setPauseOnExceptions setReturnValue setScriptSource setSkipAllPauses setVariableValue stepInto "
        "stepOut stepOver",
        "breakpointResolved paused resumed scriptFailedToParse scriptParsed",
    ),
    "HeapProfiler": (
        "addInspectedHeapObject collectGarbage disable enable getHeapObjectId getObjectByHeapObjectId "
        "getSamplingProfile startSampling startTrackingHeapObjects stopSampling stopTrackingHeapObjects "
        "takeHeapSnapshot",
        "addHeapSnapshotChunk heapStatsUpdate lastSeenObjectId reportHeapSnapshotProgress resetProfiles",
    ),
    "Profiler": (
        "disable enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop "
        "stopPreciseCoverage takePreciseCoverage",
        "consoleProfileFinished consoleProfileStarted preciseCoverageDeltaUpdate",
    ),
    "Runtime": (
        "awaitPromise callFunctionOn compileScript disable discardConsoleEntries enable evaluate getIsolateId "
        "getHeapUsage getProperties globalLexicalScopeNames queryObjects releaseObject releaseObjectGroup "
        "runIfWaitingForDebugger runScript setAsyncCallStackDepth setCustomObjectFormatterEnabled "
        "setMaxCallStackSizeToCapture terminateExecution addBinding removeBinding getExceptionDetails",
        "bindingCalled consoleAPICalled exceptionRevoked exceptionThrown executionContextCreated "
        "executionContextDestroyed executionContextsCleared inspectRequested",
    ),
    "Schema": ("getDomains", ""),
    "Network": (
        "enable disable getRequestPostData getResponseBody loadNetworkResource streamResourceContent",
        "requestWillBeSent responseReceived dataReceived loadingFinished loadingFailed webSocketCreated "
        "webSocketHandshakeResponseReceived webSocketClosed",
    ),
    "DOMStorage": (
        "clear disable enable getDOMStorageItems removeDOMStorageItem setDOMStorageItem",
        "domStorageItemAdded domStorageItemRemoved domStorageItemUpdated domStorageItemsCleared",
    ),
    "Storage": ("getStorageKey", ""),
    "IO": ("close read", ""),
    "NodeRuntime": ("enable disable notifyWhenWaitingForDisconnect", "waitingForDisconnect waitingForDebugger"),
    "NodeWorker": (
        "sendMessageToWorker enable disable detach",
        "attachedToWorker detachedFromWorker receivedMessageFromWorker",
    ),
    "Target": ("getTargets setAutoAttach", "targetCreated attachedToTarget"),
}

CDP_COMMANDS = frozenset(
    f"{name}.{command}" for name, (commands, _events) in _DOMAINS.items() for command in commands.split()
)


def protocol_text() -> str:
    """Return the page."""

    def named(names: str) -> list[dict[str, str]]:
        return [{"name": name} for name in names.split()]

    domains = [
        {"domain": name, "commands": named(commands), "events": named(events)}
        for name, (commands, events) in _DOMAINS.items()
    ]
    return json.dumps({"version": {"major": "1", "minor": "3"}, "domains": domains}, separators=(",", ":"))
