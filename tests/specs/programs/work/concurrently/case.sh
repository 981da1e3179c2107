exec 2>&1
concurrently --version
concurrently --group --names one,two "echo 1" "node -e 'console.log(2)'"; echo "status $?"
concurrently --group -k -s first "sleep 100" "sh -c 'exit 3'" | sed -E "s/code (SIGTERM|143)/code END/; /Terminated/d" | sort; echo "status ${PIPESTATUS[0]}"
concurrently --raw --success last "true" "sleep 0.05; true"; echo "status $?"
concurrently -P --group "echo {1}" -- passed
