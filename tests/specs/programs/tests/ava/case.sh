exec 2>&1
calm() { sed -E 's/ \([0-9.]+m?s\)//; s/^ *(at|›) .*//; s/ *$//' | grep -v '^ *$'; }
ava --version
ava test/good.js |& calm
ava --no-worker-threads test/good.js |& calm
ava --serial test/bad.js |& calm; echo "status ${PIPESTATUS[0]}"
ava --tap test/good.js | grep -E '^(ok|not ok|#|1\.\.|TAP)'
ava --match 'adds' test/good.js |& calm
ava test/nothere.js |& calm; echo "status ${PIPESTATUS[0]}"
