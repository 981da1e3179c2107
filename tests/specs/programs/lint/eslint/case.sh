exec 2>&1
eslint --version
eslint src; echo "status $?"
eslint --format json src | sed 's#"filePath":"[^"]*/#"filePath":"#g'
eslint --max-warnings 0 --rule '{"no-var": "off", "prefer-const": "off"}' src/a.js; echo "status $?"
eslint --fix src; echo "status $?"; cat src/a.js
echo 'var x = 1' | eslint --stdin --stdin-filename src/in.js; echo "status $?"
eslint nothere; echo "status $?"
eslint --print-config src/a.js | head -12
eslint --cache src/b.js; eslint --cache src/b.js; ls -a | grep eslintcache
eslint --concurrency 2 src |& grep -v -e PoorConcurrency -e trace-warnings; echo "status $?"
