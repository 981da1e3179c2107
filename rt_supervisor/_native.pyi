"""The native module, `native/`: its whole surface and its documentation.

Errors are Python exceptions; no call panics. Functions that do real work release the GIL.
"""

from collections.abc import Sequence
from typing import Literal, final

# --- globs.rs ---------------------------------------------------------------------------------------------------

def match_glob(pattern: str, texts: Sequence[str]) -> list[int]:
    """The places in `texts` of those that the glob `pattern` matches.

    `*` and `?` do not cross `/`, `**` as a whole segment does, `[a-z]` and `[!x]` are classes, `{a,b}` nest, a
    backslash escapes, a leading `!` negates, and a pattern matches its own text. Time is linear in pattern times text.
    """

# --- identities.rs ----------------------------------------------------------------------------------------------

def checksum(data: bytes) -> int:
    """A 64-bit number that damaged data is most unlikely to share. No defence against malice."""

def identify(paths: Sequence[str], settled_ns: int) -> bytes | None:
    """What `is_unchanged` needs to tell later whether files and folders are still the same, or are still not there.

    None if one of them changed at `settled_ns` (since the epoch) or later: it might change again within one tick of
    the file system's clock, unnoticed.
    """

def is_unchanged(identities: bytes) -> bool:
    """Whether device, inode, size and change times are those that `identify` found. Never raises, whatever the bytes."""

# --- manifests.rs -----------------------------------------------------------------------------------------------

@final
class Manifest:
    """What rt needs of one package.json; a field of the wrong type is as absent.

    `path` is as it was asked for and `folder` its parent. `scripts` and `config` hold the entries whose value is a
    string, in their order, a fresh dict each time. `dependencies` are the names in dependencies, devDependencies and
    optionalDependencies, each once. `workspaces` is None where there is no such field.
    """

    def __new__(cls, path: str, fields: tuple[object, ...], /) -> Manifest: ...
    def plain(self) -> tuple[str, tuple[object, ...]]:
        """The arguments of the constructor, as tuples, lists and strings that `marshal` can keep."""

    def script(self, name: str) -> str | None:
        """The command of script `name`, "" where it is empty, None where it is absent."""

    @property
    def path(self) -> str: ...
    @property
    def folder(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def version(self) -> str | None: ...
    @property
    def main(self) -> str | None: ...
    @property
    def scripts(self) -> dict[str, str]: ...
    @property
    def config(self) -> dict[str, str]: ...
    @property
    def dependencies(self) -> tuple[str, ...]: ...
    @property
    def workspaces(self) -> tuple[str, ...] | None: ...

@final
class ManifestProblem:
    """A package.json that cannot be used; `str()` of it is `path:line:column: reason`.

    `line` and `column` count from 1, in characters, and are 0 where no place in the file is meant; `missing` tells a
    file that is not there from one that is broken.
    """

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def missing(self) -> bool: ...

def read_manifests(paths: Sequence[str]) -> list[Manifest | ManifestProblem]:
    """Read each package.json, in order, several at once where there are many.

    Never waits for a FIFO or a device and never raises for what a file holds.
    """

# --- packages.rs ------------------------------------------------------------------------------------------------

def find_packages(root: str, patterns: Sequence[str]) -> tuple[list[Manifest], list[ManifestProblem], list[str]]:
    """The packages below the absolute folder `root` that workspace globs name: (manifests, problems, watched).

    Manifests come in the order of the patterns, then of their paths; folders without package.json are left out.
    `watched` are the files and folders that decided which packages there are, existing or not.
    """

# --- process.rs -------------------------------------------------------------------------------------------------

def become_subreaper() -> None:
    """Have orphaned descendants re-parented to this process. Raises OSError (Linux 3.4 and later have it)."""

def signal_descriptor(mask: int) -> int:
    """Return a new non-blocking descriptor from which arriving signals are read; bit n of `mask` chooses signal n.

    The signals must be blocked. Each read gives 128-byte `signalfd_siginfo` records (signalfd(2)). Raises OSError.
    """

def spawn(
    argv: list[bytes],
    environment: list[bytes],
    folder: bytes,
    descriptors: tuple[int, int, int],
    group: int,
    ignored: int,
) -> int:
    """Start `argv` (its first element is the program's path, not looked up) and return its pid.

    `environment` holds complete `NAME=value` entries; `folder` is its working folder (empty: the caller's).
    `descriptors` become its 0, 1 and 2; each must be its own target or above 2. `group` is the process group to join,
    0 for a new one, -1 for the caller's. Signals whose bit is set in `ignored` stay ignored, all others get their
    default action; none is blocked. The process is killed when the thread that started it ends.
    Raises OSError with errno, and with the path when the folder or the program is at fault, ValueError on a null byte.
    """

# --- spawner.rs -------------------------------------------------------------------------------------------------

class Spawner:
    """Threads that start processes side by side, for the guardian; it has no end but the process's.

    `fileno` is readable when `take` has answers.
    """

    def __init__(self, threads: int) -> None:
        """Start up to `threads` threads. Raises OSError when not even one can be started."""

    def fileno(self) -> int: ...
    def submit(
        self,
        key: int,
        argv: list[bytes],
        environment: list[bytes],
        folder: bytes,
        descriptors: tuple[int, int, int],
        group: int,
        ignored: int,
    ) -> None:
        """Have a process started as by `spawn`. Raises ValueError on a null byte. The descriptors stay the caller's."""

    def take(self) -> list[tuple[int, int, int, str, str | None]]:
        """Return what has been answered since: (key, pid, 0, "", None), or (key, 0, errno, words, path at fault)."""

    def settle(self, at_most: int) -> None:
        """Wait until no more than `at_most` orders are unanswered."""

# --- transform/ -------------------------------------------------------------------------------------------------

@final
class TransformOptions:
    """The flags of one run, checked once and shared by every file. Raises ValueError for a wrong loader, JSX runtime
    or define value.

    `loaders` maps extensions (".foo" or "foo") to js, jsx, ts, tsx or a data loader (json, toml, text, …); `define` is
    (name or dotted name, JSON or name) pairs, the last of equals wins; `drop` names globals or dotted names.
    """

    def __new__(
        cls,
        *,
        loaders: dict[str, str] | None = None,
        define: list[tuple[str, str]] | None = None,
        drop: list[str] | None = None,
        jsx_runtime: Literal["automatic", "classic"] | None = None,
        jsx_factory: str | None = None,
        jsx_fragment: str | None = None,
        jsx_import_source: str | None = None,
        jsx_side_effects: bool = False,
        production: bool = False,
        ignore_dce_annotations: bool = False,
    ) -> TransformOptions: ...

@final
class EmitConfig:
    """What one tsconfig says about emitting; `Resolver.tsconfig(path).emit` makes it from a file."""

    def __new__(
        cls,
        *,
        jsx: str | None = None,
        jsx_factory: str | None = None,
        jsx_fragment: str | None = None,
        jsx_import_source: str | None = None,
        experimental_decorators: bool = False,
        emit_decorator_metadata: bool = False,
        verbatim_module_syntax: bool = False,
        use_define_for_class_fields: bool | None = None,
        strict_null_checks: bool = True,
    ) -> EmitConfig: ...

@final
class Place:
    """A place in a source: line and column from 1 (columns in UTF-16 units), the length there, the line's text."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def text(self) -> str: ...

@final
class Note:
    """A second place that explains a problem."""

    @property
    def message(self) -> str: ...
    @property
    def place(self) -> Place: ...

@final
class SyntaxProblem:
    """One syntax error; the first of several is the one to print."""

    @property
    def message(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def place(self) -> Place: ...
    @property
    def notes(self) -> list[Note]: ...
    @property
    def help(self) -> str | None: ...

@final
class ModuleRequest:
    """A specifier in the code, in the order of the code. Line and column are those of the source, 0 for what the
    transpiler put there itself (the JSX runtime)."""

    @property
    def specifier(self) -> str: ...
    @property
    def kind(self) -> Literal["import", "export", "dynamic", "require", "resolve"]: ...
    @property
    def attributes(self) -> dict[str, str]: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...

@final
class MacroCall:
    """A call of an import `with { type: "macro" }`, for the host to evaluate: `arguments` is their source text (may
    hold TypeScript), `imported` is "default" or a name, `is_static` says that every argument is a literal."""

    @property
    def specifier(self) -> str: ...
    @property
    def imported(self) -> str: ...
    @property
    def arguments(self) -> str: ...
    @property
    def is_static(self) -> bool: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...

@final
class SourceMap:
    """A decoded source map: one of ours (`Transformed.map`) or a package's. Raises ValueError for what is no map."""

    def __new__(cls, json: bytes) -> SourceMap: ...
    @staticmethod
    def of_code(code: str, path: str) -> SourceMap | None:
        """The map that a `sourceMappingURL` comment carries, or names beside `path`; None without one that can be read.
        The names of its sources are made absolute."""
    def lookup(self, line: int, column: int) -> tuple[str, int, int, str | None] | None:
        """The (source, line, column, name) that a place in the generated code comes from, all counted from 1."""
    @property
    def sources(self) -> list[str]: ...
    def source_content(self, source: str) -> str | None: ...
    def to_json(self) -> bytes: ...
    def __len__(self) -> int: ...

@final
class Transformed:
    """One file ready to run. When `problems` is not empty, there is nothing to run.

    `code` is `source` itself where nothing had to change. `kind` goes by what the file says: import, export, `await`
    outside functions, else the names of CommonJS or sloppy syntax; a file that says nothing `is_ambiguous` and goes
    with `package_type`, else it is a module unless it lies in node_modules.

    `names` are those of require, module, exports, __filename, __dirname and this (outside functions) that the code
    mentions, by name and not by scope. TypeScript's `import x = require("y")` is a call of `require` in modules too.
    In CommonJS `import.meta` has become the variable `__rt_import_meta`, which the wrapper must bind.
    `commonjs_exports` are those a reader can see, not all that a run may make.
    """

    @property
    def path(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def changed(self) -> bool: ...
    @property
    def kind(self) -> Literal["module", "commonjs"]: ...
    @property
    def problems(self) -> list[SyntaxProblem]: ...
    @property
    def is_ambiguous(self) -> bool: ...
    @property
    def requests(self) -> list[ModuleRequest]: ...
    @property
    def macro_calls(self) -> list[MacroCall]: ...
    @property
    def exports(self) -> list[str]: ...
    @property
    def star_exports(self) -> list[str]: ...
    @property
    def commonjs_exports(self) -> list[str]: ...
    @property
    def commonjs_reexports(self) -> list[str]: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def has_import_meta(self) -> bool: ...
    @property
    def has_top_level_await(self) -> bool: ...
    def map(self) -> SourceMap | None:
        """From `code` to `source`, made when first asked for; None for an unchanged file."""

def transform(
    source: str | bytes,
    path: str,
    options: TransformOptions,
    *,
    config: EmitConfig | None = None,
    loader: str | None = None,
    package_type: Literal["module", "commonjs"] | None = None,
    completion: str | None = None,
    macros: dict[int, str] | None = None,
) -> Transformed:
    """Make one source runnable. Never raises for what the source says: see `Transformed.problems`.

    `loader` overrides the one of the path's extension. `completion` is the text of a member expression
    (`globalThis.x`) that is assigned the completion value of the program (`rt -p`). `macros` are expressions that take
    the place of `macro_calls`, by their index: transform once, evaluate what it tells, transform again.
    """

def default_loader(path: str) -> str | None:
    """The loader that a path's extension gets unless mapped otherwise; None for an extension nobody claims."""

# --- resolve/ ---------------------------------------------------------------------------------------------------

@final
class Resolution:
    """Where a specifier leads: `path` with the `query` as written, or a `builtin` (without "node:"), or a `failure`.

    failure: module-not-found (a path, or something inside a package), package-not-found, not-exported,
    import-not-defined (`#name`), invalid-package-target, invalid-package-config, invalid-specifier, unknown-builtin
    (`node:nope`), unreadable. `detail` is a sentence for people who look closer.
    """

    @property
    def path(self) -> str | None: ...
    @property
    def query(self) -> str: ...
    @property
    def builtin(self) -> str | None: ...
    @property
    def failure(self) -> str | None: ...
    @property
    def detail(self) -> str: ...

@final
class RulingConfig:
    """The tsconfig or jsconfig that rules a file; `problems` (broken, extends a missing file) never stop a run."""

    @property
    def path(self) -> str: ...
    @property
    def emit(self) -> EmitConfig: ...
    @property
    def problems(self) -> list[SyntaxProblem]: ...

@final
class Resolver:
    """Specifiers to files, remembering the file system until `invalidate`. Safe to use from several threads.

    `builtins` are matched exactly, with and without "node:" as given; `conditions` come on top of rt, bun, node and
    import or require. The nearest tsconfig.json or jsconfig.json outside node_modules gives `paths` and `baseUrl`.
    """

    @property
    def extensions(self) -> list[str]: ...
    def __new__(
        cls,
        *,
        builtins: set[str] | None = None,
        conditions: list[str] | None = None,
        main_fields: list[str] | None = None,
        extensions: list[str] | None = None,
        preserve_symlinks: bool = False,
        tsconfig_override: str | None = None,
        addons: bool = True,
    ) -> Resolver: ...
    def resolve(self, specifier: str, importer: str, *, require: bool = False) -> Resolution:
        """Resolve for the file `importer`, or for a folder when it ends in a slash. A miss is looked up once more
        with fresh eyes, because a running program may have made the file."""
    def tsconfig(self, path: str) -> RulingConfig | None: ...
    def package_type(self, path: str) -> Literal["module", "commonjs"] | None:
        """The `type` of the package that a file belongs to, None when its package.json does not say."""
    def invalidate(self) -> None: ...

# --- graph.rs ---------------------------------------------------------------------------------------------------

@final
class GraphModule:
    """One file of a graph: `transformed` for a script, `data` for any other loader, `failure` where it cannot be read
    ("no such file", "permission denied", "is a directory"). `targets` has one Resolution for each of
    `transformed.requests`."""

    @property
    def path(self) -> str: ...
    @property
    def loader(self) -> str: ...
    @property
    def transformed(self) -> Transformed | None: ...
    @property
    def targets(self) -> list[Resolution]: ...
    @property
    def data(self) -> bytes | None: ...
    @property
    def failure(self) -> str | None: ...

def load_graph(
    entries: Sequence[str],
    resolver: Resolver,
    options: TransformOptions,
    *,
    follow_require: bool = False,
) -> list[GraphModule]:
    """Read, transform and resolve everything that `entries` (absolute paths) import, in parallel and off the GIL.

    Breadth first, each file once, in the same order every time; literal `require` calls are followed when asked,
    dynamic imports are resolved and not followed. Each file's own tsconfig and package.json apply. A file imported
    `with { type: LOADER }` comes once more with that loader. TypeScript modules that pass on types of others without
    saying `type` lose those exports.
    """
