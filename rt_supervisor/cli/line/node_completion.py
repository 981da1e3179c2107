"""`node --completion-bash`: the completion script of Node for bash, with the flags that rt reads under that name."""

from __future__ import annotations

from . import flags, node_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FLAG = "--completion-bash"

_SCRIPT = """_node_complete() {
  local cur_word options
  cur_word="${COMP_WORDS[COMP_CWORD]}"
  if [[ "${cur_word}" == -* ]] ; then
    COMPREPLY=( $(compgen -W '%s' -- "${cur_word}") )
    return 0
  else
    COMPREPLY=( $(compgen -f "${cur_word}") )
    return 0
  fi
}
complete -o filenames -o nospace -o bashdefault -F _node_complete node node_g
"""


def is_requested(argv: Sequence[str]) -> bool:
    """Return whether the flag is among those before the first operand."""
    for word in argv:
        if word == FLAG:
            return True
        if not word.startswith("-") or word == "--":
            return False
    return False


def script() -> str:
    """Return the script."""
    words = {f"--{name}" for name in (*flags.BY_NAME, *node_flags.names()) if name}
    words.update(f"-{flag.short}" for flag in flags.BY_NAME.values() if flag.short)
    return _SCRIPT % " ".join(sorted(words))
