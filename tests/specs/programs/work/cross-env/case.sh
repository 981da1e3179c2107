exec 2>&1
cross-env A=1 B='two words' node -p 'process.env.A + process.env.B'; cross-env-shell A=x 'echo $A'; cross-env A=1 sh -c 'exit 4'; echo "status $?"
