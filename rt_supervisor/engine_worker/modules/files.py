"""Resolving and transforming the files of a program according to its options, and installing its packages.

The native loader reads and resolves files itself (`native/src/program/reading.rs`); it calls this module for specifiers
that it cannot resolve. A file that cannot be used raises the exception that becomes JavaScript's error.
"""

from __future__ import annotations

import os

from ... import _native
from ...vocabulary.errors import Failed
from ..program.problems import ModuleNotFound, source_error
from .builtin_names import BUILTINS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...packages.auto_install import AutoInstall
    from ...vocabulary.load_report import LoadListener
    from ..program.options import ProgramOptions


INSTALL_NOTE = "`rt -i` installs missing packages while a program runs"
_NOT_THERE = ("package-not-found", "module-not-found")


class ModuleFiles:
    """Resolves and transforms the files of one program."""

    def __init__(
        self,
        options: ProgramOptions,
        report: Callable[[_native.SyntaxProblem], None],
        loaded: LoadListener | None = None,
        records: _native.ModuleRecords | None = None,
    ) -> None:
        """`report` receives the problems of each tsconfig, once. Raises Failed for an invalid flag.

        `loaded` receives the files whose changes matter to the program. `records` are files that have been read
        already.
        """
        self._options = options
        self._global_folders = _native.global_folders(options.environment.get("NODE_PATH", ""))
        self.resolver = self._make_resolver(options.conditions)
        self._resolvers: dict[tuple[str, ...], _native.Resolver] = {}  # by the conditions that hooks pass
        self.keeps_maps = options.inline_maps
        self.transform_options = _transform_options(options, inline_maps=options.inline_maps)
        self.records = records or _native.ModuleRecords()
        self._report = report
        self._reported: set[str] = set()
        self._loaded = loaded
        self._auto_install: AutoInstall | None = None

    def read_ahead(self, path: str) -> None:
        """Begin to read a script and everything that it imports, before the engine is created."""
        if self._loaded is not None or not self.records.begin(path, self.resolver, self.transform_options):
            self._load_graph(path)

    def _load_graph(self, path: str) -> None:
        graph = self.records.load(
            path,
            self.resolver,
            self.transform_options,
            as_script=True,
            trusting=True,
            resolves_all=self._loaded is not None,
        )
        self.report_loaded(graph)

    def keep_maps(self) -> None:
        """Make all code transpiled from now on carry its source map."""
        if not self.keeps_maps:
            self.keeps_maps = True
            self.transform_options = _transform_options(self._options, inline_maps=True)

    @property
    def is_followed(self) -> bool:
        """Whether loaded files are reported."""
        return self._loaded is not None

    def report_loaded(self, records: Sequence[_native.GraphModule] | _native.LoadedGraph) -> None:
        """Report the files of `records`, and those that their unresolved imports could refer to, if anything follows
        them."""
        if self._loaded is not None:
            for index in range(len(records)):
                self._report_one(records[index], self._loaded)

    def follow(self, path: str) -> None:
        """Report a file that JavaScript loads by itself: for hooks, plugins, and loaders of `Module._extensions`."""
        if self._loaded is not None and path.startswith("/"):
            self._loaded.report([path])

    def _report_one(self, record: _native.GraphModule, loaded: LoadListener) -> None:
        config = self.resolver.tsconfig(record.path)
        loaded.report([record.path, *(config.files if config is not None else ())])
        requests = record.transformed.requests if record.transformed is not None else ()
        for request, target in zip(requests, record.targets, strict=False):
            if target.failure is not None:
                loaded.report(self._candidates(request.specifier, record.path))

    def _candidates(self, specifier: str, importer: str) -> list[str]:
        """Return the files that would resolve `specifier`, which does not resolve, if they existed."""
        if not specifier.startswith((".", "/")):
            return []
        base = os.path.normpath(os.path.join(os.path.dirname(importer), specifier))
        return [base, *(base + extension for extension in self.resolver.extensions)]

    def _make_resolver(self, conditions: Iterable[str]) -> _native.Resolver:
        options = self._options
        return _native.Resolver(
            builtins=set(BUILTINS),
            conditions=list(conditions) or None,
            main_fields=list(options.main_fields) or None,
            extensions=list(options.extensions) or None,
            preserve_symlinks=options.preserve_symlinks,
            tsconfig_override=options.tsconfig,
            addons=not options.no_addons,
            is_node=options.identity == "node",
            global_folders=self._global_folders,
        )

    def use_global_folders(self, folders: Iterable[str]) -> None:
        """Search `folders` instead of NODE_PATH for packages that are in no `node_modules`."""
        self._global_folders = [os.path.abspath(folder) for folder in folders]
        self.resolver = self._make_resolver(self._options.conditions)
        self._resolvers.clear()

    def _resolver_for(self, conditions: Iterable[str]) -> _native.Resolver:
        key = tuple(sorted({*self._options.conditions, *conditions}))
        if key not in self._resolvers:
            self._resolvers[key] = self._make_resolver(key)
        return self._resolvers[key]

    def resolve(
        self, specifier: str, importer: str, *, require: bool = False, conditions: Iterable[str] | None = None
    ) -> _native.Resolution:
        """Resolve `specifier`; `conditions` are added to those of the program."""
        resolver = self.resolver if conditions is None else self._resolver_for(conditions)
        if self.installs_first and (found := self._install_and_resolve(specifier, importer, resolver, require=require)):
            return found
        found = resolver.resolve(specifier, importer, require=require)
        if found.failure in _NOT_THERE and not specifier.startswith((".", "/", "#")):
            found = self._install_and_resolve(specifier, importer, resolver, require=require) or found
        if found.failure is not None and self.is_node and not specifier.startswith((".", "/")) and ":" not in specifier:
            from .node_resolution import locate

            url = locate(specifier, importer, self.node_conditions(conditions) or (), require=require)
            found = resolver.resolve(url, importer, require=require) if url is not None else found
        if self._loaded is not None and found.failure is not None:
            self._loaded.report(self._candidates(specifier, importer))
        return found

    @property
    def is_node(self) -> bool:
        """Whether the program sees Node only."""
        return self._options.identity == "node"

    def node_conditions(self, conditions: Iterable[str] | None = None) -> list[str] | None:
        """Return the program's conditions and `conditions` if the program sees Node only and gets Node's errors; else None."""
        if not self.is_node:
            return None
        addons = () if self._options.no_addons else ("node-addons",)
        return [*self._options.conditions, *(conditions or ()), *addons]

    @property
    def has_loaders(self) -> bool:
        """Whether the command line assigns loaders to extensions."""
        return bool(self._options.loaders)

    @property
    def installs_first(self) -> bool:
        """Whether packages are downloaded from a registry before `node_modules` is searched."""
        return self._options.install == "force"

    def missing_note(self, specifier: str) -> str:
        """Return why `specifier` could not be installed; if rt did not try, how to have it installed, or "" if notes are not shown."""
        note = "" if self._auto_install is None else self._auto_install.note(specifier)
        if note or self._options.install != "auto" or specifier.startswith((".", "/", "#", "file:")):
            return note
        environment = self._options.environment
        is_read = os.isatty(2) or bool(environment.get("CI") or environment.get("GITHUB_ACTIONS"))
        return INSTALL_NOTE if is_read else ""

    def _install_and_resolve(
        self, specifier: str, importer: str, resolver: _native.Resolver, *, require: bool
    ) -> _native.Resolution | None:
        """Install the package of `specifier` and resolve it; None if it may not or cannot be installed."""
        options = self._options
        if options.install == "disable" or options.limits is not None:
            return None
        if self._auto_install is None:
            from ...packages.auto_install import AutoInstall

            self._auto_install = AutoInstall(
                options.install, options.install_freshness, options.folder, options.environment
            )
        place = self._auto_install.place(specifier, importer)
        return place and resolver.resolve(*place, require=require)

    def transform(
        self,
        source: str,
        path: str,
        *,
        loader: str | None = None,
        completion: str | None = None,
        macros: dict[int, str] | None = None,
    ) -> _native.Transformed:
        """Transform code that is not in a file, as if it were a file at `path`. Raises SourceError."""
        self.report_config(path)
        config = self.resolver.tsconfig(path)
        transformed = _native.transform(
            source,
            path,
            self.transform_options,
            config=config and config.emit,
            loader=loader,
            package_type=self.resolver.package_type(path) if path.startswith("/") else None,
            completion=completion,
            macros=macros,
        )
        return runnable(transformed, path)

    def transform_again(self, record: _native.GraphModule, macros: dict[int, str]) -> _native.Transformed:
        """Transform the script of a record again, with the results of its macros. Raises SourceError."""
        assert record.transformed is not None
        config = self.resolver.tsconfig(record.path)
        again = _native.transform(
            record.transformed.source,
            record.path,
            self.transform_options,
            config=config and config.emit,
            loader=record.loader,
            package_type=self.resolver.package_type(record.path),
            macros=macros,
        )
        return runnable(again, record.path)

    def report_config(self, path: str) -> None:
        """Report the problems of a file's tsconfig, once."""
        config = self.resolver.tsconfig(path)
        if config is not None and config.path not in self._reported:
            self._reported.add(config.path)
            for problem in config.problems:
                self._report(problem)


def runnable(transformed: _native.Transformed | None, path: str) -> _native.Transformed:
    """Return `transformed`. Raises SourceError if it has problems, ModuleNotFound if `path` is not a script."""
    if transformed is None:
        raise ModuleNotFound("ERR_UNKNOWN_FILE_EXTENSION", f"{path} is not a script", f"{path} is not a script")
    if transformed.problems:
        raise source_error(transformed.problems[0])
    return transformed


def _transform_options(options: ProgramOptions, *, inline_maps: bool) -> _native.TransformOptions:
    try:
        return _native.TransformOptions(
            loaders=dict(options.loaders) or None,
            define=list(options.define) or None,
            drop=list(options.drop) or None,
            jsx_runtime=options.jsx_runtime,  # type: ignore[arg-type]
            jsx_factory=options.jsx_factory,
            jsx_fragment=options.jsx_fragment,
            jsx_import_source=options.jsx_import_source,
            jsx_is_requested=options.jsx_is_requested,
            jsx_side_effects=options.jsx_side_effects,
            production=options.environment.get("NODE_ENV") == "production",
            ignore_dce_annotations=options.ignore_dce_annotations,
            inline_maps=inline_maps,
            is_node=options.identity == "node",
        )
    except ValueError as error:
        raise Failed("invalid-transform-flag", str(error)) from error
