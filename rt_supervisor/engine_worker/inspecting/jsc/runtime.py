"""The domain Runtime: evaluation, properties of values, and which parts of a script have run."""

from __future__ import annotations

import re

from .remote_objects import preview, properties, remote_object
from .table import Command, Domain, Later, ProtocolError, accept, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session import JscSession
    from .table import Params

# Errors of V8 after which more text can make the source valid.
_RECOVERABLE = re.compile(
    r"Unexpected end of input|Unterminated (?:template|regular expression)|missing \) after argument list"
    r"|Invalid or unexpected token$"
)


class State:
    def __init__(self) -> None:
        self.saved = 0
        """The number of saved results, the last of which is `$<saved>` in the program."""
        self.alias = ""
        self.is_covered = False


def value_options(params: Params) -> Params:
    """Return V8's options for a result: its group, previews, and whether evaluation is silent."""
    options: Params = {}
    for name in ("objectGroup", "includeCommandLineAPI", "returnByValue", "generatePreview"):
        if name in params:
            options[name] = params[name]
    if params.get("doNotPauseOnExceptionsAndMuteConsole"):
        options["silent"] = True
    if params.get("emulateUserGesture"):
        options["userGesture"] = True
    return options


def outcome(answer: Params) -> Params:
    """Return the result of an evaluation, or what it has thrown."""
    details = answer.get("exceptionDetails")
    value = details["exception"] if details and "exception" in details else answer["result"]
    result = remote_object(value)
    if details is not None:
        result.pop("preview", None)
    return {"result": result, "wasThrown": details is not None}


def saved(session: JscSession, result: Params, params: Params) -> Params:
    """Return `result`; if the client requests that, the value becomes `$1`, `$2` … of the program."""
    if params.get("saveResult") and not result["wasThrown"]:
        value = result["result"]
        argument = {"objectId": value["objectId"]} if "objectId" in value else {"value": value.get("value")}
        result["savedResultIndex"] = _save(session, argument)
    return result


def _save(session: JscSession, argument: Params) -> int:
    state = session.runtime
    state.saved += 1
    names = [f"${state.saved}", *([f"{state.alias}{state.saved}"] if state.alias not in ("", "$") else [])]
    target = session.ask("Runtime.evaluate", expression="globalThis", silent=True)["result"]["objectId"]
    session.ask(
        "Runtime.callFunctionOn",
        objectId=target,
        functionDeclaration="function (names, value) { for (const name of names) Object.defineProperty(this, name, "
        "{ __proto__: null, value, configurable: true, writable: true, enumerable: false }); }",
        arguments=[{"value": names}, argument],
        silent=True,
    )
    session.ask("Runtime.releaseObject", objectId=target)
    return state.saved


def _evaluate(session: JscSession, params: Params) -> Params:
    context = {"contextId": params["contextId"]} if "contextId" in params else {}
    answer = session.ask("Runtime.evaluate", expression=params["expression"], **context, **value_options(params))
    return saved(session, outcome(answer), params)


def _call_function_on(session: JscSession, params: Params) -> Params:
    answer = session.ask(
        "Runtime.callFunctionOn",
        objectId=params["objectId"],
        functionDeclaration=params["functionDeclaration"],
        arguments=params.get("arguments", []),
        **value_options(params),
    )
    return outcome(answer)


def _await_promise(session: JscSession, params: Params) -> Later:
    options = value_options(params)
    request = {"promiseObjectId": params["promiseObjectId"]}
    request |= {name: options[name] for name in ("returnByValue", "generatePreview") if name in options}
    return Later("Runtime.awaitPromise", request, lambda answer: saved(session, outcome(answer), params))


def _parse(session: JscSession, params: Params) -> Params:
    source = params["source"]
    session.ask("Runtime.enable")
    answer = session.ask("Runtime.compileScript", expression=source, sourceURL="", persistScript=False)
    details = answer.get("exceptionDetails")
    if details is None:
        return {"result": "none"}
    text = details.get("exception", {}).get("description", details["text"]).partition("\n")[0]
    lines = source.split("\n")
    start = sum(len(line) + 1 for line in lines[: details["lineNumber"]]) + details["columnNumber"]
    is_recoverable = start >= len(source.rstrip()) and _RECOVERABLE.search(text) is not None
    return {
        "result": "recoverable" if is_recoverable else "irrecoverable",
        "message": text.partition(": ")[2] or text,
        "range": {"startOffset": start, "endOffset": min(start + 1, len(source))},
    }


def _get_properties(session: JscSession, params: Params) -> Params:
    own = params.get("ownProperties", False)
    answer = session.ask(
        "Runtime.getProperties",
        objectId=params["objectId"],
        ownProperties=own,
        generatePreview=params.get("generatePreview", False),
    )
    found, internal = properties(answer)
    start, count = params.get("fetchStart", 0), params.get("fetchCount")
    plain = [each for each in found if each["name"] != "__proto__"]
    chosen = plain[start : None if count is None else start + count]
    result: Params = {"properties": chosen + [each for each in found if each["name"] == "__proto__"]}
    if internal:
        result["internalProperties"] = internal
    return result


def _get_displayable_properties(session: JscSession, params: Params) -> Params:
    return _get_properties(session, {**params, "ownProperties": True})


def _get_collection_entries(session: JscSession, params: Params) -> Params:
    """V8 lists the entries of collections and iterators, weak ones included, as an internal property."""
    answer = session.ask("Runtime.getProperties", objectId=params["objectId"], ownProperties=True)
    listed = [each for each in answer.get("internalProperties", ()) if each["name"] == "[[Entries]]"]
    if not listed:
        raise ProtocolError("Object with given objectId is not a collection")
    items = session.ask("Runtime.getProperties", objectId=listed[0]["value"]["objectId"], ownProperties=True)["result"]
    items = [each["value"] for each in items if each["name"].isdigit()]
    start, count = params.get("fetchStart", 0), params.get("fetchCount")
    return {"entries": [_entry(session, item) for item in items[start : None if count is None else start + count]]}


def _entry(session: JscSession, item: Params) -> Params:
    answer = session.ask("Runtime.getProperties", objectId=item["objectId"], ownProperties=True, generatePreview=True)
    fields = {each["name"]: each["value"] for each in answer["result"] if "value" in each}
    return {name: remote_object(fields[name]) for name in ("key", "value") if name in fields}


def preview_of(session: JscSession, object_id: str) -> Params:
    """Return the preview of a value."""
    answer = session.ask(
        "Runtime.callFunctionOn",
        objectId=object_id,
        functionDeclaration="function () { return this; }",
        generatePreview=True,
        silent=True,
    )
    value = answer["result"]
    session.ask("Runtime.releaseObject", objectId=value["objectId"])
    return preview(value.get("preview", value))


def _get_preview(session: JscSession, params: Params) -> Params:
    return {"preview": preview_of(session, params["objectId"])}


def _save_result(session: JscSession, params: Params) -> Params:
    return {"savedResultIndex": _save(session, params["value"])}


def _set_alias(session: JscSession, params: Params) -> None:
    session.runtime.alias = params.get("alias", "")


def _release_object(session: JscSession, params: Params) -> None:
    session.ask("Runtime.releaseObject", objectId=params["objectId"])


def _release_group(session: JscSession, params: Params) -> None:
    session.ask("Runtime.releaseObjectGroup", objectGroup=params["objectGroup"])


def _enable_coverage(session: JscSession, _params: Params) -> None:
    session.ask("Profiler.enable")
    session.ask("Profiler.startPreciseCoverage", callCount=True, detailed=True)
    session.runtime.is_covered = True


def _disable_coverage(session: JscSession, _params: Params) -> None:
    if session.runtime.is_covered:
        session.runtime.is_covered = False
        session.ask("Profiler.stopPreciseCoverage")


def _get_basic_blocks(session: JscSession, params: Params) -> Params:
    """V8 counts the runs of ranges of a script, which nest; a block is one of them."""
    if not session.runtime.is_covered:
        raise ProtocolError("VM has no control flow information")
    scripts = session.ask("Profiler.takePreciseCoverage")["result"]
    functions = [
        function for script in scripts if script["scriptId"] == params["sourceID"] for function in script["functions"]
    ]
    blocks = [
        {
            "startOffset": each["startOffset"],
            "endOffset": each["endOffset"],
            "hasExecuted": each["count"] > 0,
            "executionCount": each["count"],
        }
        for function in functions
        for each in function["ranges"]
    ]
    return {"basicBlocks": blocks}


_VALUE = {"objectGroup": "String?", "doNotPauseOnExceptionsAndMuteConsole": "Boolean?", "returnByValue": "Boolean?"}
_SHOWN = {**_VALUE, "generatePreview": "Boolean?", "saveResult": "Boolean?", "emulateUserGesture": "Boolean?"}
_RANGE = {"fetchStart": "Integer?", "fetchCount": "Integer?"}
NO_TYPES = refuse("VM has no type information")

DOMAIN = Domain(
    {
        "enable": Command(accept),
        "disable": Command(accept),
        "evaluate": Command(
            _evaluate, expression="String", contextId="Integer?", includeCommandLineAPI="Boolean?", **_SHOWN
        ),
        "callFunctionOn": Command(
            _call_function_on, objectId="String", functionDeclaration="String", arguments="Array?", **_SHOWN
        ),
        "awaitPromise": Command(_await_promise, promiseObjectId="String", **_SHOWN),
        "parse": Command(_parse, source="String"),
        "getProperties": Command(
            _get_properties, objectId="String", ownProperties="Boolean?", generatePreview="Boolean?", **_RANGE
        ),
        "getDisplayableProperties": Command(
            _get_displayable_properties, objectId="String", generatePreview="Boolean?", **_RANGE
        ),
        "getCollectionEntries": Command(_get_collection_entries, objectId="String", objectGroup="String?", **_RANGE),
        "getPreview": Command(_get_preview, objectId="String"),
        "saveResult": Command(_save_result, value="Object", contextId="Integer?"),
        "setSavedResultAlias": Command(_set_alias, alias="String?"),
        "releaseObject": Command(_release_object, objectId="String"),
        "releaseObjectGroup": Command(_release_group, objectGroup="String"),
        "getRuntimeTypesForVariablesAtOffsets": Command(NO_TYPES, locations="Array"),
        "enableTypeProfiler": Command(NO_TYPES),
        "disableTypeProfiler": Command(accept),
        "enableControlFlowProfiler": Command(_enable_coverage),
        "disableControlFlowProfiler": Command(_disable_coverage),
        "getBasicBlocks": Command(_get_basic_blocks, sourceID="String"),
    }
)
