"""What a program is run with, as the command line and the config said it; plain data for `worker`."""

from __future__ import annotations

from ..record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


@record
class ProgramOptions:
    """One program.

    `entry` is the absolute path of the main file ("" with `code`), `code` the text of -e, -p or standard input under the
    name `code_name`; `prints` shows the completion value. `environment` is complete. `heap_limit_mb` None is V8's own.
    """

    entry: str
    arguments: tuple[str, ...]
    executable: str
    environment: Mapping[str, str]
    folder: str
    code: str | None = None
    code_name: str = "[eval]"
    has_entry_argument: bool = True
    prints: bool = False
    runtime_arguments: tuple[str, ...] = ()
    preloads: tuple[str, ...] = ()
    define: tuple[tuple[str, str], ...] = ()
    drop: tuple[str, ...] = ()
    loaders: Mapping[str, str] = {}
    conditions: tuple[str, ...] = ()
    main_fields: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    preserve_symlinks: bool = False
    preserve_symlinks_main: bool = False
    tsconfig: str | None = None
    jsx_runtime: str | None = None
    jsx_factory: str | None = None
    jsx_fragment: str | None = None
    jsx_import_source: str | None = None
    jsx_side_effects: bool = False
    ignore_dce_annotations: bool = False
    no_macros: bool = False
    no_addons: bool = False
    smol: bool = False
    expose_gc: bool = False
    console_depth: int = 2
    unhandled_rejections: str = "throw"
    no_deprecation: bool = False
    throw_deprecation: bool = False
    no_warnings: bool = False
    disable_warning: tuple[str, ...] = ()
    trace_warnings: bool = False
    trace_deprecation: bool = False
    zero_fill_buffers: bool = False
    title: str | None = None
    colours: tuple[bool, bool] = (False, False)
