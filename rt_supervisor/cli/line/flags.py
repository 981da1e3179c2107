"""The table of rt's flags: one row a flag.

The parser, `--help`, the shell completions, `docs/flags.md`, the options and start values of a program, NODE_OPTIONS and
the flags of workers are derived from it; `scripts/flag-docs` writes what is derived ahead. A row is all that a flag needs
whose value goes to the program as it is; `flag_values` holds the checks that are more than a list of words.

Plain data, and nothing is imported: every start that reads its command line pays for this module.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

BOOLEAN = "boolean"  # takes no value
STRING = "string"  # `--flag value` or `--flag=value`
NUMBER = "number"  # the same, a whole number >= 0
OPTIONAL = "optional"  # `--flag` or `--flag=value`, never the next word
ALIAS = "alias"  # another spelling of the flag it stands for, or of `flag=value`
NEGATION = "negation"  # sets the flag it stands for to False

# What becomes of a flag among the flags of a worker.
IGNORED: Final = ""  # the worker has what the process was given
OWN: Final = "own"  # replaces what the process was given
REFUSED: Final = "refused"  # belongs to the process


class Flag:
    """One flag: `name` without dashes ("" for a letter alone), how its value is read, and one sentence of help.

    `value` names the value in the help, `short` is its letter, `default` what the help shows, `means` the flag that an
    alias or a negation stands for. A flag that `repeats` collects its values; one that `splits` also takes several in one
    value, between commas. `choices` are the only words it takes, `most` is the largest number (0: any).

    `keys` set the flag in `rtfig.toml` besides `[run]`, which takes every flag that is `in_config`: there `words` maps the
    values of the file to those of the flag if they differ, and a flag that `is_table` has a table of strings.

    `option` is the field of `ProgramOptions` that the value sets, `start` the start value of the program ("network.port"
    is `port` of the start value `network`). Flags that are `in_node_options` also count in NODE_OPTIONS. `worker` says what
    the flag means among the flags of a worker; child processes inherit all flags through `process.execArgv`.
    """

    __slots__ = (
        "choices",
        "default",
        "help",
        "in_config",
        "in_node_options",
        "is_table",
        "keys",
        "kind",
        "means",
        "most",
        "name",
        "option",
        "repeats",
        "short",
        "splits",
        "start",
        "value",
        "words",
        "worker",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        help: str,
        *,
        value: str = "",
        short: str = "",
        default: str | int | None = None,
        means: str = "",
        repeats: bool = False,
        splits: bool = False,
        choices: tuple[str, ...] = (),
        most: int = 0,
        keys: tuple[str, ...] = (),
        words: Mapping[str | bool, str | bool] | None = None,
        is_table: bool = False,
        in_config: bool = True,
        option: str = "",
        start: str = "",
        in_node_options: bool = False,
        worker: str = IGNORED,
    ) -> None:
        self.name = name
        self.kind = kind
        self.help = help
        self.value = value
        self.short = short
        self.default = default
        self.means = means
        self.repeats = repeats
        self.splits = splits
        self.choices = choices
        self.most = most
        self.keys = keys
        self.words = words
        self.is_table = is_table
        self.in_config = in_config
        self.option = option
        self.start = start
        self.in_node_options = in_node_options
        self.worker = worker


NODE_GROUP = "Flags of Node.js"  # those that few people type; `--help` of rt run shows them last

# The order is the order of --help.
# fmt: off
FLAG_GROUPS: tuple[tuple[str, tuple[Flag, ...]], ...] = (
    ("General execution", (
        Flag("silent", BOOLEAN, "Do not print the command of each script"),
        Flag("if-present", BOOLEAN, "Exit successfully if the file or script does not exist"),
        Flag("eval", STRING, "Evaluate the argument as a script", value="code", short="e", in_config=False),
        Flag("print", STRING, "Evaluate the argument as a script and print the result", value="code", short="p",
             in_config=False),
        Flag("check", BOOLEAN, "Check the syntax of the file without running it", in_config=False),
        Flag("version", BOOLEAN, "Print the version and exit", short="v", in_config=False),
        Flag("revision", BOOLEAN, "Print the version with its revision and exit", in_config=False),
        Flag("help", BOOLEAN, "Print this help and exit", short="h", in_config=False),
    )),
    ("Workspace management", (
        Flag("filter", STRING,
             "Run the script in all workspace packages that match the pattern: a name glob, ./path, {dir}, foo..., ...foo, !foo",
             value="pattern", short="F", repeats=True),
        Flag("workspaces", BOOLEAN, 'Run the script in all packages of the "workspaces" field of package.json'),
        Flag("workspace", ALIAS, "Run the script in one workspace package, by name or path, as in npm (-w NAME)",
             value="name", means="filter", repeats=True),
        Flag("workspace-root", ALIAS, "Run the script in the root package: --filter // (-w)", means="filter=//", in_config=False),
        Flag("recursive", ALIAS, "Run the script in all workspace packages that have it: --filter '*' (-r)", means="filter=*", in_config=False),
        Flag("reverse", BOOLEAN, "Run the scripts of dependents before those of their dependencies"),
        Flag("parallel", BOOLEAN,
             "Run several scripts, or one script of several packages, concurrently with prefixed output"),
        Flag("sequential", BOOLEAN,
             "Run several scripts, or one script of several packages, one after another with prefixed output"),
        Flag("no-exit-on-error", BOOLEAN,
             "With --parallel or --sequential, keep running the other scripts when one fails"),
        Flag("elide-lines", NUMBER,
             "Number of output lines shown for each script with --filter on a terminal; 0 shows all lines",
             value="number", default=10),
        Flag("concurrency", STRING,
             "Maximum number of scripts that run concurrently, or a percentage of the CPUs such as 50%; by default as many as keep the CPUs busy",
             value="number"),
        Flag("ordered", BOOLEAN,
             "With --parallel, start a package's script only after those of its dependencies have finished"),
        Flag("strict-cycles", BOOLEAN, "Fail instead of warning when packages depend on each other in a cycle"),
        Flag("grace-period", NUMBER, "Time between the request to end a script and killing it", value="ms", default=5000),
        Flag("output", STRING,
             "Print lines with prefixes (\"stream\") or without (\"raw\"), each script's output when it ends (\"grouped\"), or events (\"json\")",
             value="form", default="stream", choices=("stream", "grouped", "json", "raw")),
        Flag("ui", STRING,
             "Show the run full-screen (\"tui\", the default on a terminal for persistent tasks and --watch), in blocks, or as a stream of lines",
             value="form", choices=("tui", "blocks", "stream"), keys=("ui.mode",)),
        Flag("ui-key", STRING, "Set the keys of an action of the full-screen display, such as \"restart:ctrl+r\"", value="action:keys",
             repeats=True, keys=("ui.keys",), is_table=True),
        Flag("ui-scrollback", NUMBER, "Number of lines that the full-screen display keeps of each script", value="number",
             default=3000, most=100_000, keys=("ui.scrollback",)),
        Flag("summary", BOOLEAN, "Print a table of results, times and memory at the end (the default on a terminal)"),
        Flag("no-summary", NEGATION, "Do not print the table of results at the end", means="summary"),
        Flag("report", STRING, "Write a JSON report of the run to a file", value="file"),
        Flag("trace", STRING, "Write the run to a file in the Chrome trace format, with a lane for each slot", value="file"),
        Flag("dry-run", OPTIONAL,
             "Print which scripts would run, in which order and why, without running them; =json prints data",
             value="form", choices=("", "json")),
        Flag("format", STRING,
             "Output format of `rt graph`: dot, json, mermaid or html", value="form",
             choices=("dot", "json", "mermaid", "html")),
    )),
    ("Tasks", (
        Flag("tasks", BOOLEAN,
             "Run tasks of rtfig.toml or turbo.json, with the tasks that they depend on; several names share one graph"),
        Flag("no-tasks", NEGATION, "Run the scripts themselves although rtfig.toml defines tasks of their names", means="tasks"),
        Flag("only", BOOLEAN, "Run only the named tasks, without those that they depend on"),
        Flag("continue", OPTIONAL,
             "What still runs after a task has failed: nothing (\"never\"), tasks that do not depend on it "
             "(\"dependencies-successful\", the default), or everything (\"always\", also without a value)", value="mode",
             choices=("", "never", "dependencies-successful", "always")),
        Flag("resume", BOOLEAN, "Run only the tasks that failed or did not run the last time"),
        Flag("resume-from", STRING, "Run the tasks of this package, without those that they depend on, and all others", value="package"),
        Flag("shard", STRING, 'Run one of several parts of equal expected time, such as "2/5"', value="part"),
        Flag("summarize", STRING, "Write the tasks, their keys, cache hits, durations and exit statuses to a JSON file", value="file"),
        Flag("on", STRING,
             "Run tasks on the agents of a cluster: tcp://HOST:PORT, tls://HOST:PORT, a scheduler file, or \"local:4\" for processes of "
             "this machine", value="address", keys=("cluster.address",)),
        Flag("outputs", STRING,
             "With --on, put the outputs of all tasks in place, or only those of the named ones (\"requested\")", value="which",
             default="all", choices=("all", "requested")),
        Flag("show-agents", BOOLEAN, "With --on, name in each prefix the agent that runs the task"),
        Flag("certificates", STRING, "Folder with the certificates of a cluster (`rt agent --make-certificates`)", value="folder",
             keys=("cluster.certificates",)),
        Flag("insecure", BOOLEAN, "With --on, connect to a scheduler on another machine although nothing is encrypted"),
        Flag("cluster-setup", STRING,
             'Command that installs packages on agents; "none" installs nothing; by default that of the lockfile', value="command",
             keys=("cluster.setup",)),
        Flag("force", BOOLEAN, "Run tasks although their results are cached, and store the new results"),
        Flag("affected", BOOLEAN,
             "Select the packages that changed since the default branch, or the base of the CI run, and their dependents"),
        Flag("json", BOOLEAN, "Print `rt affected` and `rt tasks` as JSON"),
        Flag("no-cache", BOOLEAN, "Neither use nor store results of tasks"),
        Flag("cache", OPTIONAL,
             'Cache the results of scripts without settings too; =local:rw,remote:rw says what the caches are used for, with r, w, both or '
             "neither, and a cache that is not named is not used", value="modes"),
    )),
    ("Runtime and process control", (
        Flag("rt", BOOLEAN, "Run scripts and binaries with rt instead of node (through a link named node)", short="b"),
        Flag("identity", STRING,
             'Runtime that programs see: "bun", or "node", without the global Bun and its version (the default under the name node)',
             value="runtime", choices=("bun", "node"), worker=REFUSED),
        Flag("bun", ALIAS, "Alias of --rt", means="rt"),
        Flag("shell", STRING,
             'Shell that runs package.json scripts: "rt" or "system"', value="shell", choices=("rt", "system")),
        Flag("interactive", BOOLEAN,
             "Open a REPL, after evaluating the script of -e if one is given (-i where no file is named)",
             in_config=False),
        Flag("smol", BOOLEAN, "Use less memory by collecting garbage more often", option="smol", keys=("smol",)),
        Flag("expose-gc", BOOLEAN,
             "Expose gc() on the global object; does not affect RT.gc()", start="exposeGc", worker=REFUSED),
        Flag("no-deprecation", BOOLEAN,
             "Silence deprecation warnings", start="noDeprecation", in_node_options=True, worker=OWN),
        Flag("throw-deprecation", BOOLEAN,
             "Throw deprecation warnings as errors", start="throwDeprecation", in_node_options=True, worker=OWN),
        Flag("no-orphans", BOOLEAN, "End rt and everything that it has started when its parent ends"),
        Flag("title", STRING,
             "Set the process title", value="title", start="title", in_node_options=True, worker=REFUSED),
        Flag("zero-fill-buffers", BOOLEAN,
             "Fill the memory of Buffer.allocUnsafe(size) with zeros", in_node_options=True, worker=REFUSED),
        Flag("no-addons", BOOLEAN,
             'Make process.dlopen throw, and disable the export condition "node-addons"', in_node_options=True),
        Flag("unhandled-rejections", STRING,
             'Action on an unhandled rejection: "strict", "throw", "warn", "none" or "warn-with-error-code"',
             value="mode", choices=("strict", "throw", "warn", "none", "warn-with-error-code"), start="rejectionMode",
             in_node_options=True, worker=OWN),
        Flag("console-depth", NUMBER,
             "Depth to which console.log prints nested objects", value="number", default=2, start="consoleDepth",
             keys=("console.depth",)),
    )),
    ("Development workflow", (
        Flag("detach", BOOLEAN,
             "Continue in the background once the first scripts run; `rt ps`, `rt logs` and `rt stop` control the run",
             in_config=False),
        Flag("watch", BOOLEAN, "Restart the process when a file changes"),
        Flag("watch-kill-signal", STRING,
             "Signal that --watch sends to the process before a restart", value="signal", default="SIGTERM"),
        Flag("watch-ignore", STRING,
             "Ignore changes of files that match a pattern, written as a line of .gitignore", value="pattern",
             repeats=True, keys=("watch.ignore",)),
        Flag("watch-include", STRING,
             "Watch files that match a pattern although a .gitignore excludes them", value="pattern", repeats=True,
             keys=("watch.include",)),
        Flag("watch-reads", BOOLEAN, "Also watch the files that a program reads with node:fs", option="watch_reads",
             keys=("watch.reads",)),
        Flag("watch-poll", BOOLEAN, "Poll for changes, for file systems that do not report events",
             keys=("watch.poll",)),
        Flag("watch-debounce", NUMBER,
             "Time without further changes before changes take effect", value="ms", default=30,
             keys=("watch.debounce-ms",)),
        Flag("watch-grace", NUMBER,
             "Time a process has to end before --watch kills it and starts the next one", value="ms", default=5000,
             keys=("watch.grace-ms",)),
        Flag("hot", BOOLEAN, "Reload changed modules in the running process", option="hot"),
        Flag("no-clear-screen", BOOLEAN, "Do not clear the terminal when --hot or --watch reloads"),
    )),
    ("Debugging", (
        Flag("inspect", OPTIONAL, "Activate the debugger", value="[host:]port[/prefix]", in_node_options=True),
        Flag("inspect-wait", OPTIONAL,
             "Activate the debugger and wait for a connection before running the program",
             value="[host:]port[/prefix]", in_node_options=True),
        Flag("inspect-brk", OPTIONAL,
             "Activate the debugger, wait for a connection and break on the first line", value="[host:]port[/prefix]",
             in_node_options=True),
    )),
    ("Dependency and module resolution", (
        Flag("preload", STRING, "Import a module before the program", value="module", short="r", repeats=True,
             option="preloads", in_node_options=True, worker=OWN, keys=("preload",)),
        Flag("require", ALIAS, "Alias of --preload", value="module", means="preload", repeats=True),
        Flag("import", ALIAS, "Alias of --preload", value="module", means="preload", repeats=True),
        Flag("no-install", BOOLEAN, "Disable auto-install"),
        Flag("install", STRING,
             'Auto-install packages: "auto" (without a node_modules folder), "fallback" (missing packages), "force" (always) or "disable"',
             value="mode", default="auto", choices=("auto", "fallback", "force", "disable"), keys=("install.auto",),
             words={True: "auto", False: "disable", "auto": "auto", "fallback": "fallback", "force": "force", "disable": "disable"}),
        Flag("", ALIAS,
             "Install missing packages automatically: --install=fallback", short="i", means="install=fallback"),
        Flag("prefer-offline", BOOLEAN, "Resolve packages from disk without checking whether they are stale"),
        Flag("prefer-latest", BOOLEAN, "Check the registry for the latest matching versions"),
        Flag("conditions", STRING,
             "Add conditions for resolving package exports and imports", value="name", short="C", repeats=True,
             splits=True, option="conditions", in_node_options=True, worker=OWN),
        Flag("feature", STRING, "Turn on a feature() of bun:bundle", value="name", repeats=True, start="features"),
        Flag("main-fields", STRING,
             "Main fields to look up in package.json", value="fields", repeats=True, splits=True, option="main_fields"),
        Flag("preserve-symlinks", BOOLEAN,
             "Preserve symlinks when resolving modules", option="preserve_symlinks", in_node_options=True, worker=OWN),
        Flag("preserve-symlinks-main", BOOLEAN,
             "Preserve symlinks when resolving the main module", option="preserve_symlinks_main", in_node_options=True),
        Flag("extension-order", STRING,
             "Order in which extensions are tried", value="list",
             default=".tsx,.ts,.jsx,.cts,.cjs,.js,.mjs,.mts,.json,.node", repeats=True, splits=True,
             option="extensions"),
    )),
    ("Transpilation and language features", (
        Flag("tsconfig-override", STRING, "Use another tsconfig.json", value="path", default="$cwd/tsconfig.json"),
        Flag("define", STRING,
             'Replace K with V while parsing, such as process.env.NODE_ENV:"development"; V is parsed as JSON',
             value="K:V", short="d", repeats=True, keys=("define",), is_table=True),
        Flag("drop", STRING,
             "Remove calls while parsing; --drop=console removes all calls of console.*", value="name", repeats=True,
             splits=True, option="drop"),
        Flag("loader", STRING,
             "Load files with this extension as js, jsx, ts, tsx, json, toml, text, file, wasm or napi",
             value=".ext:loader", short="l", repeats=True, in_node_options=True, keys=("loader",), is_table=True),
        Flag("no-macros", BOOLEAN, "Disable macros", option="no_macros"),
        Flag("jsx-factory", STRING,
             "Function that creates JSX elements in the classic runtime", value="name", option="jsx_factory",
             keys=("jsxFactory",)),
        Flag("jsx-fragment", STRING,
             "Function that creates JSX fragments in the classic runtime", value="name", option="jsx_fragment",
             keys=("jsxFragment",)),
        Flag("jsx-import-source", STRING,
             "Module that the functions jsx and jsxs are imported from", value="module", default="react",
             option="jsx_import_source", keys=("jsxImportSource",)),
        Flag("jsx-runtime", STRING,
             'JSX runtime: "automatic" or "classic"', value="runtime", default="automatic",
             choices=("automatic", "classic"), option="jsx_runtime", keys=("jsx",),
             words={"react": "classic", "react-jsx": "automatic", "react-jsxdev": "automatic", "react-jsxDEV": "automatic"}),
        Flag("jsx-side-effects", BOOLEAN,
             "Treat JSX elements as having side effects (disables pure annotations)", option="jsx_side_effects"),
        Flag("ignore-dce-annotations", BOOLEAN,
             "Ignore tree-shaking annotations such as @__PURE__", option="ignore_dce_annotations"),
    )),
    ("Networking and security", (
        Flag("port", NUMBER, "Default port of RT.serve", value="number", start="network.port", most=65535,
             keys=("serve.port",)),
        Flag("fetch-preconnect", STRING,
             "Connect to a URL while the program is loading", value="url", repeats=True,
             start="network.preconnect.fetch"),
        Flag("max-http-header-size", NUMBER,
             "Maximum size of HTTP headers", value="bytes", default=16384, start="network.maxHeaderSize",
             in_node_options=True),
        Flag("dns-result-order", STRING,
             "Order of DNS results: verbatim, ipv4first or ipv6first", value="order", default="verbatim",
             choices=("verbatim", "ipv4first", "ipv6first"), start="dnsResultOrder", in_node_options=True),
        Flag("use-system-ca", BOOLEAN, "Trust the certificate authorities of the system", in_node_options=True),
        Flag("use-openssl-ca", BOOLEAN, "Trust OpenSSL's default CA store", in_node_options=True),
        Flag("use-bundled-ca", BOOLEAN, "Trust the bundled CA store", in_node_options=True),
        Flag("redis-preconnect", BOOLEAN,
             "Connect to $REDIS_URL while the program is loading", start="network.preconnect.redis"),
        Flag("sql-preconnect", BOOLEAN,
             "Connect to PostgreSQL while the program is loading", start="network.preconnect.sql"),
        Flag("user-agent", STRING,
             "Default User-Agent header of HTTP requests", value="text", start="network.userAgent"),
    )),
    ("Global configuration and context", (
        Flag("env-file", STRING,
             "Load environment variables from a file instead of the default .env files", value="file", repeats=True),
        Flag("no-env-file", BOOLEAN, "Do not load the default .env files",
             keys=("env", "env.file"), words={True: False, False: True}),
        Flag("cwd", STRING,
             "Change the working folder of the process before resolving files and scripts", value="path",
             in_config=False),
        Flag("config", STRING, "Use another config file", value="path", short="c", default="$cwd/rtfig.toml", in_config=False),
    )),
    (NODE_GROUP, (
        Flag("v8-options", BOOLEAN, "Print the flags of V8 and exit", in_config=False),
        Flag("max-old-space-size", OPTIONAL,
             "Let the JavaScript heap grow to this size (--max-old-space-size=4096)", value="MB", in_node_options=True, worker=REFUSED),
        Flag("max-old-space-size-percentage", STRING,
             "Let the heap grow to this part of the memory instead", value="percent", in_node_options=True, worker=REFUSED),
        Flag("heapsnapshot-near-heap-limit", NUMBER,
             "Write up to this many heap snapshots when the heap is nearly full", value="count", in_node_options=True),
        Flag("build-snapshot", BOOLEAN,
             "Run a CommonJS file and store its heap, from which --snapshot-blob starts", in_config=False),
        Flag("build-snapshot-config", STRING,
             'Do so with the file that "builder" names in a JSON file', value="file", in_config=False),
        Flag("snapshot-blob", STRING,
             "File of the stored heap: of the one to write with --build-snapshot, otherwise of the one to start from",
             value="file", default="snapshot.blob", in_node_options=True),
        Flag("stack-trace-limit", NUMBER,
             "Maximum number of frames in the stack of an error", value="frames", default=10, start="stackTraceLimit",
             in_node_options=True, worker=REFUSED),
        Flag("no-warnings", BOOLEAN,
             "Silence all process warnings", start="noWarnings", in_node_options=True, worker=OWN),
        Flag("warnings", NEGATION, "Print process warnings, also after --no-warnings", means="no-warnings"),
        Flag("disable-warning", STRING,
             "Silence the warnings of one code or type", value="code-or-type", repeats=True, start="disableWarning",
             in_node_options=True, worker=OWN),
        Flag("redirect-warnings", STRING,
             "Append warnings to a file instead of printing them to stderr", value="file", in_node_options=True),
        Flag("trace-warnings", BOOLEAN,
             "Print a stack trace with each process warning", start="traceWarnings", in_node_options=True, worker=OWN),
        Flag("trace-deprecation", BOOLEAN,
             "Print a stack trace with each deprecation warning", start="traceDeprecation", in_node_options=True,
             worker=OWN),
        Flag("trace-exit", BOOLEAN, "Print a stack trace when the program calls process.exit()", in_node_options=True),
        Flag("disable-proto", STRING,
             'Remove the accessor Object.prototype.__proto__ ("delete") or make it throw ("throw")', value="mode",
             choices=("delete", "throw"), start="disableProto", in_node_options=True, worker=REFUSED),
        Flag("disallow-code-generation-from-strings", BOOLEAN,
             "Make eval() and new Function() throw an EvalError", start="disallowsCode", in_node_options=True, worker=REFUSED),
        Flag("inspect-port", STRING,
             "Address on which the debugger listens once it is activated", value="[host:]port", in_node_options=True),
        Flag("inspect-ui", STRING,
             "Address of the page that the debugger names for the browser, in place of its own page", value="url",
             keys=("debug.ui",)),
        Flag("inspect-publish-uid", STRING,
             "Where the debugger names its WebSocket: stderr, http (the pages below /json) or both", value="places",
             in_node_options=True),
        Flag("disable-sigusr1", BOOLEAN, "Do not activate the debugger on SIGUSR1", in_node_options=True),
        Flag("debug-port", ALIAS, "Alias of --inspect-port", value="[host:]port", means="inspect-port"),
        Flag("cpu-prof", BOOLEAN, "Write a CPU profile of the program when it ends", in_node_options=True),
        Flag("cpu-prof-md", BOOLEAN, "Write a CPU profile as a Markdown page when the program ends"),
        Flag("cpu-prof-dir", STRING, "Folder of the CPU profile", value="folder", in_node_options=True),
        Flag("cpu-prof-name", STRING, "File name of the CPU profile", value="name", in_node_options=True),
        Flag("cpu-prof-interval", NUMBER, "Time between two samples", value="us", default=1000, in_node_options=True),
        Flag("heap-prof", BOOLEAN, "Write a heap profile of the program when it ends", in_node_options=True),
        Flag("heap-prof-md", BOOLEAN, "Write what is on the heap as a Markdown page when the program ends"),
        Flag("heap-prof-dir", STRING, "Folder of the heap profile", value="folder", in_node_options=True),
        Flag("heap-prof-name", STRING, "File name of the heap profile", value="name", in_node_options=True),
        Flag("heap-prof-interval", NUMBER,
             "Bytes allocated between two samples of the heap profile", value="bytes", default=524288,
             in_node_options=True),
        Flag("experimental-loader", STRING,
             "Use the exports resolve and load of a module as module loader hooks", value="module", repeats=True,
             in_node_options=True),
        Flag("network-family-autoselection", BOOLEAN,
             "Try all addresses of a host when a socket connects (the default)", start="network.autoSelectFamily",
             in_node_options=True),
        Flag("no-network-family-autoselection", NEGATION,
             "Try only the first address of a host", means="network-family-autoselection"),
        Flag("no-enable-network-family-autoselection", NEGATION,
             "Try only the first address of a host", means="network-family-autoselection"),
        Flag("network-family-autoselection-attempt-timeout", NUMBER,
             "Time for each address of a host except the last", value="ms", default=500,
             start="network.attemptTimeoutMs", in_node_options=True),
        Flag("experimental-websocket", BOOLEAN, "Expose WebSocket (the default)", in_node_options=True),
        Flag("no-experimental-websocket", NEGATION,
             "Remove the globals WebSocket and CloseEvent", means="experimental-websocket"),
        Flag("experimental-eventsource", BOOLEAN, "Expose EventSource (the default)", in_node_options=True),
        Flag("no-experimental-eventsource", NEGATION, "Remove the global EventSource", means="experimental-eventsource"),
        Flag("experimental-global-navigator", BOOLEAN, "Expose navigator (the default)", in_node_options=True),
        Flag("no-experimental-global-navigator", NEGATION,
             "Remove the globals navigator and Navigator", means="experimental-global-navigator"),
        Flag("tls-min-v1.0", BOOLEAN, "Set the default minimum TLS version to 1.0", in_node_options=True),
        Flag("tls-min-v1.1", BOOLEAN, "Set the default minimum TLS version to 1.1", in_node_options=True),
        Flag("tls-min-v1.2", BOOLEAN,
             "Set the default minimum TLS version to 1.2 (the default)", in_node_options=True),
        Flag("tls-min-v1.3", BOOLEAN, "Set the default minimum TLS version to 1.3", in_node_options=True),
        Flag("tls-max-v1.2", BOOLEAN, "Set the default maximum TLS version to 1.2", in_node_options=True),
        Flag("tls-max-v1.3", BOOLEAN,
             "Set the default maximum TLS version to 1.3 (the default)", in_node_options=True),
        Flag("tls-cipher-list", STRING,
             "Default TLS cipher list", value="list", start="network.tlsCiphers", in_node_options=True),
        Flag("tls-keylog", STRING,
             "Append TLS key material to a file", value="file", start="network.tlsKeylog", in_node_options=True),
        Flag("no-use-system-ca", NEGATION, "Undo --use-system-ca", means="use-system-ca"),
        Flag("no-use-openssl-ca", NEGATION, "Undo --use-openssl-ca", means="use-openssl-ca"),
        Flag("no-use-bundled-ca", NEGATION, "Undo --use-bundled-ca", means="use-bundled-ca"),
        Flag("use-env-proxy", BOOLEAN,
             "Make the global agents of node:http use HTTP_PROXY, HTTPS_PROXY and NO_PROXY, as fetch does",
             start="network.usesEnvProxy", in_node_options=True),
        Flag("no-use-env-proxy", NEGATION,
             "Ignore proxy variables in node:http, whatever NODE_USE_ENV_PROXY is set to", means="use-env-proxy"),
        Flag("env-file-if-exists", ALIAS, "Alias of --env-file", value="file", means="env-file", repeats=True),
    )),
)
# The flags of the commands that see and steer a running run (`commands.OF_RUNS`); they follow the command.
OF_RUNS: tuple[Flag, ...] = (
    Flag("json", BOOLEAN, "Print JSON: one value, or one object per line for each event and each line of output"),
    Flag("follow", BOOLEAN, "Print further output as it arrives, until the run ends", short="f"),
    Flag("lines", NUMBER, "Print only the last lines of the output so far", value="number", short="n"),
    Flag("failed", BOOLEAN, "Restart the tasks that have failed"),
    Flag("no-input", BOOLEAN, "Do not pass on what is typed"),
)
# The flags of `rt agent`; they follow the command.
OF_AGENT: tuple[Flag, ...] = (
    Flag("slots", NUMBER, "How many tasks run at once; by default one for each CPU", value="number"),
    Flag("tag", STRING, "Tags that tasks may require, with commas between them", value="names", repeats=True),
    Flag("folder", STRING, "Where files and results are kept; by default in the user's cache folder", value="folder"),
    Flag("store-limit", NUMBER, "How large the stored files may be; those that were not used for longest are removed",
         value="megabytes", default=20_000),
    Flag("scheduler", BOOLEAN, "Start a scheduler too, at --host and --port"),
    Flag("host", STRING, "Where the scheduler listens", value="address", default="127.0.0.1"),
    Flag("port", NUMBER, "Where the scheduler listens; 0 for any port", value="number", default=8786, most=65535),
    Flag("dashboard", STRING, "Where the scheduler shows Dask's dashboard", value="host:port"),
    Flag("once", BOOLEAN, "End the scheduler, and with it all agents, after the first run"),
    Flag("wait", NUMBER, "How long to wait for the scheduler", value="seconds", default=600),
    Flag("certificates", STRING, "Folder with certificates for tls://", value="folder"),
    Flag("make-certificates", STRING, "Write an authority and certificates to a folder, and exit", value="folder"),
    Flag("insecure", BOOLEAN, "Allow connections to other machines that nothing encrypts"),
)

# fmt: on

BY_NAME: dict[str, Flag] = {flag.name: flag for _, group in FLAG_GROUPS for flag in group if flag.name}
BY_SHORT: dict[str, Flag] = {flag.short: flag for _, group in FLAG_GROUPS for flag in group if flag.short}
