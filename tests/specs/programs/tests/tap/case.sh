exec 2>&1
calm() { sed -E 's/# time=.*/# time/; s/ \(?[0-9.]+ ?m?s\)?//; s/ *$//'; }
node test/good.js |& calm; echo "status ${PIPESTATUS[0]}"
node test/bad.js | grep -E '^ *(ok|not ok|#|1\.\.|TAP|diff|[-+] )' |& calm; echo "status ${PIPESTATUS[0]}"
tap --version | tail -1
tap run --reporter=tap --disable-coverage test/good.js test/bad.js | grep -E '^ *(ok|not ok|1\.\.|TAP)' |& calm; echo "status ${PIPESTATUS[0]}"
