"""Code outside the main file: `-e`, `-p` and standard input as the main module, and preloads before it.

Errors are raised to the program, which treats them as uncaught.
"""

from __future__ import annotations

import os

from ... import _native
from ...vocabulary.errors import Failed
from .problems import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .provider import ProgramProvider

COMPLETION = "__rtCompletion"  # holds the value of the last statement, for `-p`


def run_code(provider: ProgramProvider, code: str) -> None:
    """Run `code` as the main module; with `-p`, print its completion value.

    A promise is awaited first; in a program that sees Node only, it is printed itself when the program ends.

    Code that declares itself CommonJS runs as a sloppy script in the global scope, as in Node. In a program that sees Node only,
    `--input-type` decides what the code is and whether it has types.
    """
    options = provider.options
    input_type = _input_type(options.runtime_arguments) if provider.files.is_node else ""
    path = os.path.join(options.folder, options.code_name)
    provider.program.set_main_name(path)
    completion = f"globalThis.{COMPLETION}" if options.prints else None

    def transform(macros: dict[int, str] | None = None) -> _native.Transformed:
        if not provider.files.is_node:
            return provider.files.transform(code, path, loader="tsx", completion=completion, macros=macros)
        # As in Node: types are erased only from code that is not JavaScript, whose unused imports count.
        if input_type.endswith("-typescript"):
            return provider.files.transform(code, path, loader="ts", completion=completion, macros=macros)
        try:
            return provider.files.transform(code, path, loader="js", completion=completion, macros=macros)
        except SourceError as problem:
            if input_type:
                if input_type == "module":
                    provider.modules.fail_as_engine(code, path)
                raise
            try:
                return provider.files.transform(code, path, loader="ts", completion=completion, macros=macros)
            except SourceError:
                provider.modules.fail_as_engine(code, path)
                raise problem from None

    try:
        transformed = transform()
    except SourceError:
        if input_type != "commonjs":
            raise
        provider.entry.invoke("runScript", code, path)
        return
    if transformed.macro_calls:
        transformed = provider.macros.replaced(transformed, transform)
    provider.sources.add(path, transformed)
    is_script = transformed.kind == "commonjs"
    if input_type.startswith("commonjs") and (
        transformed.has_import_meta or not (is_script or transformed.is_ambiguous)
    ):
        # The engine refuses a module's syntax.
        plain = _native.strip_types(code)[0] if input_type.endswith("-typescript") else code
        provider.entry.invoke("runScript", plain or code, path)
        return
    if provider.files.is_node and (input_type or transformed.is_ambiguous):
        is_script = not input_type.startswith("module")
    if is_script and not transformed.has_import_meta:
        provider.entry.invoke("runScript", transformed.code, path)
    else:
        provider.program.evaluate(provider.modules.native.from_code(transformed, path))
    if options.prints:
        _print_completion(provider)


def _input_type(words: tuple[str, ...]) -> str:
    """Return the value of the last `--input-type` among `words`; empty without one."""
    found = ""
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name.replace("_", "-") == "--input-type":
            found = value if equals else (words[index + 1] if index + 1 < len(words) else "")
    return found


def _print_completion(provider: ProgramProvider) -> None:
    value = provider.engine.global_object.get(COMPLETION)
    provider.engine.global_object.delete(COMPLETION)
    if isinstance(value, _native.JsPromise) and not provider.files.is_node:
        value.mark_as_handled()
        provider.program.settle(value)
        if value.state == "rejected":
            provider.entry.invoke("uncaught", value.result)
        if value.state != "pending":  # a promise that can no longer settle is printed itself
            value = value.result
    provider.entry.invoke("print", value)


def preload_all(provider: ProgramProvider) -> None:
    """Evaluate the modules of `--preload` in order; exceptions of them are uncaught."""
    provider.entry.invoke("preloading", True)
    for specifier in provider.options.preloads:
        provider.attempt(lambda name: preload(provider, name), specifier)
    provider.entry.invoke("preloading", False)


def preload(provider: ProgramProvider, specifier: str) -> None:
    """Evaluate a module of `--preload`, resolved from rt's working folder. Raises Failed."""
    is_url = specifier.startswith(("data:", "node:", "bun:", "rt:"))
    found = (
        None
        if provider.modules.is_hooked or is_url
        else provider.files.resolve(specifier, provider.options.folder + "/")
    )
    if found is None or (found.builtin is not None and provider.options.identity == "node"):
        provider.program.evaluate(provider.modules.native.ready_target(specifier, provider.options.folder + "/"))
        return
    if found.path is None and provider.options.identity == "node":  # --require adds extensions, which imports do not
        found = provider.files.resolve(specifier, provider.options.folder + "/", require=True)
    if found.path is None:
        raise Failed("preload-not-found", f'preload not found "{specifier}"')
    transformed = provider.modules.native.script(found.path, as_script=False)
    if transformed is not None and transformed.kind == "commonjs" and not transformed.problems:
        provider.entry.invoke("loadForImport", found.path)
    else:
        provider.program.evaluate(provider.modules.native.instantiate(found.path, found.query))
