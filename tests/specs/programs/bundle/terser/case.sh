exec 2>&1
terser a.js --compress --mangle --source-map "url='a.js.map',filename='a.js'" -o out.js; cat out.js out.js.map
echo 'function f(long) { return long * 2 } console.log(f(4))' | terser --toplevel -c -m
echo 'let = = 1' | terser; echo "status $?"
