"""Source files, standard input and evaluated code: from a request to a program in the engine, in rt's own process."""

from __future__ import annotations

import os

from ..errors import Failed
from ..target import is_pipe
from .colours import wants_colour
from .request import program_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine_worker.options import ProgramOptions
    from ..target import Target
    from .request import Request


def run_program(request: Request, target: Target | None) -> int:
    """Run a source file, standard input (a target named "-") or evaluated code (none); return its exit status."""
    from ..engine_worker.worker import run_program as run

    return run(program_options(request, target))


def program_options(request: Request, target: Target | None) -> ProgramOptions:
    """Return what the program is to be run with. Raises Failed."""
    from ..engine_worker.options import ProgramOptions

    invocation = request.invocation
    code: str | None = None
    entry = ""
    arguments = invocation.arguments
    if target is None:
        code = invocation.text("print") if "print" in invocation.options else invocation.text("eval")
        arguments = (*invocation.names, *arguments)
    elif target.kind == "stdin":
        code = _standard_input()
    else:
        # The link to a pipe in /proc leads nowhere by name.
        keeps_link = invocation.is_set("preserve-symlinks-main") or is_pipe(target.path)
        entry = target.path if keeps_link else os.path.realpath(target.path)
    environment = program_environment(request)
    return ProgramOptions(
        entry=entry,
        arguments=arguments,
        executable=request.executable,
        environment=environment,
        folder=request.folder,
        code=code,
        code_name="[stdin]" if target is not None and target.kind == "stdin" else "[eval]",
        has_entry_argument=target is not None,
        prints="print" in invocation.options,
        runtime_arguments=invocation.runtime_arguments,
        preloads=invocation.texts("preload"),
        define=tuple(_split(value) for value in invocation.texts("define")),
        drop=tuple(part for value in invocation.texts("drop") for part in value.split(",")),
        loaders=dict(_split(value) for value in invocation.texts("loader")),
        conditions=tuple(part for value in invocation.texts("conditions") for part in value.split(",")),
        main_fields=tuple(part for value in invocation.texts("main-fields") for part in value.split(",")),
        extensions=tuple(part for value in invocation.texts("extension-order") for part in value.split(",") if part),
        preserve_symlinks=invocation.is_set("preserve-symlinks"),
        preserve_symlinks_main=invocation.is_set("preserve-symlinks-main"),
        tsconfig=_given(request, "tsconfig-override"),
        jsx_runtime=_given(request, "jsx-runtime"),
        jsx_factory=_given(request, "jsx-factory"),
        jsx_fragment=_given(request, "jsx-fragment"),
        jsx_import_source=_given(request, "jsx-import-source"),
        jsx_side_effects=invocation.is_set("jsx-side-effects"),
        ignore_dce_annotations=invocation.is_set("ignore-dce-annotations"),
        no_macros=invocation.is_set("no-macros"),
        no_addons=invocation.is_set("no-addons"),
        smol=invocation.is_set("smol"),
        expose_gc=invocation.is_set("expose-gc"),
        console_depth=invocation.number("console-depth") or 0,
        unhandled_rejections=_given(request, "unhandled-rejections") or "",
        no_deprecation=invocation.is_set("no-deprecation"),
        throw_deprecation=invocation.is_set("throw-deprecation"),
        no_warnings=invocation.is_set("no-warnings"),
        disable_warning=tuple(invocation.texts("disable-warning")),
        trace_warnings=invocation.is_set("trace-warnings"),
        trace_deprecation=invocation.is_set("trace-deprecation"),
        zero_fill_buffers=invocation.is_set("zero-fill-buffers"),
        title=_given(request, "title"),
        dns_result_order=_given(request, "dns-result-order") or "verbatim",
        colours=(wants_colour(1, environment), wants_colour(2, environment)),
    )


def _given(request: Request, name: str) -> str | None:
    value = request.invocation.options.get(name)
    return value if isinstance(value, str) else None


def _split(value: str) -> tuple[str, str]:
    key, _, rest = value.partition(":" if ":" in value else "=")
    return key, rest


def _standard_input() -> str:
    blocks = []
    try:
        while block := os.read(0, 1 << 16):
            blocks.append(block)
    except OSError as error:
        raise Failed("stdin-not-readable", f"cannot read standard input: {error.strerror}") from error
    return b"".join(blocks).decode("utf-8", "replace")
