"""Values of the program: V8's remote objects, previews and properties in JavaScriptCore's form."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .table import Params

_SIZED = re.compile(r"(.*)\((\d+)\)", re.DOTALL)
_SUBTYPES = {
    "array": "array",
    "typedarray": "array",
    "null": "null",
    "regexp": "regexp",
    "date": "date",
    "error": "error",
    "map": "map",
    "set": "set",
    "weakmap": "weakmap",
    "weakset": "weakset",
    "iterator": "iterator",
    "proxy": "proxy",
}
_WITH_SIZE = frozenset(("array", "map", "set", "weakmap", "weakset"))
_CLASS = re.compile(r"class(?:\s+([\w$]+))?[\s{]")
# V8's names of internal properties. Those with an empty name are not properties in JavaScriptCore.
_INTERNAL = {
    "[[Prototype]]": "__proto__",
    "[[PromiseState]]": "status",
    "[[PromiseResult]]": "result",
    "[[Target]]": "target",
    "[[Handler]]": "handler",
    "[[TargetFunction]]": "targetFunction",
    "[[BoundThis]]": "boundThis",
    "[[BoundArgs]]": "boundArgs",
    "[[Entries]]": "",
    "[[FunctionLocation]]": "",
    "[[Scopes]]": "",
}
_PRIMITIVE = frozenset(("undefined", "string", "number", "boolean", "symbol", "bigint"))


def remote_object(value: Params) -> Params:
    """Return a remote object."""
    kind = value["type"]
    result: Params = {"type": kind}
    if "objectId" in value:
        result["objectId"] = value["objectId"]
    if "unserializableValue" in value:
        if kind == "number":
            result["value"] = 0 if value["unserializableValue"] == "-0" else None
        result["description"] = value["unserializableValue"]
        return result
    if "value" in value:
        result["value"] = value["value"]
    if kind == "number":
        result["description"] = value["description"]
    if kind in ("object", "function", "symbol"):
        result |= _described(value)
    if "preview" in value and kind == "object":
        result["preview"] = preview(value["preview"])
    return result


def _described(value: Params) -> Params:
    """Return the subtype, class, description and size of an object, a function or a symbol."""
    described: Params = {}
    kind, description = value["type"], str(value.get("description", ""))
    subtype = _SUBTYPES.get(value.get("subtype", ""))
    class_name = {"symbol": "Symbol", "proxy": "ProxyObject"}.get(subtype or kind, value.get("className", ""))
    if subtype == "null":
        return {"subtype": "null"}
    if kind == "function" and (found := _CLASS.match(description)):
        subtype, class_name = "class", found[1] or ""
    if subtype in _WITH_SIZE and (sized := _SIZED.fullmatch(description)):
        description, described["size"] = sized[1], int(sized[2])
    if subtype == "error":
        description = description.partition("\n    at ")[0]
    if subtype == "proxy":
        description = "Proxy"
    if subtype is not None:
        described["subtype"] = subtype
    if class_name or subtype == "class":
        described["className"] = class_name
    described["description"] = description
    return described


def preview(value: Params) -> Params:
    """Return the preview of an object, or that of a key or value in one."""
    kind = value["type"]
    if kind in _PRIMITIVE:
        return {"type": kind, "description": value.get("description", "undefined"), "lossless": True}
    result = {"type": kind, **_described(value)}
    result.pop("className", None)
    if kind == "function" or result.get("subtype") == "null":
        return {**result, "lossless": kind != "function"}
    overflow = bool(value.get("overflow"))
    subtype = result.get("subtype")
    given = value.get("properties", ())
    listed = [each for each in given if _is_listed(value.get("subtype"), each["name"])]
    overflow = overflow and len(listed) == len(given)
    properties = [_property_preview(each) for each in listed]
    result["properties"] = properties
    is_lossless = not overflow and all(_is_lossless(each) for each in properties)
    entries = [
        {name: preview(entry[name]) for name in ("key", "value") if name in entry} for entry in value.get("entries", ())
    ]
    if entries:
        result["entries"] = entries
        is_lossless = is_lossless and all(each["lossless"] for entry in entries for each in entry.values())
    is_plain = subtype is not None or result["description"] == "Object"
    is_partial = value.get("subtype") in ("error", "date", "proxy", "typedarray")
    result["lossless"] = is_lossless and is_plain and not is_partial
    if overflow or subtype is not None:
        result["overflow"] = overflow
    return result


def _is_listed(subtype: str | None, name: str) -> bool:
    """Whether a preview lists the property `name` of an object of V8's `subtype`: V8 lists some getters, too."""
    match subtype:
        case "map" | "set":
            return name != "size"
        case "regexp":
            return name == "lastIndex"
        case "error":
            return name != "stack"
        case "typedarray":
            return name.isdigit()
        case _:
            return True


def _property_preview(value: Params) -> Params:
    result: Params = {"name": value["name"], "type": value["type"]}
    if value["type"] == "accessor":
        return result
    subtype = _SUBTYPES.get(value.get("subtype", ""))
    if subtype is not None:
        result["subtype"] = subtype
    if "valuePreview" in value:
        result["valuePreview"] = preview(value["valuePreview"])
        return result
    text = "" if value["type"] == "function" else value.get("value", "")
    sized = _SIZED.fullmatch(text) if subtype in _WITH_SIZE else None
    result["value"] = sized[1] if sized else text
    return result


def _is_lossless(value: Params) -> bool:
    if "valuePreview" in value:
        return bool(value["valuePreview"]["lossless"])
    is_whole = value["type"] != "string" or not value.get("value", "").endswith("…")
    return is_whole and (value["type"] in _PRIMITIVE or value.get("subtype") == "null")


def properties(answer: Params) -> tuple[list[Params], list[Params]]:
    """Return the properties and the internal properties that V8's `getProperties` answers."""
    own = [_property(each) for each in answer.get("result", ())]
    own += [{**_property(each), "isPrivate": True} for each in answer.get("privateProperties", ())]
    internal = []
    for each in answer.get("internalProperties", ()):
        name = _INTERNAL.get(each["name"], each["name"].strip("[]"))
        if not name or "value" not in each or (name == "__proto__" and each["value"].get("subtype") == "null"):
            continue
        value = remote_object(each["value"])
        if name == "__proto__":
            own.append({"name": name, "value": value, "writable": True, "configurable": True, "isOwn": True})
        else:
            internal.append({"name": name, "value": value})
    return own, internal


def _property(value: Params) -> Params:
    result: Params = {"name": value["name"]}
    for name in ("value", "get", "set", "symbol"):
        if name in value:
            result[name] = remote_object(value[name])
    for name in ("writable", "enumerable", "configurable", "wasThrown", "isOwn"):
        if name in value:
            result[name] = value[name]
    result.setdefault("isOwn", True)
    return result
