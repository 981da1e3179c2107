exec 2>&1
run-s -s part:* tell; echo "status $?"
run-p -s --aggregate-output part:*  | sort; echo "status $?"
npm-run-all --silent 'give {1}' -- x; echo "status $?"
run-s -s part:a bad part:b; echo "status $?"
run-s -sc part:a bad part:b; echo "status $?"
run-s -sl part:a; run-s nothere; echo "status $?"
