exec 2>&1
calm() { sed -E 's/ [0-9.]+ ?m?s$//; s/^( *)(Start at|Duration).*/\1\2/; s/ [0-9]+ms\b//; s/ *$//; s/^( *RUN  v[^ ]*).*/\1/'; }
vitest run test/a.test.ts |& calm; echo "status ${PIPESTATUS[0]}"
vitest run test/bad.test.ts --reporter=tap-flat | grep -E '^(ok|not ok|1\.\.)' | sed 's/ # time.*//'; echo "status ${PIPESTATUS[0]}"
vitest run test/bad.test.ts |& grep -E '^ +[-+] |AssertionError' 
vitest list | sort
vitest run nothere |& grep -c 'No test files'
