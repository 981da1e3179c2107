exec 2>&1
nodemon --version; node drive.cjs; nodemon --exec "echo hi" --on-change-only --dump | grep -c scriptPosition
