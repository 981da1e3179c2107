node a.mjs 2>&1
unset NO_COLOR; for level in 0 1 2 3; do FORCE_COLOR=$level node a.mjs 2>&1; done
TERM=xterm-256color node a.mjs --color=256 2>&1
