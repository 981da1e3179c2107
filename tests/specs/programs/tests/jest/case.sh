exec 2>&1
calm() { sed -E 's/\([0-9.]+ m?s\)//; s/ \([0-9.]+ m?s\)//; s/^Time: .*/Time/; s/ *$//; s/, estimated.*//' | grep -v '^ *at '; }
jest --version
jest --ci=false --runInBand good |& calm
jest --runInBand good |& calm
jest --verbose bad |& calm; echo "status ${PIPESTATUS[0]}"
jest --maxWorkers=2 good second |& grep -E '^(PASS|Tests:|Test Suites:)' | sed 's/ (.*//' | sort
jest --coverage --runInBand good |& sed -n '/^---/,$p' |& calm
NODE_OPTIONS=--experimental-vm-modules jest --runInBand --testMatch '**/module.test.mjs' |& grep -v Warning | grep -v trace-warnings |& calm
jest --listTests | sed 's/.*test/test/' | sort
cat test/__snapshots__/*
jest nothere; echo "status $?"
