"""Operations of `js/rt/modules/transpiler.js` and `module.stripTypeScriptTypes`: transpile one source text to
JavaScript."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host

_WITH_TYPES = {"js": "ts", "jsx": "tsx"}


def operations(host: Host) -> dict[str, Any]:
    return {"transform": (transform, "scc"), "strip": (strip, "s")}


def strip(source: str) -> list[Any]:
    """Return [code], or [None, message, whether the text is TypeScript]."""
    code, problem = _native.strip_types(source)
    return [code] if problem is None else [None, *problem]


def transform(source: str, loader: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Return {code, exports, requests: [[specifier, kind]]}, or {problem}."""
    compiler = settings["compilerOptions"]
    trims = settings["trimUnusedImports"]
    try:
        options = _native.TransformOptions(define=[(name, value) for name, value in settings["define"]])
    except ValueError as error:
        return {"problem": str(error)}
    config = _native.EmitConfig(
        jsx=compiler.get("jsx"),
        jsx_factory=compiler.get("jsxFactory"),
        jsx_fragment=compiler.get("jsxFragmentFactory"),
        jsx_import_source=compiler.get("jsxImportSource"),
        experimental_decorators=bool(compiler.get("experimentalDecorators")),
        emit_decorator_metadata=bool(compiler.get("emitDecoratorMetadata")),
        verbatim_module_syntax=not trims,
        use_define_for_class_fields=compiler.get("useDefineForClassFields"),
    )
    # Unused imports are removed only if the source is TypeScript.
    reading = _WITH_TYPES.get(loader, loader) if trims else loader
    result = _native.transform(source, f"/input.{reading}", options, config=config, loader=reading)
    if result.problems:
        first = result.problems[0]
        return {"problem": f"{first.message} ({first.place.line}:{first.place.column})"}
    # Imports that the transpiler adds for the JSX runtime are not reported: their line is 0.
    requests = [[each.specifier, each.kind] for each in result.requests if each.line > 0]
    return {"code": result.code, "exports": sorted(result.exports), "requests": requests}
