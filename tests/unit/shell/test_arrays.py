"""Arrays and declaration commands, compared with bash line by line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from in_shell import run

from rt_supervisor.shell.parser import parse
from rt_supervisor.shell.tree import SyntaxProblem

ARRAYS = r"""
a=(5 6 7); i=1
((a[i]++)); echo $((a[1]+a[2])) ${a[i]} ${a[$i+1]} ${a[-1]} ${a[i-1]}
a[i+1]=x; a[$((i))]=y; echo "${a[*]}"; a[1]+=z; echo "${a[1]}"
unset a[1]; echo ${#a[@]} ${!a[*]}; a=(); echo "<${a[@]}>" ${#a[@]} "${a[@]:-none}" "${a[0]:-zero}"
b=("x y" z); printf '[%s]' "${b[@]}" ${b[@]} "${b[*]}"; echo; (IFS=:; echo "${b[*]}")
c=("${b[@]}" "${b[@]/x/Q}" ${b[@]#z}); echo ${#c[@]} "${c[2]}"
f() { local -a l=(1 2); l+=(3); local g=(9 8); echo ${l[@]} ${g[1]}; a[3]=in; }; f; echo "${l[@]-unset}" "${a[3]}"
declare -A m; m[one]=1; m["two words"]=2; k=one; echo ${m[$k]} "${m["two words"]}" ${#m[@]}; m[$k]+=0; echo ${m[one]}
for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort
unset "m[one]"; echo ${!m[@]}; [[ ${m[one]} ]] || echo gone
s=hello; echo ${s[0]} "${s[@]}" ${#s[@]}; s[2]=w; echo "${s[@]}" ${!s[@]}
d=([3]=c [1]=a b); echo ${!d[@]} "${d[@]}"; echo "${d[@]:1:2}" "${d[@]: -1}"
e=($(echo p q r)); echo ${e[2]} ${#e[2]}; g=(*.sh); echo ${g[0]}
readonly r=(1 2); echo ${r[1]}
x="a[1]"; a[1]=indirect; echo ${!x}; y=b[@]; echo "${!y}"
h=(a
b # comment
c); echo ${#h[@]}
w=(1 2 3); for ((j=0;j<${#w[@]};j++)); do echo -n "${w[j]} "; done; echo
echo "${w[@]/%/!}" ${w[@]%2} "${w[@]^}" ; z=(one two); echo "${z[@]^}" "${z[@]^^}"
read -r -a q <<< "1 2  3"; echo ${#q[@]} "${q[2]}"; readarray -t ln <<< $'x\ny z'; echo "${ln[1]}"; mapfile -n 1 -s 1 mm <<< $'x\ny\nz'; echo "${mm[0]}" ${#mm[@]}
set -- "${z[@]}" end; echo $# $3; args=("$@"); echo ${args[@]:1}
A=(1) ; A+=x; echo ${A[0]}; false; echo ${PIPESTATUS[0]}; true | false; echo "${PIPESTATUS[@]}"
[[ abc =~ (b)(c) ]]; echo "${BASH_REMATCH[@]}" ${BASH_REMATCH[2]}
export E=(1 2); sh -c 'echo "E=$E"'; n=(1 2 3); n=("${n[@]:0:1}" new "${n[@]:1}"); echo "${n[@]}"
echo "${#b[0]}" "${b[0]:1}" "${b[0]//x/y}" "${b[5]-default}" "${b[1]+set}"
echo "${a[@]+has}"; t=(); echo "${t[@]+has}" end; u[5]=five; echo ${u[@]} ${#u[@]}
"""
DECLARATIONS = r"""
X="a b *"
export Y=$X; echo "[$Y]"
readonly R=$X; echo "[$R]"
declare D=$X; echo "[$D]"
f() { local L=$X M=~ N=$X; echo "[$L]" "[$N]" "[$M]"; }; f
export A1=~/x:~/y; echo "$A1"
export $NOTHING P=1; echo $P
declare -x E=$X; export "Q=$X"; echo "[$E]" "[$Q]"
typeset T=$X; echo "[$T]"
export S+=more; export S+=$X; echo "[$S]"
alias zz=$X
echo x | A=1; echo "$? [$A]"
echo ~$(echo root)
"""
EMPTY_FIELDS = r"""
n() { echo $# "[$1]" "[$2]" "[$3]"; }
for IFS in : " " "" " :" ": " ,; do
  for x in a:b::c :a a: :: "" "a b"; do
    set -- $x; n $*; n $@; n "$*"; n "$@"; n x$*y; a=("$@"); n ${a[@]}; n ${a[*]}; n "${a[*]}"
  done
  set -- a "" c; n $*; n $@; set -- "" a; n $*; n $@; set -- a ""; n $*; n $@; set -- "" ""; n $*; n $@; set --; n $*
done
"""


@pytest.mark.parametrize("text", [ARRAYS, DECLARATIONS, EMPTY_FIELDS], ids=["arrays", "declarations", "empty fields"])
def test_output_equals_that_of_bash(tmp_path: Path, text: str) -> None:
    (tmp_path / "file.sh").write_text("")
    (tmp_path / "other file").write_text("")
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/home/someone"}
    expected = subprocess.run(["bash", "-c", text], cwd=tmp_path, env=environment, capture_output=True, text=True)
    ran = run(text, tmp_path, PATH="/usr/bin:/bin")
    assert ran.out.splitlines() == expected.stdout.splitlines()
    assert ran.status == expected.returncode


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a=(1 2", 'Unclosed "("'),
        ("a=(1 | 2)", "Unexpected token: `|`"),
        ("echo ${a[", "Bad substitution: ${a[…"),
        ("echo ${a[]}", "Bad substitution: ${a[…"),
    ],
)
def test_malformed_arrays_are_refused(text: str, message: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse(text)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a=(1); echo ${a[-2]}", "a[-2]: bad array subscript"),
        ("a=(1); a[-2]=x", "a[-2]: bad array subscript"),
        ("readonly a=(1); a[0]=x", "a: readonly variable"),
        ("echo ${a[1/0]}", "1/0: division by 0"),
    ],
)
def test_failing_subscripts_are_reported(tmp_path: Path, text: str, message: str) -> None:
    assert message in run(text, tmp_path).err
