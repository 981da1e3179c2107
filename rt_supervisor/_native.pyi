"""The native module, `native/`: its whole surface and its documentation.

Errors are Python exceptions; no call panics. Functions that do real work release the GIL.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal, NoReturn, Protocol, TypeAlias, final

from typing_extensions import Buffer

IS_DEBUG_BUILD: bool
"""Whether the module is built without optimisation and with assertions (`rt run build`)."""

# --- colors.rs --------------------------------------------------------------------------------------------------

def parse_color(text: str) -> tuple[str, tuple[tuple[int, int, int, int], str, str, str] | None] | None:
    """A CSS colour as (css, values); None if the text is not a colour. `values` are (red, green, blue, alpha) from 0 to
    255, the text of `hsl()`, of `lab()` and of alpha from 0 to 1; None for a colour that depends on the page or on the
    screen."""

# --- fork.rs ----------------------------------------------------------------------------------------------------

def fork_sibling() -> int:
    """Fork a child of this process's parent, which alone can wait for it; returns 0 in the child, its pid here.

    Raises RuntimeError if this process has more than one thread, OSError as os.fork does.
    """

def die_with_parent(parent: int) -> bool:
    """Kill this process when its parent thread ends. False if `parent` is no longer its parent."""

def show_command_line(words: list[bytes]) -> None:
    """Show `words` as this process's command line, in `ps` for example, as far as they fit."""

# --- guarding.rs ------------------------------------------------------------------------------------------------

def start_guardian(
    *,
    shared_group: int | None,
    ignored: int,
    held_back: int,
    mark: int,
    threads: int,
    grace_ms: int,
    zygotes: Sequence[str],
    become_zygote: BecomeZygote | None,
) -> tuple[int, int]:
    """Fork a guardian (`native/guardian/src/guardian.rs`); returns its pid and a channel to it.

    Its scripts join the process group `shared_group` (None: each leads its own group). Signals in the mask `ignored`
    stay ignored in them. This process holds back the signals of `held_back`; a script that joins the group receives
    those it missed. All processes that it starts carry `mark`. `threads` threads start scripts concurrently (0: the
    guardian starts them one after the other). `grace_ms` is how long the processes that a script left behind may take
    to end after their group was signalled.

    For each of `zygotes`, "engine" or "shell", a fork of the guardian is a copy of this interpreter and calls
    `become_zygote`. Raises OSError.
    """

class BecomeZygote(Protocol):
    def __call__(
        self,
        kind: Literal["engine", "shell"],
        *,
        orders: int,
        answers: int,
        guardian: int,
        rt: int,
        group: int,
        ignored: int,
        held_back: int,
    ) -> NoReturn:
        """Act as a zygote of that kind, with the descriptors of its `orders` and its `answers`, and two pids.

        Its workers join process group `group` (0: each leads its own group), in which `rt` holds back signals that they
        may have missed.
        """

def await_guardian(pid: int, mark: int) -> None:
    """Wait until a guardian whose channel is closed has ended everything, and reap it. If it does not end within some
    seconds, kill it and end its remaining processes."""

def end_guardian(pid: int, mark: int) -> None:
    """Kill a guardian, running or unresponsive, and all processes below this one or with `mark`."""

def prepare_order(zygote: str) -> bytes:
    """Return the order to prepare that zygote, which then forks workers."""

def hold_order() -> bytes:
    """Return the order to fork the next engine worker in advance."""

def spawn_order(
    key: int,
    argv: Sequence[str],
    direct: Sequence[str],
    program: Sequence[str],
    changed: Sequence[tuple[str, str]],
    removed: Sequence[str],
    folder: str,
    passed: int,
) -> bytes:
    """Return the order to start script `key`, sent together with `passed` descriptors: see `GuardianClient.spawn`.

    Raises UnicodeEncodeError for text that cannot be encoded.
    """

def refuse_order(key: int, words: str) -> bytes:
    """Return the order to report that script `key` cannot be started, and why."""

def signal_order(key: int | None, number: int) -> bytes:
    """Return the order to send a signal to the group of script `key`, or of each."""

def kill_order(key: int | None) -> bytes:
    """Return the order to kill the tree of script `key`, or everything."""

@final
class ReportReader:
    """Splits a guardian's output into reports, keeping incomplete ones."""

    def __new__(cls) -> ReportReader: ...
    def feed(
        self, data: bytes
    ) -> list[
        tuple[Literal["started"], int, int, int]
        | tuple[Literal["refused"], int, int, str, str | None]
        | tuple[Literal["ended"], int, int, float, int]
    ]:
        """The reports that `data` completes, as `vocabulary/protocol.py` represents them. Raises ValueError for invalid
        data."""

# --- processes/zygotes.rs ---------------------------------------------------------------------------------------

def zygote_order(
    data: bytes,
) -> (
    tuple[Literal["prepare"]]
    | tuple[Literal["hold"]]
    | tuple[Literal["spawn"], int, list[str], list[tuple[str, str]], list[str], str, bool, int]
    | tuple[Literal["long"], int, int]
):
    """Decode an order to a zygote. Raises ValueError for an invalid one.

    "spawn": key, program, variables to set, names of this process's variables to remove, folder, whether
    descriptor 0 is a terminal for a new session, number of descriptors.
    "long": key, number of descriptors, which are followed by a file with the message.
    """

def zygote_answer(kind: Literal["held", "forked", "running", "unable"], key: int, pid: int, given: int = 0) -> bytes:
    """An answer of a zygote or a worker (`native/wire/src/protocol.rs`), short enough to be written to a pipe
    atomically."""

def raise_missed(rt: int, watched: int) -> int:
    """Raise in this process, which has blocked every signal, the signals of the mask `watched` that are pending for
    `rt`; returns their mask."""

# --- globs.rs ---------------------------------------------------------------------------------------------------

def match_glob(pattern: str, texts: Sequence[str], *, extended: bool = False) -> list[int]:
    """The indices of the `texts` that the glob `pattern` matches.

    `*` and `?` do not match `/`, `**` does as a whole segment, `[a-z]` and `[!x]` are classes, `{a,b}` nest, a
    backslash escapes, a leading `!` negates, and a pattern matches its own text. Time is linear in pattern times text.
    `extended` adds `?(a|b)`, `*(a|b)`, `+(a|b)`, `@(a|b)`, `{a..c}` and `{1..9}`.
    """

# --- zlib/frames.rs -------------------------------------------------------------------------------------------------

def zstd_compress(data: bytes, level: int) -> bytes:
    """Return `data` as one zstd frame."""

def zstd_decompress(frame: bytes, size: int) -> bytes | None:
    """Return the `size` bytes in a zstd frame, None if it does not hold exactly so many."""

# --- graph.rs ---------------------------------------------------------------------------------------------------

@final
class GraphModule:
    """One file of a graph: `transformed` for a script, `data` for any other loader except "file", `failure` if it
    cannot be read ("no such file", "permission denied", "is a directory"). `forced_loader` is the loader that its
    importer requested. `targets` has one Resolution for each of `transformed.requests`; requests at run time
    (`require`, `import()`) are resolved only if everything was resolved."""

    @property
    def path(self) -> str: ...
    @property
    def loader(self) -> str: ...
    @property
    def forced_loader(self) -> str | None: ...
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
    loader: str | None = None,
    follow_require: bool = False,
    as_script: bool = False,
    trusting: bool = False,
) -> list[GraphModule]:
    """Read, transform and resolve everything that `entries` (absolute paths) import, in parallel and without the GIL.

    The result is breadth first, has each file once, and is always in the same order. Literal `require` calls are
    followed on request; dynamic imports are resolved but not followed. Each file's own tsconfig and package.json apply.
    A file imported `with { type: LOADER }` occurs again with that loader, as entries do with `loader`. A file whose
    extension has no loader is not read (loader "file"), unless it has no extension, or is an entry and `as_script` is
    set (tsx). TypeScript modules that re-export types without `type` lose those exports. With `trusting` a large file
    of a package that looks like CommonJS is not parsed (`Transformed.is_assumed`); if it does not compile, load it
    again without.
    """

# --- records.rs, texts.rs, table.rs (modules) --------------------------------------------------------------------

@final
class LoadedGraph:
    """The records of one graph in the order in which they were found, converted for Python one at a time."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> GraphModule: ...

@final
class ModuleRecords:
    """The files of all graphs read so far, by path and requested loader (None: the extension's)."""

    def __init__(self) -> None: ...
    def get(self, path: str, loader: str | None = None) -> GraphModule | None: ...
    def load(
        self,
        path: str,
        resolver: Resolver,
        options: TransformOptions,
        *,
        loader: str | None = None,
        as_script: bool = False,
        trusting: bool = False,
        resolves_all: bool = False,
    ) -> LoadedGraph:
        """Read a file and everything it imports, as `load_graph` does, and return the records, beginning with that of
        the file. Records of readable files are stored: the first replaces an older one, the others only fill gaps."""
    def begin(self, path: str, resolver: Resolver, options: TransformOptions) -> bool:
        """Begin `load(path, ..., as_script=True, trusting=True)` on a thread; False if no thread is available. Other
        calls wait for its end."""
    def forget(self, path: str) -> None:
        """Forget a file, whatever loader it was read with."""

@final
class LoadedTexts:
    """The loaded texts by the names in stack frames, and their source maps."""

    def __init__(self) -> None: ...
    def add(self, name: str, transformed: Transformed, *, shifted_by: int = 0) -> None:
        """`shifted_by` is the number of columns inserted before the first line."""
    def get(self, name: object) -> Transformed | None:
        """The text with that name; None for anything that is not a string, because stack frames may contain any value."""
    def map_position(self, name: str, line: int, column: int) -> tuple[int, int, str | None]:
        """The source line, column and file for a position in the running code; lines and columns count from 1. The file
        is None if it is `name` itself, otherwise the source from which `name` was compiled before it was published."""
    def lines(self, name: str, first: int, last: int) -> list[str] | None:
        """Source lines `first` to `last` (from 1, inclusive), fewer at the end of `name`; None if unknown."""

@final
class CodeCaches:
    """Chooses where V8's code cache of a program's own files is stored: in its compile cache if it has one, a folder that
    outlives it; otherwise in rt's cache, from the program's second run on. Errors of the caches are ignored."""

    def __new__(cls, main: str | None = None) -> CodeCaches:
        """`main` is the path of the main file, which identifies the program; without it, rt's cache stores nothing."""

@final
class RemovedModules:
    @property
    def names(self) -> list[str]: ...

# --- hashes.rs --------------------------------------------------------------------------------------------------

def hash_bytes(algorithm: str, data: bytes, seed: int) -> int:
    """wyhash, cityHash32, cityHash64, xxHash32, xxHash64, xxHash3, murmur32v2, murmur32v3, murmur64v2 or rapidhash of
    `data`; `seed` is below 2**64, and 32-bit hashes and xxHash3 use its low half. Raises ValueError for any other name.
    """

# --- identities.rs ----------------------------------------------------------------------------------------------

START_FORMAT: int
"""The version of the records of cached starts and start images."""
START_NOTE_BYTES: int
"""The size of the note at the end of a record, which its checksum does not cover."""
LARGEST_START: int
"""The size in bytes that the record of a cached start stays below."""
START_OF_SCRIPT: int
START_OF_SCRIPTS: int
START_OF_PROGRAM: int
PROGRAM_QUESTION: bytes
"""The beginning of a program's question."""

def checksum(bytes: bytes) -> int:
    """Return a 64-bit checksum that detects damage, not tampering."""

def digest_of(*parts: str | bytes | dict[str, str]) -> str:
    """Return the digest (BLAKE2b, 20 bytes, as hexadecimal digits) of `parts`, whose borders count; of a dict, those of its texts do.

    Characters that `surrogateescape` has made of bytes count as these bytes.
    """

def content_digest(data: bytes) -> str:
    """Return the digest (BLAKE2b, 20 bytes, as hexadecimal digits) of `data`."""

def blob_digest(data: bytes) -> str:
    """Return the digest (SHA-1, as hexadecimal digits) that git has for a file with the content `data`."""

def blob_digest_of(path: str) -> str:
    """Return what `blob_digest` does for the content of a file, which is read in blocks. Raises OSError."""

def are_outputs_present(
    root: str, outputs: dict[str, tuple[Any, tuple[int, int, int, int, int]]], folder_kind: str
) -> bool:
    """Return whether everything in `outputs`, by its path relative to `root`, has the identity that is known of it.

    Each is an `rt_supervisor.tasks.store.Output` with its inode, mode, size, and the times of the last change of content and of status.
    Of those whose kind is `folder_kind`, only the permissions count.
    """

def cache_home() -> str | None:
    """Return the user's cache folder according to XDG_CACHE_HOME or HOME; None if neither is an absolute path."""

def existing_paths(paths: Sequence[str]) -> list[str]:
    """Return those of `paths` that exist, in order; links that lead nowhere do."""

def deciding_variables() -> list[bytes]:
    """Return the variables (`NAME=value`, sorted) that every cached start depends on."""

def available_cpus() -> int:
    """Return how many CPUs this process may use: its affinity and the quota of its control group limit them."""

def split_program(words: Sequence[bytes], called_as: bytes) -> tuple[int, int] | None:
    """Return where the name of a program ends in a command line without flags, and where its arguments begin.

    `words` follow the name of the command, `called_as`. None if there is no name of a program.
    """

def has_head_start(words: Sequence[bytes], called_as: bytes, extensions: Sequence[str]) -> bool:
    """Return whether a command line certainly needs V8 with its usual flags, so that V8 is started before it is parsed."""

def stamp(folder: str, file: str) -> int:
    """Return a 64-bit number that changes when `file`, or a file of `folder`, is added, removed or written. Raises OSError."""

def identify(paths: Sequence[bytes], settled_ns: int) -> bytes | None:
    """Return the identities of files and folders, or of their absence, for `is_unchanged`; links count with their targets.

    None if one of them changed at `settled_ns` (since the epoch) or later: it might change again within one tick of the
    file system's clock, unnoticed.
    """

def is_unchanged(identities: bytes) -> bool:
    """Return whether everything still has the identity that `identify` found. Never raises, not even for malformed bytes."""

def identified_paths(identities: bytes) -> list[bytes]:
    """Return the paths in `identities`."""

# --- files/permission.rs -----------------------------------------------------------------------------------------------

def limit_files(read: list[bytes], write: list[bytes], is_audit: bool) -> None:
    """Limit the process permanently to the files that --allow-fs-read and --allow-fs-write grant: paths, with `*`.

    With `is_audit` nothing is forbidden; JavaScript reports violations.
    """

def may_load_module(path: bytes) -> bool:
    """Return whether the limits let the program read a module from `path`."""

# --- files/cache/ ------------------------------------------------------------------------------------------------------

def cache_flaw(folder: str) -> tuple[str, int | None] | None:
    """Return why others may have written to `folder`: a folder at or above it, or a link on the way, and its owner if that
    is the reason. None if only this user and root can have written to it; a missing folder has no flaw."""

def cache_holds(path: str, size: int, mtime_ns: int) -> bool:
    """Return whether `path` is a regular file of this user alone, with that size and modification time. Never raises."""

def cache_put(path: str, data: bytes, is_durable: bool) -> None:
    """Write a file at `path` atomically, creating its folder as needed; drafts of dead processes are removed. With
    `is_durable` the file survives a power failure. Raises OSError."""

def cache_copy(source: str, target: str, mtime_ns: int) -> None:
    """Copy `source` to `target` as `cache_put` does, with that modification time. Raises OSError."""

# --- children/guard.rs ------------------------------------------------------------------------------------------

def guard_children() -> tuple[int, int]:
    """Start the guardian of this thread's children, unless it is running; returns its pid and the mark of the children.
    Raises OSError."""

def end_children() -> None:
    """End the remaining children of this thread's program, and its guardian."""

# --- processes/marked.rs ----------------------------------------------------------------------------------------

def is_gone(pid: int) -> bool:
    """Return whether a process does not exist or is a zombie."""

def count_marked(mark: int) -> int:
    """Return the number of living processes with `mark`, except this one."""

def end_marked(mark: int) -> None:
    """Send SIGTERM to all processes with `mark`, kill the rest soon after, and repeat until none is found."""

def guard_marked(pid: int, mark: int) -> None:
    """Wait until process `pid` has ended, then end the processes with `mark`; standard input holds the signal that
    ended it, if any."""

def carry_out(
    decision: bytes, *, zygotes: Sequence[str] = (), become_zygote: BecomeZygote | None = None
) -> tuple[int, int]:
    """Run a decision encoded by `start.decision` to its end, in the foreground; returns exit status and signal (0:
    none).

    With `zygotes`, as for `start_guardian`, its steps are command lines of rt, which workers can run.

    Forks a guardian, so the process must have only one thread; signals are held back from then on. Raises ValueError
    for an invalid decision, and OSError if nothing could be started.
    """

def is_decision(bytes: bytes) -> bool:
    """Return whether `bytes` is a valid decision for `carry_out`."""

# --- processes/run_core.rs --------------------------------------------------------------------------------------

RunEvent: TypeAlias = (
    tuple[Literal["started"], int, int, int, float]  # task, step, pid (0: it had no process), time
    | tuple[Literal["output"], int, int, int, bytes]  # task, step, stream (1 or 2), block
    | tuple[Literal["drained"], int, int, int]  # task, step, stream
    # task, step, exit code, signal (0: none), whether rt asked for it, time, seconds, CPU seconds, peak resident bytes
    | tuple[Literal["ended"], int, int, int, int, bool, float, float, float, int]
    | tuple[Literal["skipped"], int, int, str]  # task, step, the step or task whose failure is the reason
    | tuple[Literal["task-ended"], int, int, bool, float]  # task, status, whether it was skipped, time
    | tuple[Literal["restarted"], int]  # task
    | tuple[Literal["deferred"], int]  # task: a limit of the system refused to start it; it waits again
    | tuple[Literal["interrupted"], int]  # signal
    | tuple[Literal["resized"]]
)
"""What happened in a run; times are seconds of the monotonic clock."""

class RunStopped(Exception):
    """A run cannot continue. The arguments are the reason and its details:

    "closed" (whether the terminal hung up), "abandoned", "refused" (errno, the system's words, path or None),
    "descriptor-limit", "lost" or "unanswered" (the guardian), "output" (errno).
    """

@final
class TerminalEmulator:
    """What a script writes to its terminal, interpreted: the screen with a bounded history (`native/src/emulator/mod.rs`).

    The view is a window of the screen's size into both. While it is scrolled back, new output does not move it.
    """

    def __new__(cls, rows: int, columns: int, *, history: int) -> TerminalEmulator:
        """`history` is how many lines are kept above the screen."""

    def feed(self, data: bytes) -> bytes:
        """Interpret output, which may end anywhere. Returns what the terminal replies to the script, such as its cursor position."""

    def resize(self, rows: int, columns: int) -> None:
        """Set the size. Lines that were wrapped are wrapped again; a selection is cleared."""

    def rows(self) -> list[list[tuple[str, int, int, int]]]:
        """Return the rows of the view as segments: text without control characters, foreground, background, attributes.

        A colour is -1 (default), a number of the palette, or 1 << 24 | RGB. Attributes: 1 bold, 2 dim, 4 italic, 8 underlined, 16
        inverse, 32 struck through, 64 selected. A row ends with its last cell that shows something.
        """

    def take_changes(self) -> list[int] | None:
        """Return the rows of the view that may have changed since the last call; None for all."""

    def scroll(self, lines: int) -> None:
        """Move the view towards older lines, or with a negative number towards newer ones."""

    def scroll_to_start(self) -> None: ...
    def scroll_to_end(self) -> None: ...
    @property
    def offset(self) -> int:
        """How many lines the view is scrolled back."""

    @property
    def history(self) -> int:
        """How many lines are above the screen."""

    @property
    def cursor(self) -> tuple[int, int] | None:
        """The row and column of the cursor in the view; None if it is hidden or outside."""

    @property
    def title(self) -> str:
        """The title that the script has set, at most 200 characters."""

    @property
    def is_alternate(self) -> bool:
        """Whether the script shows its alternate screen, which has no history."""

    @property
    def has_application_cursor(self) -> bool: ...
    @property
    def has_bracketed_paste(self) -> bool: ...
    @property
    def mouse(self) -> Literal["click", "drag", "motion"] | None:
        """Which events of the mouse the script receives, in SGR encoding; other encodings are not supported."""

    def link_at(self, row: int, column: int) -> str | None:
        """Return the target of the link (OSC 8) at a cell of the view."""

    def find(self, text: str, backwards: bool, is_pattern: bool) -> bool | None:
        """Select the match after (or before) the selection, or the last one of all, and scroll to it; wraps around.

        Ignores case unless `text` has an upper-case letter. Returns False if nothing matches, and None for an invalid pattern.
        """

    def text(self) -> str:
        """Return the history and the screen as text."""

    def select(self, row: int, column: int, unit: Literal["character", "word", "line"]) -> None:
        """Begin a selection at a cell of the view."""

    def extend_selection(self, row: int, column: int) -> None:
        """Extend the selection up to and including a cell of the view."""

    def clear_selection(self) -> None: ...
    def selected_text(self) -> str: ...

@final
class RunCore:
    """The run core (`native/guardian/src/run/mod.rs`): executes a plan of several scripts through a guardian."""

    def __new__(
        cls,
        plan: bytes,
        *,
        guardian: int,
        channel: int,
        mark: int,
        prints: bool,
        lists_failures: bool,
        is_watched: bool,
        is_driven: bool = False,
        terminal: tuple[int, int] | None = None,
        reports_output: bool = False,
        make_cleaner: Callable[[int], Callable[[bytes], bytes] | None] | None = None,
    ) -> RunCore:
        """Take over a guardian (`GuardianClient.hand_over`), and block the signals that ask rt to end. `plan` is a record
        (`plan.run_record`).

        The core `prints` the run line by line, or reports the output of scripts as events. `make_cleaner` gets 1 or 2, where the
        stream of a script goes, and returns what cleans its blocks, or None. `is_watched` means that tasks may be restarted
        after a failure. If the run `is_driven`, its caller schedules: a task starts, is skipped or succeeds without running only by
        `start`, `skip` or `finish`; the plan's order, concurrency and `exits_on_error` do not apply; "deferred" is
        reported, and output also if the core prints it, as with `reports_output`. With `terminal` (rows, columns), each task has a
        terminal of that size instead of pipes, and all that it writes is output of stream 1. Raises ValueError for bytes that are not
        a plan, and OSError.
        """

    def begin(self) -> None:
        """Start the tasks that depend on nothing, unless the run is driven. Raises RunStopped."""

    def turn(self, timeout_s: float | None, descriptor: int) -> list[RunEvent]:
        """Wait until something happens or `descriptor` (-1: none) is readable, and return the events. Raises RunStopped."""

    def run(self) -> None:
        """Run the plan to its end, without events. Raises RunStopped."""

    @property
    def is_finished(self) -> bool:
        """Whether no task runs and none will."""

    @property
    def is_open(self) -> bool:
        """Whether tasks may still start: the run was neither interrupted nor stopped."""

    @property
    def has_terminals(self) -> bool:
        """Whether each task has a terminal."""

    @property
    def running(self) -> list[int]:
        """The tasks that run."""

    @property
    def exit_status(self) -> int:
        """The exit status of the first task in listing order that failed."""

    @property
    def signal(self) -> int | None:
        """The signal that rt should terminate by: the one that interrupted the run, or that of a closed output."""

    def restart(self, tasks: Sequence[int], plan: bytes | None, signal: int, grace_s: float) -> list[int]:
        """Rerun tasks, with `plan` if given; running ones first get `signal`, and are killed after `grace_s`.

        Returns the tasks that were restarted: first those that run, then the others. Raises RunStopped.
        """

    def end(self, task: int, signal: int, grace_s: float, *, is_stop: bool = False) -> bool:
        """Send `signal` to a task, and kill it after `grace_s`. Its end counts as success, and `is_stop` means that it is not listed as
        a failure. Returns whether the task runs."""

    def start(self, task: int, processes: bytes | None = None) -> bool:
        """Start a task of a driven run, with the `processes` of its steps (`plan.run_record.ProcessEncoder`) or those of the plan. Returns False without effect if it does not wait, or the run is over. Raises ValueError for bytes that are not processes, and
        RunStopped."""

    def write_input(self, task: int, input: bytes) -> int:
        """Pass bytes to a task's terminal as if its user typed them. Returns how many were accepted: 0 if the task does not run or has no
        terminal, and fewer than all if it does not read them and 1 MiB waits."""

    def resize(self, task: int, rows: int, columns: int) -> None:
        """Set the size of a task's terminal, also for its later runs."""

    def mute(self, task: int, until_failure: bool) -> None:
        """Print nothing of what a task writes or, with `until_failure`, print it when one of its steps has failed. Events report it in
        any case."""

    def skip(self, task: int, dependency: int | None) -> bool:
        """Skip a task of a driven run because the task `dependency`, or for None an unrelated one, failed. Otherwise like
        `start`."""

    def hide_replays(self) -> None:
        """Report no events of tasks that succeed by `finish` from now on: nothing but the core shows them."""

    def finish(self, task: int, output: Sequence[tuple[int, int, bytes]], text: bytes) -> bool:
        """Report a task of a driven run as succeeded without running it. Otherwise like `start`.

        `output` has blocks of an earlier run: step, stream, bytes. `text` is printed after the last step if the core prints.
        """

    def start_remote(self, task: int) -> bool:
        """Report that a task of a driven run has started on another machine. Otherwise like `start`."""

    def restart_remote(self, task: int) -> bool:
        """Report that a remote task runs again from its first step, on another machine than before. Returns whether the task runs."""

    def takes_output(self, task: int) -> bool:
        """Return whether output of a remote task can be printed now: no other task is in the middle of a huge line."""

    def remote_output(self, task: int, stream: int, block: bytes) -> None:
        """Print and report what the current step of a remote task wrote to its stdout (1) or stderr (2). Raises RunStopped."""

    def end_remote(
        self, task: int, code: int, signal: int, seconds: float, cpu_seconds: float, peak_bytes: int
    ) -> bool:
        """Report the end of the current step of a remote task: by `signal`, or with the exit status `code` if that is 0. After a
        success, the next step starts. Returns whether the task runs. Raises RunStopped.
        """

    def stop(self, signal: int, grace_s: float) -> None:
        """Start no more tasks; running ones get `signal`, and are killed after `grace_s`."""

    def write(self, descriptor: int, data: bytes) -> None:
        """Write to rt's stdout (1) or stderr (2). Signals are handled while the write blocks. Raises RunStopped."""

    def print_failures(self) -> None:
        """Print the list of failures, if it is enabled. Raises RunStopped."""

    def close(self) -> None:
        """End whatever still runs, and the guardian."""

def is_plan(bytes: bytes) -> bool:
    """Return whether `bytes` are the record of a plan."""

# --- processes/terminal.rs --------------------------------------------------------------------------------------

def keep_terminal(descriptor: int) -> None:
    """Restore the terminal to its present modes if SIGHUP, SIGINT or SIGTERM ends this process. Raises OSError."""

# --- workspace/git_index.rs -------------------------------------------------------------------------------------

def parse_git_index(data: bytes) -> tuple[dict[str, str | None], list[str]]:
    """Return what `git ls-files -z -s -v` has printed: files by path, each with its mode and digest, and the paths of nested repositories.

    Files that git does not compare with the working tree or that have a conflict have None. Bytes that are not UTF-8 are escaped.
    """

# --- manifests.rs -----------------------------------------------------------------------------------------------

@final
class Manifest:
    """The fields of a package.json that rt uses; a field of the wrong type counts as absent.

    `path` is the requested path and `folder` its parent. `scripts` and `config` hold the entries whose value is a
    string, in order, in a new dict each time. `dependencies` are the names in dependencies, devDependencies and
    optionalDependencies, each once; `ranges` has these and peerDependencies with their ranges, in a new dict each time.
    `workspaces` is None if the field is missing.
    """

    def __new__(cls, path: str, fields: tuple[object, ...]) -> Manifest: ...
    def plain(self) -> tuple[str, tuple[object, ...]]:
        """Return the arguments of the constructor, as tuples, lists and strings that `marshal` can store."""

    def script(self, name: str) -> str | None:
        """Return the command of script `name`, "" if it is empty, None if it is absent."""

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
    def ranges(self) -> dict[str, str]: ...
    @property
    def workspaces(self) -> tuple[str, ...] | None: ...

@final
class ManifestProblem:
    """A package.json that cannot be used; its `str()` is `path:line:column: reason`.

    `line` and `column` count from 1, in characters, and are 0 if the problem has no position; `missing` distinguishes a
    missing file from a broken one.
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
    """Read each package.json, in order, several in parallel if there are many.

    Never blocks on a FIFO or a device, and never raises for the content of a file.
    """

# --- listed_files.rs --------------------------------------------------------------------------------------------

def known_below(paths: tuple[str, ...], known: dict[str, str | None], folder: str, also: str) -> dict[str, str] | None:
    """Return what is `known` of those of the sorted `paths` that are below `folder`, and of the path `also`, in order.

    None if nothing, or None, is known of one of them, or if paths on the way have bytes that are not UTF-8.
    """

# --- packages.rs ------------------------------------------------------------------------------------------------

def find_packages(root: str, patterns: Sequence[str]) -> tuple[list[Manifest], list[ManifestProblem], list[str]]:
    """The packages below the absolute folder `root` that workspace globs name: (manifests, problems, watched).

    Manifests come in the order of the patterns, then of their paths; folders without package.json are omitted.
    `watched` are the files and folders that the result depends on, existing or not.
    """

# --- versions.rs ------------------------------------------------------------------------------------------------

def satisfying_versions(range: str, versions: list[str]) -> list[str]:
    """Return the versions that satisfy an npm range, newest first. Raises ValueError for an invalid range."""

# --- passwords.rs -----------------------------------------------------------------------------------------------

def argon2(variant: str, password: bytes, salt: bytes, memory_kib: int, passes: int, lanes: int, size: int) -> bytes:
    """Return the hash of a password by argon2id, argon2i or argon2d. Raises ValueError for invalid parameters."""

def bcrypt(password: bytes, cost: int, salt: bytes) -> str:
    """Return the text of a bcrypt hash (`$2b$`); bytes after the 72nd are ignored. `salt` has 16 bytes. Raises ValueError for
    an invalid cost."""

def bcrypt_matches(password: bytes, hash: str) -> bool:
    """Return whether a password has this hash, in any of bcrypt's versions. Raises ValueError for an invalid hash."""

# --- prelink.rs -------------------------------------------------------------------------------------------------

def prelink(source: str, target: str, mtime_ns: int) -> None:
    """Write a copy of the shared library `source` to `target` atomically, with the references to its own symbols
    resolved and that modification time.

    Raises OSError, also for a file that is not such a library.
    """

# --- process.rs -------------------------------------------------------------------------------------------------

def signal_descriptor(mask: int) -> int:
    """Return a new non-blocking descriptor from which arriving signals are read; bit n of `mask` chooses signal n.

    The signals must be blocked. Each read gives 128-byte `signalfd_siginfo` records (signalfd(2)). Raises OSError.
    """

def spawn_child(
    programs: list[bytes],
    argv: list[bytes],
    environment: list[bytes],
    folder: bytes,
    descriptors: list[int],
    ignored: int,
    *,
    new_session: bool,
    mark: int | None,
    user: int | None,
    group: int | None,
) -> int:
    """Start a child of a program and return its pid; it may outlive this thread and process.

    `programs` are paths tried in turn, as execvp(3) does (also with the shell for what has no known format), `argv` its
    words. `descriptors` become its 0, 1, 2 and so on (-1: closed); it gets no others. `mark` becomes its soft limit
    RLIMIT_LOCKS, which the kernel ignores and all descendants inherit.

    `environment` holds complete `NAME=value` entries; `folder` is its working folder (empty: the caller's). Signals whose bit
    is set in `ignored` stay ignored, all others get their default action; none is blocked. Raises OSError with errno, and
    with the path when the folder or the program is at fault, ValueError on a null byte.
    """

# --- resolve/ ---------------------------------------------------------------------------------------------------

def global_folders(node_path: str) -> list[str]:
    """Return the folders that a value of NODE_PATH lists, as absolute paths."""

@final
class Resolution:
    """The result of resolving a specifier: `path` with the `query` as written, or a `builtin` (without "node:"), or a
    `failure`.

    failure: module-not-found (a path, or something inside a package), package-not-found, not-exported,
    import-not-defined (`#name`), invalid-package-target, invalid-package-config, invalid-specifier, unknown-builtin
    (`node:nope`), unreadable. `detail` explains a failure in a sentence.
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
    """The tsconfig or jsconfig for a file; `problems` (it is broken, or extends a missing file) never stop a run."""

    @property
    def path(self) -> str: ...
    @property
    def files(self) -> list[str]:
        """What it depends on: the file, what it extends, and where a base that is missing would be."""
    @property
    def emit(self) -> EmitConfig: ...
    @property
    def problems(self) -> list[SyntaxProblem]: ...

@final
class Resolver:
    """Resolves specifiers to files, caching the file system until `invalidate`. Several threads may use it.

    `builtins` are matched exactly, with and without "node:" as given; `conditions` are added to rt, bun (neither with
    `is_node`), node and import or require. The nearest tsconfig.json or jsconfig.json outside node_modules provides `paths` and `baseUrl`.
    `global_folders`, absolute, are searched for packages after every `node_modules`.
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
        is_node: bool = False,
        global_folders: list[str] | None = None,
    ) -> Resolver: ...
    def resolve(self, specifier: str, importer: str, *, require: bool = False) -> Resolution:
        """Resolve for the file `importer`, or for a folder if it ends in a slash. After a failure the lookup is
        repeated without the cache, because a running program may have created the file."""
    def tsconfig(self, path: str) -> RulingConfig | None: ...
    def package_type(self, path: str) -> Literal["module", "commonjs"] | None:
        """Return the `type` of a file's package; None if its package.json has none."""
    def invalidate(self) -> None: ...

def read_json(text: str, path: str, *, is_json5: bool) -> tuple[Any, list[SyntaxProblem]]:
    """Parse JSON with comments, trailing commas and the rest of JSON5 for `Engine`; or return its errors."""

# --- transform/ -------------------------------------------------------------------------------------------------

@final
class TransformOptions:
    """The flags of one run, checked once and shared by every file. Raises ValueError for a wrong loader, JSX runtime
    or define value.

    `loaders` maps extensions (".foo" or "foo") to js, jsx, ts, tsx or a data loader (json, toml, text, …); `define` is
    (name or dotted name, JSON or name) pairs, the last of equals wins; `drop` names globals or dotted names. With
    `inline_maps` the code of a changed file ends with its map.
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
        jsx_is_requested: bool = False,
        jsx_side_effects: bool = False,
        production: bool = False,
        ignore_dce_annotations: bool = False,
        inline_maps: bool = False,
        is_node: bool = False,
    ) -> TransformOptions: ...

@final
class EmitConfig:
    """The emit options of a tsconfig; `Resolver.tsconfig(path).emit` reads them from a file."""

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
    """A position in a source: line and column from 1 (columns in UTF-16 units), the length there, the line's text."""

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
    """A second position that explains a problem."""

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
    """A specifier in the code, in the order of the code. Line and column refer to the source; they are 0 if the
    transpiler added it (the JSX runtime)."""

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
    """A call of an import `with { type: "macro" }`, for the host to evaluate: `arguments` is their source text (which
    may contain TypeScript), `constants` declares the constants they use, `imported` is "default" or a name. `obstacle`
    is the reason why it cannot be evaluated ("" if it can): a call around another one, or in a branch that depends on another
    one, has an obstacle until the other is among `macros`. A call that `is_dead` is in a branch that is never taken:
    its result does not matter."""

    @property
    def specifier(self) -> str: ...
    @property
    def imported(self) -> str: ...
    @property
    def arguments(self) -> str: ...
    @property
    def constants(self) -> str: ...
    @property
    def obstacle(self) -> str: ...
    @property
    def is_dead(self) -> bool: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...

@final
class SourceMap:
    """A decoded source map: rt's own (`Transformed.map`) or a package's. Raises ValueError for invalid JSON or an
    invalid map."""

    def __new__(cls, json: bytes) -> SourceMap: ...
    @staticmethod
    def of_code(code: str, path: str) -> SourceMap | None:
        """The map that a `sourceMappingURL` comment contains, or refers to beside `path`; None without a readable one.
        Source names are made absolute."""
    def lookup(self, line: int, column: int) -> tuple[str, int, int, str | None] | None:
        """The (source, line, column, name) for a position in the generated code, all counted from 1."""
    def function_name(self, line: int, column: int, name: str) -> str | None:
        """The original name of the function that the code calls `name` and that starts at a position; for a map found
        through its comment."""
    @property
    def sources(self) -> list[str]: ...
    def source_content(self, source: str) -> str | None: ...
    def to_json(self) -> bytes: ...
    def __len__(self) -> int: ...

@final
class Transformed:
    """One file ready to run. If `problems` is not empty, it cannot run.

    `code` is `source` itself if nothing had to change. `kind` depends on the content: import, export, `await` outside
    functions, otherwise the names of CommonJS or sloppy syntax. A file without evidence `is_ambiguous` and has the kind of
    `package_type`; otherwise it is a module unless it lies in node_modules.

    `names` are those of require, module, exports, __filename, __dirname and this (outside functions) that occur in the
    code, by name and not by scope. TypeScript's `import x = require("y")` is a call of `require` in modules too. In
    CommonJS `import.meta` becomes the variable `__rt_import_meta`, which the wrapper must bind. `commonjs_exports` are
    those found by static analysis, not all that a run may create.
    """

    @property
    def path(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def has_changes(self) -> bool: ...
    @property
    def kind(self) -> Literal["module", "commonjs"]: ...
    @property
    def problems(self) -> list[SyntaxProblem]: ...
    @property
    def is_ambiguous(self) -> bool: ...
    @property
    def is_assumed(self) -> bool:
        """The file was not parsed: it was taken for CommonJS that needs no change, and only its code is known."""
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
        """The map from `code` to `source`, created on first use; None for an unchanged file."""

def strip_types(source: str) -> tuple[str, None] | tuple[None, tuple[str, bool]]:
    """Return TypeScript with its types replaced by white space, so that all positions stay the same.

    A failure is returned as (message, is_typescript): syntax with a run-time meaning, or text that is not TypeScript.
    """

def decode_source(bytes: bytes) -> str:
    """Decode a file: UTF-8 with replacement, or UTF-16 if it begins with the byte-order mark of that, which is removed."""

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
    """Make one source runnable. Never raises for its content: see `Transformed.problems`.

    `loader` overrides the loader for the path's extension. `completion` is a member expression (`globalThis.x`) that
    receives the completion value of the program (`rt -p`). `macros` are expressions that replace `macro_calls`, by
    index: transform, evaluate the reported calls, and transform again, until all have a result.
    """

def default_loader(path: str) -> str | None:
    """The loader for a path's extension unless it is mapped otherwise; None if there is none."""

# --- v8/ --------------------------------------------------------------------------------------------------------
# Values. JavaScript to Python: undefined is None, null is `null`, true and false are bool, a number with an integral
# value up to 2**53 - 1 is int and any other (-0.0 too) float, a BigInt is `BigInt` (an int), a string is str (lone
# surrogates kept), a symbol is JsSymbol, an object is a live reference. Python to JavaScript: the same backwards; an
# int beyond 2**53 - 1 becomes a BigInt; bytes, bytearray, memoryview become a Uint8Array with a copy; list, tuple and
# dict are copied deeply; an exception becomes an Error object; anything else raises TypeError.
#
# An engine and its references are used on the thread that made the engine (RuntimeError elsewhere); dropping them is
# safe anywhere. JavaScript runs without the GIL; whatever runs JavaScript may raise JsError, JsTerminated, JsHeapLimit.

JsValue: TypeAlias = Any
"""None, JsNull, bool, int, float, str, BigInt, JsSymbol, JsObject or one of its subclasses."""
ToJs: TypeAlias = (
    JsNull
    | bool
    | int
    | float
    | str
    | JsSymbol
    | JsObject
    | JsResolver
    | Buffer
    | BaseException
    | Sequence[ToJs]
    | Mapping[str, ToJs]
    | Mapping[JsSymbol, ToJs]
    | None
)
Key: TypeAlias = str | int | JsSymbol
Host: TypeAlias = Callable[..., Any]
"""A Python callable that JavaScript calls with converted arguments; it returns anything of `ToJs`."""

def largest_heap_bytes(most: int) -> int:
    """The heap limit, at most `most`: half of the memory available to this process, which is the machine's, or the
    smallest limit of its control groups."""

def v8_start(library: str, icu_folder: str | None = None, flags: str = "", threads: int = 0) -> None:
    """Load and initialise V8 once for the process; later calls do nothing. Raises EngineUnavailable.

    `icu_folder` holds the wheel's `icudtl.dat` under the name `icudt77l.dat`: ICU maps it on first use. Without it the
    file beside the library is read (7 ms). `flags` are V8's, separated by spaces, such as `--expose-gc`. Without
    `threads` a ready process may fork; with them V8 compiles and collects garbage in parallel, and it must not fork.
    """

def v8_start_ahead(
    library: str, folder: str, flags: str, threads: int, *, sources: str, names: str, heap_limit_bytes: int
) -> None:
    """Start V8 as `v8_start` does, with ICU's data in `folder`, and create the isolate for an `Engine` with that heap
    limit, from the snapshot in `folder` for `stamp(sources, names)`. This happens on a separate thread: the call
    returns at once, and a failure only means that nothing is ready."""

def v8_is_ahead() -> bool:
    """Whether an isolate is being created ahead or waits for an engine, begun by `v8_start_ahead` or before the
    interpreter was started (`native/src/v8/engine/early.rs`). False again once an engine has taken it, or the attempt
    has failed and was awaited; another attempt may begin then."""

def v8_hold_threads() -> None:
    """Make V8 hold its threads back until `v8_release_threads`. Until then the process may fork, and each fork has its
    own threads. Before their release only creating engines is safe."""

def v8_release_threads() -> None:
    """Start the threads that were held back, if any. Raises EngineUnavailable before V8 is started."""

def v8_wait_ahead() -> str | None:
    """Wait until `v8_start_ahead` is done; to be called before a fork. Returns the path of the snapshot if an isolate
    is ready."""

def use_library(folder: str) -> None:
    """Let the operation `core_libraryModule` read the runtime's files in `folder` without Python. Later calls have no
    effect."""

def v8_version_tag() -> int:
    """V8's hash of its version and its present flags: code cached under another one is rejected. V8 must be started."""

def v8_version() -> str:
    """The version of V8 that this module binds to."""

def build_snapshot(
    scripts: Sequence[tuple[str, str | bytes]],
    host_functions: Sequence[str] = (),
    host_name: str = "__host",
    eager: AbstractSet[str] = frozenset(),
    sources: tuple[str, str] | None = None,
) -> bytes:
    """Run (file name, source) pairs as classic scripts in a fresh context; the result starts engines: `Engine(bytes)`.

    The global `host_name` is an object with one function for each name in `host_functions`, and the native ones (see
    `Engine`). The scripts may store these functions anywhere; an engine from the snapshot binds them. While the scripts
    run, native functions work and host functions throw. Of the scripts named in `eager` every function is compiled, of
    the others only what ran. If the last script returns a text, it lists the names of the snapshot's sources, one a
    line. With `sources`, their folder and the path of one more file, a digest of their contents is stored. Raises
    JsError, and OSError if a source cannot be read.
    """

def snapshot_is_current(data: bytes, folder: str, file: str) -> bool:
    """Return whether `data` is a snapshot of this build, made from sources with the present contents of `folder` and
    `file` (the `sources` of `build_snapshot`)."""

def snapshot_path(folder: str, stamp: int) -> str:
    """The path in `folder` of the snapshot for sources with that stamp; the name depends on the stamp and on everything
    else that snapshots depend on: V8, rt and its native functions."""

class EngineUnavailable(RuntimeError):
    """V8 could not be started; the message names what to install."""

class JsError(Exception):
    """JavaScript threw. `str()` is V8's message without "Uncaught"; `__cause__` is the Python exception if a host
    function raised it. Raised in a host function, it throws `value` again."""

    value: JsValue
    file: JsValue
    """The script's name, or None."""
    line: int | None
    """From one; column and end_column too."""
    column: int | None
    end_column: int | None
    source_line: str | None
    is_from_compiler: bool
    """Whether `Engine.run` could not compile the text; false for errors that the script threw."""

class JsTerminated(Exception):
    """`Engine.terminate` ended the JavaScript; the engine goes on."""

class JsStopped(JsTerminated):
    """A debugger ended the JavaScript that ran (`Runtime.terminateExecution`); the program goes on."""

class JsHeapLimit(MemoryError):
    """JavaScript reached its heap limit and was terminated; the engine is still usable, but should be closed."""

@final
class JsNull:
    """The type of `null`; false."""

null: JsNull

class BigInt(int):
    """A JavaScript BigInt, which is converted back to one."""

@final
class JsSymbol:
    """A symbol; equal by identity."""
    @property
    def description(self) -> str | None: ...

class JsObject:
    """A live reference to an object; equal and hashed by identity. `obj[key]` raises KeyError where `get` gives None."""
    def get(self, key: Key) -> JsValue: ...
    def set(self, key: Key, value: ToJs) -> None: ...
    def define(
        self,
        key: Key,
        value: ToJs,
        *,
        writable: bool = False,
        enumerable: bool = False,
        configurable: bool = False,
    ) -> bool:
        """Define an own data property."""
    def has(self, key: Key) -> bool:
        """As `key in object`, prototypes included."""
    def delete(self, key: Key) -> bool: ...
    def keys(self, *, hidden: bool = False) -> list[str]:
        """As `Object.keys`; with `hidden`, as `Object.getOwnPropertyNames`."""
    def symbols(self, *, hidden: bool = False) -> list[JsSymbol]: ...
    def invoke(self, name: Key, *args: ToJs) -> JsValue:
        """Call the method `name`; raises ValueError if it is not a function."""
    @property
    def prototype(self) -> JsValue: ...
    @property
    def class_name(self) -> str:
        """The constructor's name, without running JavaScript."""
    @property
    def kind(self) -> str:
        """function, array, proxy, promise, error, typed-array, array-buffer, shared-array-buffer, data-view, date,
        regexp, map, set, weak-map, weak-set, weak-ref, map-iterator, set-iterator, generator, namespace, arguments,
        boxed-boolean, boxed-number, boxed-string, boxed-symbol, boxed-bigint, wasm-module, wasm-memory, external, or
        object."""
    def to_python(self, depth: int = 100) -> Any:
        """A deep copy: arrays as list, plain objects as dict, buffers as bytes, anything else as it is. Raises
        ValueError beyond `depth`."""
    def __getitem__(self, key: Key, /) -> JsValue: ...
    def __setitem__(self, key: Key, value: ToJs, /) -> None: ...
    def __contains__(self, key: Key, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class JsArray(JsObject):
    def __len__(self) -> int: ...
    def to_list(self) -> list[JsValue]:
        """The elements, converted one level deep."""

@final
class JsFunction(JsObject):
    def __call__(self, *args: ToJs) -> JsValue:
        """Call with `this` undefined."""
    def call_with(self, receiver: ToJs, *args: ToJs) -> JsValue:
        """Call with `this` = receiver."""
    def construct(self, *args: ToJs) -> JsValue:
        """`new`."""

@final
class JsBuffer(JsObject):
    """An ArrayBuffer, SharedArrayBuffer, typed array or DataView.

    `memoryview(buffer)` is a writable view of its memory. It stays valid, separate from the buffer, when the buffer is
    detached or the engine closed. Raises BufferError for a resizable ArrayBuffer.
    """
    def __len__(self) -> int:
        """In bytes."""
    def __bytes__(self) -> bytes: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def read(self, offset: int = 0, size: int | None = None) -> bytes: ...
    def write(self, data: Buffer, offset: int = 0) -> None:
        """Copy `data` to `offset`; raises IndexError if it does not fit."""
    def detach(self) -> None: ...

@final
class JsPromise(JsObject):
    @property
    def state(self) -> Literal["pending", "fulfilled", "rejected"]: ...
    @property
    def result(self) -> JsValue:
        """The value or the reason; None while the promise is pending."""
    @property
    def has_handler(self) -> bool: ...
    def mark_as_handled(self) -> None:
        """Never report its rejection."""
    def then(self, on_fulfilled: Host | JsFunction, on_rejected: Host | JsFunction | None = None) -> JsPromise:
        """The callables run in a microtask."""

@final
class JsResolver:
    """Settles one promise, once. As a value for JavaScript it is its promise."""
    @property
    def promise(self) -> JsPromise: ...
    def resolve(self, value: ToJs = None) -> None: ...
    def reject(self, reason: ToJs) -> None:
        """Reject the promise; an exception becomes an Error."""

@final
class JsWeak:
    """A reference that does not keep `target` alive; `Engine.take_finalized` returns `token` once it is collected."""
    def __new__(cls, target: JsObject, token: object = None) -> JsWeak: ...
    def get(self) -> JsObject | None: ...
    def cancel(self) -> None:
        """Drop the reference; its token is never returned."""

@final
class JsModuleRequest:
    specifier: str
    attributes: dict[str, str]
    line: int
    column: int

@final
class JsModule:
    """An ES module: compile, read `requests`, `link` each, `instantiate` the root, `evaluate` the root."""

    @property
    def name(self) -> str: ...
    @property
    def status(self) -> Literal["unlinked", "linking", "linked", "evaluating", "evaluated", "errored"]:
        """ "evaluated" also while a top-level await is pending."""
    @property
    def exception(self) -> JsValue:
        """The thrown value of a module that is "errored"."""
    @property
    def requests(self) -> list[JsModuleRequest]:
        """The imports, each (specifier, attributes) once, in source order."""
    def link(self, modules: Sequence[JsModule]) -> None:
        """Set the module for each request, in the order of `requests`. Modules without requests need no link."""
    def instantiate(self) -> None:
        """Instantiate the linked graph. Raises JsError: a SyntaxError for a missing export."""
    def evaluate(self) -> JsPromise:
        """Evaluate the instantiated graph; the promise settles when it is done. It is marked as handled, so check its
        state."""
    @property
    def namespace(self) -> JsObject: ...
    @property
    def is_graph_async(self) -> bool: ...
    @property
    def has_top_level_await(self) -> bool: ...
    def set_export(self, name: str, value: ToJs) -> None:
        """Set an export of an instantiated synthetic module, during its evaluation or later."""
    def find_pending_awaits(self) -> list[tuple[JsValue, int | None, int]]:
        """The pending top-level awaits in this graph: (module name, line, column) for each."""

@final
class Engine:
    """An isolate with one context.

    `snapshot` is the bytes of `build_snapshot` or the path of a file with them (mapped; it must never be rewritten in
    place). Without one, the host object `host_name` with `host_functions` is installed in a fresh context.

    A host function is bound with `bind`, or found when JavaScript first calls it: `host(name)` returns the callable,
    or a pair of callable and signature. A signature has one letter an argument: `v` any value (also beyond its end),
    `b` bytes (a copy of any buffer), `c` a deep copy as of `to_python`, `s` a string (converted as by `String()`).
    With `receiver`, `this` comes first. What a host function raises is thrown as an Error (TypeError as TypeError,
    RecursionError and OverflowError as RangeError) or what `on_exception` makes of it; exceptions that are not
    `Exception` (SystemExit, KeyboardInterrupt) end the JavaScript uncatchably and come out of the outermost call.

    The host object also has native functions: now() (ms, monotonic), encodeUtf8(string), decodeUtf8(buffer),
    kindOf(value) ("" for primitives, otherwise as `JsObject.kind`), proxyDetails(p) ([target, handler]),
    promiseDetails(p) ([0] pending, [1, value], [2, reason]), previewEntries(collection) ([entries, isKeyValue]),
    constructorName(o), ownKeys(o, filter) (no indices; filter bits: 1 writable, 2 enumerable, 4 configurable only,
    8 no strings, 16 no symbols), enqueueMicrotask(f), setPrepareStackTrace(f), setPromiseHooks(init, before, after,
    settled), callSites(limit) ([[function, script, line, column], ...]), structuredClone(value, [ArrayBuffer, ...])
    (throws an Error named DataCloneError, code 25).
    """

    def __new__(
        cls,
        snapshot: bytes | str | None = None,
        *,
        host: Callable[[str], Host | tuple[Host, str]] | None = None,
        host_functions: Sequence[str] = (),
        host_name: str = "__host",
        heap_limit_bytes: int | None = None,
        creates_snapshot: bool = False,
    ) -> Engine: ...
    def close(self) -> None:
        """Dispose of the isolate and release every Python object it holds. Fails while JavaScript runs."""
    def take_heap(self) -> bytes:
        """Stores the heap of an engine made with `creates_snapshot`, whose program has ended, and closes the engine. Returns a
        snapshot for `Engine`."""
    @property
    def global_object(self) -> JsObject: ...
    @property
    def host_functions(self) -> list[str]: ...
    def run(self, source: str | bytes, name: str = "", *, line_offset: int = 0, column_offset: int = 0) -> JsValue:
        """Compile and run a classic script; returns its completion value. Bytes are UTF-8."""
    def compile_function(self, source: str | bytes, params: Sequence[str] = (), name: str = "") -> JsFunction:
        """A function with that body; positions refer to the source text (for CommonJS wrappers)."""
    def compile_module(self, source: str | bytes, name: str) -> JsModule:
        """Compile an ES module; `name` appears in stacks and is the referrer of its import() calls."""
    def synthetic_module(
        self,
        name: str,
        exports: Sequence[str],
        *,
        source: JsObject | None = None,
        default: ToJs = None,
        evaluate: Callable[[JsModule], object] | None = None,
    ) -> JsModule:
        """A synthetic module. On evaluation each name in `exports` is read from `source`, except "default" if `default`
        is given; then `evaluate(module)` may call `module.set_export`."""
    def function(self, callable: Host, name: str = "", *, signature: str = "", receiver: bool = False) -> JsFunction:
        """A JavaScript function that calls `callable`, for as long as JavaScript keeps it."""
    def bind(self, name: str, callable: Host, *, signature: str = "", receiver: bool = False) -> None:
        """Bind a host function; raises KeyError for an unknown name."""
    def set_host(self, hook: Callable[[str], object] | None) -> None:
        """Look up unbound host functions with `hook(name)`."""
    def set_on_import(self, hook: Callable[[str, JsValue, dict[str, str], JsResolver], object] | None) -> None:
        """`hook(specifier, referrer, attributes, resolver)` handles import(): it settles the resolver with the
        namespace, at once or later. An exception rejects it."""
    def set_on_import_meta(self, hook: Callable[[JsModule, JsObject], object] | None) -> None:
        """`hook(module, meta)` fills `import.meta` at its first use in a module."""
    def set_on_exception(self, hook: Callable[[Exception], ToJs] | None) -> None:
        """`hook(exception)` returns the JavaScript value to throw for a host function's exception; None for the
        default."""
    def set_on_abandoned(self, hook: Callable[[BaseException], NoReturn] | None) -> None:
        """`hook(exception)` ends the process if V8 cannot propagate a termination to the outermost call: in a module
        that imports one with a top-level await. V8 aborts if it returns."""
    def set_prepare_stack_trace(self, function: JsFunction | None) -> None:
        """`function(error, callSites)` formats every `error.stack`, on first access."""
    def new_promise(self) -> tuple[JsPromise, JsResolver]: ...
    def new_object(self, items: Mapping[str, ToJs] | None = None) -> JsObject: ...
    def new_array(self, items: Iterable[ToJs]) -> JsArray: ...
    def new_buffer(self, data: int | Buffer) -> JsBuffer:
        """A Uint8Array of `data` zero bytes, or with a copy of `data`."""
    def new_symbol(self, description: str, *, shared: bool = False) -> JsSymbol:
        """`Symbol(description)`, or `Symbol.for(description)`."""
    def run_microtasks(self) -> None:
        """Run queued microtasks until none is left. They run at no other time: the policy is explicit."""
    def take_rejections(self) -> list[tuple[bool, JsPromise, JsValue, JsValue]]:
        """Rejections since the last call: (False, promise, reason, context) for a promise that was rejected and has no
        handler yet, `context` being the asynchronous context of that moment or None; (True, promise, None, None) for
        one that was reported before and now has a handler."""
    def take_uncaught(self) -> list[JsError]:
        """The exceptions of microtasks queued as functions (`queueMicrotask`)."""
    def take_finalized(self) -> list[Any]:
        """Tokens of `JsWeak` references whose targets were collected."""
    def terminate(self) -> None:
        """Terminate the JavaScript that runs now, or the next that starts. May be called on any thread."""
    def interrupt(self, action: Callable[[], object]) -> None:
        """Call `action` on the engine's thread while its JavaScript is stopped at the next safe point, or when it next
        runs. The action must not run JavaScript; an exception terminates the JavaScript. May be called on any thread.
        """
    def time_zone_changed(self) -> None:
        """Read the time zone again after a change of `TZ`."""
    def reseed(self) -> None:
        """Seed `Math.random` again, as needed for an engine created before a fork; call this before its first use.
        Raises OSError."""
    def serialize(self, value: ToJs) -> bytes:
        """A structured clone as bytes for `deserialize`. Raises JsError (named DataCloneError) if the value cannot be
        cloned."""
    def deserialize(self, data: bytes) -> JsValue:
        """Deserialize bytes of any engine's `serialize`; raises ValueError for others. The bytes must be trusted."""
    def collect_garbage(self) -> None: ...
    def heap_statistics(self) -> dict[str, int]: ...
    @property
    def has_background_work(self) -> bool:
        """Whether V8's threads work for this engine; `pump` delivers their results."""
    def pump(self) -> bool:
        """Run one task posted by V8 (FinalizationRegistry, Atomics.waitAsync, WebAssembly); False if none is due. A
        host loop pumps until False after each turn, then runs microtasks."""
    @property
    def task_delay_ms(self) -> float:
        """The ms until a task is due for `pump`: 0 if one is waiting, negative if there is none."""

def system_error_words(errno: int) -> tuple[str, str]:
    """Node's code and message for a system call's error number."""

@final
class ProgramOutput:
    """A program's output: buffered into large blocks, preserving the order between stdout and stderr. Any thread may
    write it when it is due.

    It is written before the loop waits, at exit, when 64 KB are buffered, and when it is 10 ms old. Terminals and the
    first line are written at once.
    """
    def __new__(cls) -> ProgramOutput: ...
    def write(self, descriptor: int, data: str | bytes) -> None:
        """Buffer text (lone surrogates become U+FFFD) or bytes. Raises OutputClosed, OutputFailed."""
    def flush(self) -> None:
        """Write the buffered output. Raises OutputClosed, OutputFailed."""
    def drop(self) -> None:
        """Stop reporting a closed reader; further output is discarded."""

class OutputClosed(BaseException):
    """Nothing reads the program's output any more; not an `Exception`, so it passes through JavaScript."""

class OutputFailed(BaseException):
    """The program's output cannot be written (a full disk); its arguments are an errno and the descriptor."""

@final
class Program:
    """The life of one program (`native/src/program/life.rs`), for its provider. Used on the engine's thread."""

    def __new__(
        cls,
        provider: object,
        engine: Engine,
        *,
        main: str,
        loop: Loop,
        output: ProgramOutput,
        records: ModuleRecords,
        texts: LoadedTexts,
        code_caches: CodeCaches,
        resolver: Resolver,
        options: TransformOptions,
        leaves_addons: bool,
        install: str,
        is_followed: bool,
        is_hot: bool,
        has_preloads: bool,
        is_node: bool,
    ) -> Program:
        """Create the program of an engine that Python has made; `main` is the path of its file, or "" for evaluated code.

        `leaves_addons`: native addons run no cleanup hooks where the program leaves by itself. `install` says when missing
        packages are installed, `is_followed` that the provider follows which files are loaded. Raises ValueError.
        """

    def run(self) -> int:
        """Run the program to its end and return its exit status. Raises what the provider's `explain_end` raises."""

    def end_with(self, error: BaseException) -> int:
        """End the program with `error`, from inside JavaScript, which cannot run any more; return its exit status."""

    def exit_status(self) -> int:
        """Run the program's exit handlers and return its status."""

    def settle(self, promise: JsPromise) -> None:
        """Turn the loop until `promise` is settled, or nothing is pending that could settle it."""

    def evaluate(self, module: JsModule) -> None:
        """Evaluate a linked module and turn the loop until it is done; its exceptions are uncaught."""

    def set_debugged(self) -> None:
        """From now on call the provider before the first statement and at the end: a debugger may listen."""

    def listen_on_signal(self) -> None:
        """Make the program listen for a debugger on SIGUSR1, even while JavaScript runs."""

    def take_engine(self) -> Engine:
        """Return the engine to its only owner: dropping it closes the engine."""

    entry: JsObject
    """The runtime's object of functions for the host."""
    loop: Loop
    output: ProgramOutput
    records: ModuleRecords
    texts: LoadedTexts
    snapshot: str | None
    """The path of the snapshot that the engine was made from, unless Python made the engine."""

    def loader(self, number: int) -> ModuleLoader:
        """Return the loader of the program (0) or of its macros (1)."""

    def change_files(self, resolver: Resolver, options: TransformOptions) -> None:
        """Change how files are resolved and transformed from now on."""

    def read_again(self, path: str) -> None:
        """Read a file again at its next use; resolutions stay."""

    def set_main_name(self, name: str) -> None:
        """Set the path of the main module, which is evaluated code."""

    def begin_compile_cache(self, environment: Mapping[str, str]) -> None:
        """Use the compile cache that the program's environment requests (NODE_COMPILE_CACHE), if possible."""

    def evaluate_now(self, module: JsModule) -> JsObject:
        """Evaluate a linked module for require() and return its namespace. Raises what the provider's `fail_async` raises."""

@final
class ModuleLoader:
    """The module loader of a program, or of its macros (`native/src/program/loader.rs`), for its provider.

    Its methods raise the provider's exceptions for files that cannot be used, and JsError.
    """

    def instantiate(self, path: str, query: str = "", attributes: dict[str, str] | None = None) -> JsModule:
        """Return the module of a file, linked with its imports and ready to be evaluated."""

    def ready_target(self, specifier: str, importer: str, attributes: dict[str, str] | None = None) -> JsModule:
        """Return the module of `import(specifier)` in `importer`, ready to be evaluated."""

    def ready(self, module: JsModule) -> JsModule:
        """Return `module`, linked with its imports."""

    def from_code(self, transformed: Transformed, path: str) -> JsModule:
        """Return the linked module of evaluated code, which may use all CommonJS variables."""

    def compile_text(self, transformed: Transformed, name: str) -> JsModule:
        """Return the unlinked module of source text for `name`."""

    def of_path(self, path: str, query: str = "", attributes: dict[str, str] | None = None) -> JsModule:
        """Return the unlinked module of a file, without hooks."""

    def script(self, path: str, *, as_script: bool = True) -> Transformed | None:
        """Return the script in a file, after reading it if necessary; None for other data.

        With `as_script`, a file whose extension has no loader is a script.
        """

    def builtin(self, name: str) -> JsModule:
        """Return a built-in module, not linked."""

    def known(self, name: str, attributes: dict[str, str] | None = None) -> JsModule | None:
        """Return the module of `name` (path and query), if it exists."""

    def get(self, name: str, loader: str | None = None) -> JsModule | None:
        """Return the module of `name` that was requested with `loader`, if it exists."""

    def put(self, name: str, loader: str | None, module: JsModule, *, is_requested: bool = False) -> JsModule:
        """Insert a module, unless there is one already. Return the one that is in the table then."""

    def add_wasm(self, name: str) -> None:
        """Register `name` as the module of a WebAssembly file."""

    def set_hooked(self, is_hooked: bool) -> None:
        """Call the provider for each import from now on, because of hooks, or stop calling it."""

    def importers_of(self, path: str) -> set[str]:
        """Return the paths of the modules that have imported `path`; with --hot."""

    def paths(self) -> list[str]:
        """Return the paths of all modules, and the names of built-in ones."""

    def take_out(self, paths: set[str]) -> RemovedModules:
        """Remove the modules of `paths`, so that they are created again; return the argument of `put_back`."""

    def put_back(self, removed: RemovedModules) -> None:
        """Restore the modules that `take_out` removed, replacing those made since."""

HOST_OPERATIONS: list[str]
"""The names of the host functions that need no Python while a loop serves the engine."""

@final
class Loop:
    """The event loop of one program, used on the thread that creates it; every engine has its own."""
    def __new__(cls, before_wait: ProgramOutput | Callable[[], object]) -> Loop:
        """`before_wait` writes the output since the last wait, before the next one.

        A program's output knows its loop; a callable is called before the first wait after each `flush_before_wait`.
        """
    references: int
    """The number of pending things that keep the program alive."""
    def serve(self, engine: Engine, entry: JsObject) -> None:
        """Serve `engine`, whose native functions use this loop from now on.

        `entry` holds the functions that a turn calls: timers(), immediates(), completions(), call(callback,
        ...arguments) and outputClosed().
        """
    def turn(self, alive: bool, delay_ms: float) -> bool:
        """Run one turn without JavaScript; False if nothing is pending.

        `alive` is whether something else keeps the program alive, `delay_ms` when to return at the latest (negative:
        no limit).
        """
    def close(self, *, leaves_addons: bool = False) -> None:
        """Wait for the pool's running and queued work, run the cleanup hooks of native addons, and end the pool's
        threads.

        With `leaves_addons`, native addons are not ended.
        """
    def complete(self, callback: Callable[[], object]) -> None:
        """Call `callback` in the next turn; any thread may call this once `waker` was called."""
    def waker(self) -> int:
        """A non-blocking descriptor; writing a byte to it ends the wait.

        Zero has no other effect; any other byte is the number of a signal, and Python's handlers run.
        """
    def wake(self) -> None:
        """End the next wait immediately."""
    def flush_before_wait(self) -> None:
        """Call `before_wait` before the next wait. May be called on any thread."""
    def watch(self, descriptor: int, callback: Callable[[], object]) -> None:
        """Call `callback` in each turn in which `descriptor` is readable or closed. Raises OSError."""
    def unwatch(self, descriptor: int) -> None: ...
    def watch_writable(self, descriptor: int, callback: Callable[[], object]) -> None:
        """Call `callback` in each turn in which `descriptor` is writable or has lost its reader."""
    def unwatch_writable(self, descriptor: int) -> None: ...
    def own(self, descriptor: int) -> None:
        """Close `descriptor` with the loop if the process continues after it, as after a worker."""
    def disown(self, descriptor: int) -> None:
        """Forget `descriptor`, which is about to be closed."""

@final
class Inspector:
    """V8's debugger for an engine, at most one at a time; it closes with the engine.

    While JavaScript is paused, `on_pause()` is called repeatedly: it waits for a front end's message and passes it to
    `dispatch`. `on_run()` is called when a front end sends Runtime.runIfWaitingForDebugger. An exception of these or of
    `on_message` terminates the JavaScript, and the outermost call raises it. Script names that are absolute paths are
    file URLs for front ends. Sessions may be used while JavaScript is interrupted (`Engine.interrupt`).
    """
    def __new__(
        cls,
        engine: Engine,
        on_pause: Callable[[], object],
        on_run: Callable[[], object] | None = None,
        *,
        name: str = "rt",
    ) -> Inspector: ...
    def connect(self, on_message: Callable[[str], object]) -> InspectorSession:
        """Connect a front end; `on_message(text)` receives V8's answers and notifications."""
    def exception_thrown(self, value: JsValue, detail: str) -> None:
        """Report an uncaught value to the front ends, with the text that they show."""
    def set_require(self, function: JsFunction) -> None:
        """Set the `require` function of the front ends' consoles."""
    def invoke(self, object: JsObject, name: Key, *args: ToJs) -> JsValue:
        """Call a method of `object`, also while JavaScript is interrupted."""
    def resume_paused(self) -> None:
        """Resume JavaScript if it is paused, whatever the sessions are waiting for."""
    @property
    def follows_tasks(self) -> bool:
        """Whether a front end wants to see the asynchronous callers of a stack (`Debugger.setAsyncCallStackDepth`)."""
    def end_context(self) -> None:
        """Notify the front ends that the program has ended; the sessions stay open."""
    def close(self) -> None:
        """Close the inspector and its sessions; raises RuntimeError while JavaScript is paused."""

@final
class InspectorSession:
    def dispatch(self, message: str) -> None:
        """Pass a front end's message to V8; most answers arrive before this returns."""
    def pause_soon(self, reason: str = "other") -> None:
        """Pause before the next statement (`--inspect-brk`)."""
    def close(self) -> None: ...

# --- inspecting -------------------------------------------------------------------------------------------------

@final
class InspectorServer:
    """The server for the front ends of one engine. It listens at once and serves from `start` on, on a separate thread.
    Raises OSError if it cannot listen, ValueError for an unknown host. `host` may be in brackets."""
    def __new__(cls, host: str, port: int) -> InspectorServer: ...
    @staticmethod
    def at_socket(path: str) -> InspectorServer:
        """A server on a Unix socket that only this user can connect to. Raises OSError."""
    @staticmethod
    def connected_to(path: str) -> InspectorServer:
        """A connection to a front end that listens on a Unix socket, in Bun's socket protocol. Raises OSError."""
    @property
    def port(self) -> int:
        """The TCP port; 0 for a Unix socket."""
    def start(
        self,
        on_event: Callable[[], object],
        *,
        local: str,
        path: str,
        title: str,
        url: str,
        browser: str,
        protocol: str,
        assets: str,
        is_listed: bool,
    ) -> None:
        """Start serving. `on_event()` is called on the server's thread when there are events to take, and again only
        after `take` has found none. `local` is the host and port for clients, `path` the WebSocket's path, `assets` the
        folder of the debugger's page; the others appear in the pages below /json, which exist if `is_listed`."""
    def take(self, *, wait: bool = False) -> tuple[Literal["connected", "message", "disconnected"], int, str] | None:
        """The oldest event: its kind, the client's number and its message. None if there is none; with `wait`, only
        after the end."""
    def send(self, client: int, text: str) -> None:
        """Send a message; does nothing if the client has disconnected."""
    def stop_listening(self) -> None:
        """Accept no more clients; connected ones stay."""
    def close(self) -> None:
        """Stop listening, send pending output, close all connections, and wait for the thread."""

# --- yaml.rs ----------------------------------------------------------------------------------------------------

YamlStep: TypeAlias = str | int | tuple[str, bool, int, str] | tuple[str, int, str]
"""A construction step: "---" begins a document; (text, whether it is plain, anchor, tag) is a scalar; ("[" or "{",
anchor, tag) opens a sequence or a mapping, whose keys and values alternate, and "end" closes it; a number is an alias
of that anchor. Anchor 0 is none."""

def parse_env(text: str, *, as_node: bool = False) -> list[tuple[str, str]]:
    """Parse a `.env` file in Bun's form or in Node's; of a repeated name, the last value counts."""

def read_yaml(text: str) -> tuple[list[YamlStep], tuple[str, int, int] | None]:
    """The construction steps of a YAML stream's documents, or the error: (message, line, column). A step occurs once,
    however often an alias refers to it."""

# --- html -------------------------------------------------------------------------------------------------------

@final
class HtmlRewriting:
    """Rewrites one document as a stream; it stops at each piece that a handler selects, until it is resumed.

    Handlers are bits: for elements 1 element, 2 comments, 4 text; for documents 1 doctype, 2 comments, 4 text, 8 end. A
    step is (0 more input needed | 1 a piece | 2 ended, 0 for elements | 1 for documents | 2 for an end tag, the index
    of the handlers or the end tag's handler, the bit, the output, the error). Raises ValueError for an invalid
    selector.
    """
    def __new__(cls, elements: list[tuple[str, int]], documents: list[int]) -> HtmlRewriting:
        """`elements` are (selector, bits), `documents` bits."""
    def feed(self, bytes: bytes) -> tuple[int, int, int, int, bytes | None, str | None]: ...
    def finish(self) -> tuple[int, int, int, int, bytes | None, str | None]:
        """The document has ended."""
    def resume(self) -> tuple[int, int, int, int, bytes | None, str | None]: ...
    def ask(self, what: str, name: str) -> str | bool | list[str] | None:
        """A property of the piece; `name` is the name of an attribute. None if there is none."""
    def insert(self, place: str, content: str, is_html: bool) -> None: ...
    def change(self, what: str, name: str, value: str) -> str | None:
        """Change the piece; return an error message for an invalid value."""
    def on_end_tag(self, handler: int) -> str | None:
        """Stop at the end tag of the current element, for the handler with that number only; return an error message if
        that is not possible."""

def html_selector_problem(selector: str) -> str | None: ...

# --- rt_global: encodings ----------------------------------------------------------------------------------------

@final
class TextDecoder:
    """A decoder for an encoding of the Encoding standard, by label; a byte order mark counts as text. Raises ValueError
    for an unknown label."""
    def __new__(cls, label: str, is_fatal: bool) -> TextDecoder: ...
    def decode(self, data: bytes, is_last: bool) -> str | None:
        """Decode more `data`. Malformed bytes become U+FFFD; if they are fatal, the result is None."""
