"""`rt completions SHELL`: a small script for bash, zsh or fish that asks rt for the possible words at the cursor.

The scripts do not contain any flags: they call `rt completions --complete WORDS...` (the last word is the one being
typed, maybe empty), which answers from the flag table, package.json and the workspace with lines of
`word TAB description`; a line `:files` asks the shell for file names too.
"""

from __future__ import annotations

import os

from ...settings.environment import ancestors
from . import commands, flags
from .listing import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol

    class Project(Protocol):
        """The completions of a project in `folder`; errors yield no completions."""

        def script_names(self, folder: str) -> Mapping[str, str]: ...
        def package_names(self, folder: str) -> Iterable[str]: ...
        def selected_scripts(self, folder: str, patterns: Sequence[str]) -> Mapping[str, int]: ...
        def running(self, folder: str, words: Sequence[str]) -> Mapping[str, str]: ...


FILES = ":files"
SHELLS = ("bash", "zsh", "fish")

_BASH = r"""# rt completion for bash: eval "$(rt completions bash)"
_rt_complete() {
    local line=${COMP_LINE:0:COMP_POINT} current word reply skip
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current=${words[${#words[@]}-1]}
    # Readline splits words at : and =, so only what follows the last of them is replaced.
    skip=${current%"${current##*[:=]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r word reply; do
        if [[ $word == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("${word#"$skip"}"); done < <(compgen -f -- "$current")
        else
            COMPREPLY+=("${word#"$skip"}")
            [[ $word == *= ]] && compopt -o nospace 2>/dev/null
        fi
    done < <(command "${words[0]}" completions --complete "${words[@]:1}" 2>/dev/null)
}
complete -F _rt_complete rt
"""

_ZSH = r"""#compdef rt
# rt completion for zsh: eval "$(rt completions zsh)", or this text as the file _rt in a folder of $fpath
_rt() {
    local -a found shown
    local line files=
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            files=1
        else
            found+=("${line%%$'\t'*}")
            shown+=("${line/$'\t'/  -- }")
        fi
    done < <(command ${words[1]} completions --complete "${(@)words[2,CURRENT]}" 2>/dev/null)
    (( ${#found} )) && compadd -l -d shown -a found
    [[ -n $files ]] && _files
    return 0
}
if [[ ${funcstack[1]} == _rt ]]; then
    _rt "$@"
else
    compdef _rt rt
fi
"""

_FISH = r"""# rt completion for fish: rt completions fish | source
function __rt_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (command $words[1] completions --complete $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c rt -f -a '(__rt_complete)'
"""


def script(shell: str) -> str:
    """Return the completion script for `shell`, one of `SHELLS`."""
    return {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}[shell]


def answers(words: Sequence[str], project: Project) -> list[str]:
    """Return the lines of completions for the command line `words` (without the program), whose last word is being typed."""
    *before, current = words or [""]
    line = _Line(before)
    if line.needs_value:
        found = _values(line.needs_value, project, line.folder)
        return _matching(found, current) + ([FILES] if found is None else [])
    if line.is_past_name:
        return [FILES]
    if line.command in commands.OF_RUNS and not project.script_names(line.folder).get(line.command):
        return _of_command(line, current, project.running)
    if line.command == commands.AGENT:
        return _of_command(line, current, lambda folder, words: {})
    if current.startswith("-") and not line.flags_ended:
        return _flag_words(current, project, line.folder)
    if line.command in ("completions", "doctor", "graph", "help", "init"):
        choices: dict[str, str] = {}
        if line.command == "completions":
            choices = {shell: f"Completion script for {shell}" for shell in SHELLS}
        elif line.command == "help":
            from .topics import topics

            choices = {name: text for name, _, text in commands.COMMANDS}
            choices |= dict.fromkeys(topics(), "Page of the documentation")
        return _matching(choices, current)
    return _names(line, current, project)


def _of_command(line: _Line, current: str, find: Callable[[str, Sequence[str]], Mapping[str, str]]) -> list[str]:
    """Return the flags of a command that has its own, or the words that it can name, which `find` returns."""
    from . import command_words

    own = command_words.flags_of(line.command)
    if line.own_words and line.own_words[-1].startswith("-"):
        flag, value = command_words.find_flag(line.own_words[-1], own)
        if flag is not None and flag.kind in (flags.STRING, flags.NUMBER) and value is None:
            return [FILES] if flag.value == "folder" else []
    if current.startswith("-"):
        return _matching({f"--{flag.name}": flag.help for flag in own}, current)
    words = [word for word in line.own_words if not word.startswith("-")]
    return _matching({} if line.command == "ps" else find(line.folder, words), current)


def _names(line: _Line, current: str, project: Project) -> list[str]:
    """Return what can be run: commands of rt, scripts, binaries, and files; in selected packages only their scripts."""
    if line.is_selecting:
        counts = project.selected_scripts(line.folder, line.patterns)
        return _matching({name: f"in {count} package{'s' * (count > 1)}" for name, count in counts.items()}, current)
    scripts = {name: one_line(text)[:60] for name, text in project.script_names(line.folder).items() if text}
    binaries = {} if line.is_multi else _binaries(line.folder)
    own: dict[str, str] = {}
    if not line.command and not line.is_multi:
        own = {name: text for name, _, text in commands.COMMANDS}
        scripts = {name: text for name, text in scripts.items() if name not in commands.ABSENT}
    found = _matching(binaries | own if line.command == "x" else binaries | scripts | own, current)
    return found if line.command == "x" else [*found, FILES]


class _Line:
    """The meaning of the words before the cursor; a word that is not a flag ends the flags."""

    def __init__(self, words: Sequence[str]) -> None:
        self.command = ""
        self.folder = os.getcwd()
        self.needs_value = ""  # the flag whose value is being typed
        self.flags_ended = False
        self.is_multi = False
        self.is_past_name = False
        self.is_selecting = False  # scripts are completed from the packages that `patterns` select, or from all
        self.patterns: list[str] = []
        self.own_words: list[str] = []  # after a command that has flags of its own
        for word in words:
            self._word(word)

    def _word(self, word: str) -> None:
        if self.needs_value:
            if self.needs_value == "cwd":
                self.folder = os.path.join(self.folder, word)
            elif self.needs_value == "filter":
                self.patterns.append(word)
            self.needs_value = ""
        elif self.is_past_name:
            return
        elif self.command in commands.WITH_OWN_FLAGS:
            self.own_words.append(word)
        elif word == "--" and not self.flags_ended:
            self.flags_ended = True
        elif len(word) > 1 and word[0] == "-" and not self.flags_ended:
            self._flag(word)
        elif not self.command and word in commands.NAMES:
            self.command = word
        else:
            self.is_past_name = not self.is_multi

    def _flag(self, word: str) -> None:
        name, equals, value = word.removeprefix("--").partition("=")
        row = flags.BY_NAME.get(name)
        if not word.startswith("--"):
            row, value = _last_of_short(word[1:])
            equals = value
        if row is None:
            return
        if row.kind == flags.ALIAS and "=" not in row.means:
            row = flags.BY_NAME[row.means]
        name = row.name
        self.is_multi = self.is_multi or name in ("parallel", "sequential", "tasks")
        self.is_selecting = self.is_selecting or name in ("filter", "workspaces", "tasks")
        if name == "filter" and equals:
            self.patterns.append(value)
        if row.kind in (flags.STRING, flags.NUMBER) and not equals:
            self.needs_value = name
        elif name == "cwd" and equals:
            self.folder = os.path.join(self.folder, value)


def _last_of_short(letters: str) -> tuple[flags.Flag | None, str]:
    """Return the last flag of a word such as `bF` or `Fweb`, and the value in the word, if any."""
    row = None
    for at, letter in enumerate(letters):
        row = flags.BY_SHORT.get(letter)
        if row is None:
            break
        kind = flags.BY_NAME.get(row.means, row).kind if row.kind == flags.ALIAS else row.kind
        if kind in (flags.STRING, flags.NUMBER):
            return row, letters[at + 1 :].removeprefix("=")
    return row, ""


def _flag_words(current: str, project: Project, folder: str) -> list[str]:
    name, equals, _ = current.removeprefix("--").partition("=")
    if equals and name in flags.BY_NAME:
        found = _values(name, project, folder)
        return _matching({f"--{name}={value}": text for value, text in (found or {}).items()}, current)
    offered = {f"--{row.name}": row.help for _, group in flags.FLAG_GROUPS for row in group if row.name}
    short = {f"-{letter}": row.help for letter, row in flags.BY_SHORT.items() if current == "-"}
    return _matching(short | offered, current)


def _values(flag: str, project: Project, folder: str) -> dict[str, str] | None:
    """Return the values of `flag`; None if it accepts files, or anything."""
    if flag == "filter":
        return dict.fromkeys(project.package_names(folder), "package")
    choices = flags.BY_NAME[flag].choices
    return {word: "" for word in choices if word} if choices else None


def _binaries(folder: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for ancestor in ancestors(os.path.abspath(folder)):
        try:
            names = os.listdir(os.path.join(ancestor, "node_modules", ".bin"))
        except OSError:
            continue
        found |= dict.fromkeys(sorted(names), "binary")
    return found


def _matching(found: Mapping[str, str] | None, current: str) -> list[str]:
    return [
        f"{word}\t{text}"
        for word, text in (found or {}).items()
        if word.startswith(current) and word.isprintable() and word
    ]
