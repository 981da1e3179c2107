exec 2>&1
calm() { sed -E 's/\([0-9.]+(ms|s)\)/(TIME)/; s/"(duration|start|end)": .*/"\1"/; s/at .*//' | grep -v '^ *$'; }
mocha test/good.cjs test/module.mjs |& calm
mocha test/bad.cjs |& calm; echo "status ${PIPESTATUS[0]}"
mocha --reporter dot test/good.cjs |& calm
mocha --reporter tap test/good.cjs test/bad.cjs | grep -E '^(ok|not ok|#|1\.\.)'
mocha --parallel test/good.cjs test/module.mjs |& calm
mocha --grep adds --reporter json test/good.cjs |& calm | head -20
mocha --require ./setup.cjs test/typed.ts |& calm
mocha --forbid-only test/only.cjs |& grep -o '.only. forbidden by.*' | calm; echo "status ${PIPESTATUS[0]}"
mocha test/nothere.cjs; echo "status $?"
