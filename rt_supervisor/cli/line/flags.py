"""The one table of rt's flags: the parser, `--help`, the shell completions and `docs/flags.md` are made from it.

Plain data and a name index, nothing imported: every start of rt pays for this module. How a value is read is the
business of `arguments`, which values are good that of `flag_values`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, TypeAlias

    # name without dashes, short letter or "", kind, repeatable, what it stands for, default, value, help
    Flag: TypeAlias = tuple[str, str, str, bool, str, str | int | None, str, str]

BOOLEAN = "boolean"  # takes no value
STRING = "string"  # `--flag value` or `--flag=value`
NUMBER = "number"  # the same, a whole number >= 0
OPTIONAL = "optional"  # `--flag` or `--flag=value`, never the next word
ALIAS = "alias"  # another spelling of the flag it stands for, or of `flag=value`
NEGATION = "negation"  # sets the flag it stands for to False

# Where each field of a row is.
NAME: Final = 0
SHORT: Final = 1
KIND: Final = 2
REPEATS: Final = 3
MEANS: Final = 4
DEFAULT: Final = 5
VALUE: Final = 6
HELP: Final = 7

# One row a flag; the order is the order of --help.
# fmt: off
FLAG_GROUPS: tuple[tuple[str, tuple[Flag, ...]], ...] = (
    ("General execution", (
        ("silent", "", BOOLEAN, False, "", None, "", "Do not print the script command"),
        ("if-present", "", BOOLEAN, False, "", None, "", "Exit without an error if the entrypoint does not exist"),
        ("eval", "e", STRING, False, "", None, "code", "Evaluate the argument as a script"),
        ("print", "p", STRING, False, "", None, "code", "Evaluate the argument as a script and print the result"),
        ("version", "v", BOOLEAN, False, "", None, "", "Print the version and exit"),
        ("revision", "", BOOLEAN, False, "", None, "", "Print the version with its revision and exit"),
        ("v8-options", "", BOOLEAN, False, "", None, "", "Print the flags of V8 and exit"),
        ("help", "h", BOOLEAN, False, "", None, "", "Show this text and exit"),
    )),
    ("Workspace management", (
        ("filter", "F", STRING, True, "", None, "pattern",
         "Run the script in all workspace packages matching the pattern: a name glob, ./path, {dir}, foo..., ...foo, !foo"),
        ("workspaces", "", BOOLEAN, False, "", None, "",
         'Run the script in all packages of the "workspaces" field of package.json'),
        ("parallel", "", BOOLEAN, False, "", None, "",
         "Run several scripts, or the script of several packages, at the same time with prefixed output"),
        ("sequential", "", BOOLEAN, False, "", None, "",
         "Run several scripts, or the script of several packages, one after another with prefixed output"),
        ("no-exit-on-error", "", BOOLEAN, False, "", None, "",
         "With --parallel or --sequential, keep running the others when one fails"),
        ("elide-lines", "", NUMBER, False, "", 10, "number",
         "Lines of output shown of each script with --filter on a terminal; 0 shows all"),
        ("concurrency", "", STRING, False, "", None, "number",
         "At most this many scripts at the same time, or a share of the CPUs such as 50%"),
        ("ordered", "", BOOLEAN, False, "", None, "",
         "With --parallel, start a package's script only after those of its dependencies are done"),
        ("strict-cycles", "", BOOLEAN, False, "", None, "",
         "Fail when packages depend on each other in a cycle, instead of warning"),
        ("grace-period", "", NUMBER, False, "", 5000, "ms",
         "Time scripts have to end after they are told to, before they are killed"),
        ("output", "", STRING, False, "", "stream", "form",
         '"stream" shows lines as they come, "grouped" the whole output of a script at its end, "json" one event a line'),
        ("summary", "", BOOLEAN, False, "", None, "",
         "Print a table of states, times and memory at the end (the default on a terminal)"),
        ("no-summary", "", NEGATION, False, "summary", None, "", "Do not print the table at the end"),
        ("report", "", STRING, False, "", None, "file", "Write what ran and how it went to a JSON file"),
        ("dry-run", "", OPTIONAL, False, "", None, "form",
         "Print what would run, in which order and why, and run nothing; as data with =json"),
        ("format", "", STRING, False, "", None, "form",
         "Form of `rt graph`: dot, json, mermaid or html"),
    )),
    ("Runtime and process control", (
        ("rt", "b", BOOLEAN, False, "", None, "",
         "Force a script or package to run with rt instead of node (by a link named node)"),
        ("bun", "", ALIAS, False, "rt", None, "", "Alias of --rt"),
        ("shell", "", STRING, False, "", None, "shell", 'The shell for package.json scripts: "rt" or "system"'),
        ("interactive", "", BOOLEAN, False, "", None, "",
         "Open a REPL like that of node; with -e it evaluates the script after it started (-i where no file is named)"),
        ("smol", "", BOOLEAN, False, "", None, "", "Use less memory, collect garbage more often"),
        ("expose-gc", "", BOOLEAN, False, "", None, "",
         "Expose gc() on the global object; no effect on RT.gc()"),
        ("heapsnapshot-near-heap-limit", "", NUMBER, False, "", None, "count", "Write so many snapshots of a heap that is nearly full"),
        ("stack-trace-limit", "", NUMBER, False, "", 10, "frames", "How many frames the stack of an error has"),
        ("no-deprecation", "", BOOLEAN, False, "", None, "", "Silence deprecation warnings"),
        ("throw-deprecation", "", BOOLEAN, False, "", None, "", "Throw deprecation warnings as errors"),
        ("no-warnings", "", BOOLEAN, False, "", None, "", "Silence all process warnings"),
        ("disable-warning", "", STRING, True, "", None, "code-or-type", "Silence the warnings of a code or a type"),
        ("redirect-warnings", "", STRING, False, "", None, "file", "Write warnings to the end of a file, not to stderr"),
        ("trace-warnings", "", BOOLEAN, False, "", None, "", "Print where each warning was created"),
        ("trace-deprecation", "", BOOLEAN, False, "", None, "", "Print where deprecation warnings were created"),
        ("trace-exit", "", BOOLEAN, False, "", None, "", "Print from where a program has ended itself"),
        ("no-orphans", "", BOOLEAN, False, "", None, "", "End what a program has started with it, as rt always does"),
        ("title", "", STRING, False, "", None, "title", "Set the process title"),
        ("zero-fill-buffers", "", BOOLEAN, False, "", None, "",
         "Force Buffer.allocUnsafe(size) to be filled with zeros"),
        ("no-addons", "", BOOLEAN, False, "", None, "",
         'Throw when process.dlopen is called, and disable the export condition "node-addons"'),
        ("disable-proto", "", STRING, False, "", None, "mode",
         'Take the accessor Object.prototype.__proto__ away ("delete"), or have it throw ("throw")'),
        ("unhandled-rejections", "", STRING, False, "", None, "mode",
         'One of "strict", "throw", "warn", "none" or "warn-with-error-code"'),
        ("console-depth", "", NUMBER, False, "", 2, "number", "Depth of objects printed by console.log"),
    )),
    ("Development workflow", (
        ("watch", "", BOOLEAN, False, "", None, "", "Restart the process when a file changes"),
        ("watch-kill-signal", "", STRING, False, "", "SIGTERM", "signal",
         "The signal whose handlers run when --watch restarts the process"),
        ("watch-ignore", "", STRING, True, "", None, "pattern",
         "Files that start nothing when they change, as a line of .gitignore"),
        ("watch-include", "", STRING, True, "", None, "pattern",
         "Files that are followed although a .gitignore leaves them out"),
        ("watch-poll", "", BOOLEAN, False, "", None, "",
         "Look for changes every now and then, where the file system tells no events"),
        ("watch-debounce", "", NUMBER, False, "", 30, "ms",
         "How long nothing may change before many changes are acted on"),
        ("watch-grace", "", NUMBER, False, "", 5000, "ms",
         "How long a process may take to end before --watch kills it and starts the next one"),
        ("hot", "", BOOLEAN, False, "", None, "", "Reload changed modules in the running process"),
        ("no-clear-screen", "", BOOLEAN, False, "", None, "",
         "Do not clear the terminal when --hot or --watch reloads"),
    )),
    ("Debugging", (
        ("inspect", "", OPTIONAL, False, "", None, "[host:]port[/prefix]", "Activate the debugger"),
        ("inspect-wait", "", OPTIONAL, False, "", None, "[host:]port[/prefix]",
         "Activate the debugger and wait for a connection before executing"),
        ("inspect-brk", "", OPTIONAL, False, "", None, "[host:]port[/prefix]",
         "Activate the debugger, break on the first line and wait"),
        ("inspect-port", "", STRING, False, "", None, "[host:]port",
         "Where the debugger listens when something else activates it"),
        ("disable-sigusr1", "", BOOLEAN, False, "", None, "", "Do not activate the debugger when SIGUSR1 comes"),
        ("debug-port", "", ALIAS, False, "inspect-port", None, "[host:]port", "Alias of --inspect-port"),
        ("cpu-prof", "", BOOLEAN, False, "", None, "", "Write a CPU profile of the program when it ends"),
        ("cpu-prof-dir", "", STRING, False, "", None, "folder", "The folder for it"),
        ("cpu-prof-name", "", STRING, False, "", None, "name", "The name of its file"),
        ("cpu-prof-interval", "", NUMBER, False, "", 1000, "us", "Time between two samples"),
        ("heap-prof", "", BOOLEAN, False, "", None, "", "Write a heap profile of the program when it ends"),
        ("heap-prof-dir", "", STRING, False, "", None, "folder", "The folder for it"),
        ("heap-prof-name", "", STRING, False, "", None, "name", "The name of its file"),
        ("heap-prof-interval", "", NUMBER, False, "", 524288, "bytes", "Allocated bytes between two samples"),
    )),
    ("Dependency and module resolution", (
        ("preload", "r", STRING, True, "", None, "module", "Import a module before others are loaded"),
        ("require", "", ALIAS, True, "preload", None, "module", "Alias of --preload"),
        ("import", "", ALIAS, True, "preload", None, "module", "Alias of --preload"),
        ("experimental-loader", "", STRING, True, "", None, "module",
         "Use a module's exports resolve and load as hooks of the module loader"),
        ("no-install", "", BOOLEAN, False, "", None, "", "Disable auto install"),
        ("install", "", STRING, False, "", "auto", "mode",
         'Auto install: "auto" (when there is no node_modules), "fallback" (missing packages), "force" (always) or "disable"'),
        ("", "i", ALIAS, False, "install=fallback", None, "", "Auto-install dependencies: --install=fallback"),
        ("prefer-offline", "", BOOLEAN, False, "", None, "", "Skip staleness checks, resolve from disk"),
        ("prefer-latest", "", BOOLEAN, False, "", None, "",
         "Use the latest matching versions, always check the registry"),
        ("conditions", "", STRING, True, "", None, "name", "Pass custom conditions to resolve"),
        ("main-fields", "", STRING, True, "", None, "fields", "Main fields to look up in package.json"),
        ("preserve-symlinks", "", BOOLEAN, False, "", None, "", "Preserve symlinks when resolving files"),
        ("preserve-symlinks-main", "", BOOLEAN, False, "", None, "",
         "Preserve symlinks when resolving the main entry"),
        ("extension-order", "", STRING, True, "", ".tsx,.ts,.jsx,.cts,.cjs,.js,.mjs,.mts,.json,.node",
         "list", "Order in which extensions are tried"),
    )),
    ("Transpilation and language features", (
        ("tsconfig-override", "", STRING, False, "", "$cwd/tsconfig.json", "path", "Use another tsconfig.json"),
        ("define", "d", STRING, True, "", None, "K:V",
         'Substitute K with V while parsing, such as process.env.NODE_ENV:"development"; V is parsed as JSON'),
        ("drop", "", STRING, True, "", None, "name",
         "Remove calls: --drop=console removes all calls of console.*"),
        ("loader", "l", STRING, True, "", None, ".ext:loader",
         "Load files with this extension as js, jsx, ts, tsx, json, toml, text, file, wasm or napi"),
        ("no-macros", "", BOOLEAN, False, "", None, "", "Disable the execution of macros"),
        ("jsx-factory", "", STRING, False, "", None, "name",
         "Function called for JSX elements with the classic runtime"),
        ("jsx-fragment", "", STRING, False, "", None, "name", "Function called for JSX fragments"),
        ("jsx-import-source", "", STRING, False, "", "react", "module",
         "Module the jsx and jsxs functions are imported from"),
        ("jsx-runtime", "", STRING, False, "", "automatic", "runtime", '"automatic" or "classic"'),
        ("jsx-side-effects", "", BOOLEAN, False, "", None, "",
         "Treat JSX elements as having side effects (disable pure annotations)"),
        ("ignore-dce-annotations", "", BOOLEAN, False, "", None, "",
         "Ignore tree-shaking annotations such as @__PURE__"),
    )),
    ("Networking and security", (
        ("port", "", NUMBER, False, "", None, "number", "Default port of RT.serve"),
        ("fetch-preconnect", "", STRING, True, "", None, "url", "Connect to a URL while code is loading"),
        ("max-http-header-size", "", NUMBER, False, "", 16384, "bytes", "Maximum size of HTTP headers"),
        ("dns-result-order", "", STRING, False, "", "verbatim", "order",
         "Order of DNS results: verbatim, ipv4first or ipv6first"),
        ("network-family-autoselection", "", BOOLEAN, False, "", None, "",
         "Try all addresses of a name that a socket connects to, as without it"),
        ("no-network-family-autoselection", "", NEGATION, False, "network-family-autoselection", None, "",
         "Try the first address of a name alone"),
        ("no-enable-network-family-autoselection", "", NEGATION, False, "network-family-autoselection", None, "",
         "Try the first address of a name alone"),
        ("network-family-autoselection-attempt-timeout", "", NUMBER, False, "", 500, "ms",
         "Time for each address of a name but the last"),
        ("experimental-websocket", "", BOOLEAN, False, "", None, "", "Have WebSocket, as without it"),
        ("no-experimental-websocket", "", NEGATION, False, "experimental-websocket", None, "",
         "Take WebSocket and CloseEvent away"),
        ("experimental-eventsource", "", BOOLEAN, False, "", None, "", "Have EventSource, as without it"),
        ("no-experimental-eventsource", "", NEGATION, False, "experimental-eventsource", None, "",
         "Take EventSource away"),
        ("experimental-global-navigator", "", BOOLEAN, False, "", None, "", "Have navigator, as without it"),
        ("no-experimental-global-navigator", "", NEGATION, False, "experimental-global-navigator", None, "",
         "Take navigator and Navigator away"),
        ("use-system-ca", "", BOOLEAN, False, "", None, "", "Use the system's trusted certificate authorities"),
        ("use-openssl-ca", "", BOOLEAN, False, "", None, "", "Use OpenSSL's default CA store"),
        ("use-bundled-ca", "", BOOLEAN, False, "", None, "", "Use the bundled CA store"),
        ("no-use-system-ca", "", NEGATION, False, "use-system-ca", None, "", "Undo --use-system-ca"),
        ("no-use-openssl-ca", "", NEGATION, False, "use-openssl-ca", None, "", "Undo --use-openssl-ca"),
        ("no-use-bundled-ca", "", NEGATION, False, "use-bundled-ca", None, "", "Undo --use-bundled-ca"),
        ("tls-min-v1.0", "", BOOLEAN, False, "", None, "", "Least version of TLS by default: 1.0"),
        ("tls-min-v1.1", "", BOOLEAN, False, "", None, "", "Least version of TLS by default: 1.1"),
        ("tls-min-v1.2", "", BOOLEAN, False, "", None, "", "Least version of TLS by default: 1.2, as without it"),
        ("tls-min-v1.3", "", BOOLEAN, False, "", None, "", "Least version of TLS by default: 1.3"),
        ("tls-max-v1.2", "", BOOLEAN, False, "", None, "", "Highest version of TLS by default: 1.2"),
        ("tls-max-v1.3", "", BOOLEAN, False, "", None, "", "Highest version of TLS by default: 1.3, as without it"),
        ("tls-cipher-list", "", STRING, False, "", None, "list", "Ciphers of TLS by default"),
        ("tls-keylog", "", STRING, False, "", None, "file", "Write the keys of TLS connections to this file"),
        ("use-env-proxy", "", BOOLEAN, False, "", None, "",
         "Global agents of node:http follow HTTP_PROXY, HTTPS_PROXY and NO_PROXY, as fetch does"),
        ("no-use-env-proxy", "", NEGATION, False, "use-env-proxy", None, "",
         "Do not, whatever NODE_USE_ENV_PROXY says"),
        ("redis-preconnect", "", BOOLEAN, False, "", None, "", "Connect to $REDIS_URL at startup"),
        ("sql-preconnect", "", BOOLEAN, False, "", None, "", "Connect to PostgreSQL at startup"),
        ("user-agent", "", STRING, False, "", None, "text", "Default User-Agent header of HTTP requests"),
    )),
    ("Global configuration and context", (
        ("env-file", "", STRING, True, "", None, "file",
         "Load environment variables from this file instead of the default .env files"),
        ("env-file-if-exists", "", ALIAS, True, "env-file", None, "file", "Alias of --env-file"),
        ("no-env-file", "", BOOLEAN, False, "", None, "", "Do not load the default .env files"),
        ("cwd", "", STRING, False, "", None, "path",
         "Folder to resolve files and entrypoints from; changes only the working folder of the process"),
        ("config", "c", STRING, False, "", "$cwd/rtfig.toml", "path", "Use another config file"),
    )),
)
# fmt: on

BY_NAME: dict[str, Flag] = {flag[NAME]: flag for _, group in FLAG_GROUPS for flag in group if flag[NAME]}
BY_SHORT: dict[str, Flag] = {flag[SHORT]: flag for _, group in FLAG_GROUPS for flag in group if flag[SHORT]}
