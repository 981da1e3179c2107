exec 2>&1
eslint src; echo "status $?"
eslint --fix src/a.ts; echo "status $?"; cat src/a.ts
