exec 2>&1
prettier --version
prettier --check src; echo "status $?"
prettier --list-different src
prettier --write src | sed 's/ [0-9]*ms//'
prettier --check src; echo "status $?"
cat src/*
echo 'a  =  {b:1}' | prettier --stdin-filepath x.js
echo 'const = ' | prettier --stdin-filepath x.js; echo "status $?"
prettier --find-config-path src/a.ts
prettier --file-info src/a.ts
