exec 2>&1
tsc --version
tsc --build --verbose | sed 's/^[^-]*M - //;s/[0-9]*:[0-9:]* [AP]M - //'; find dist -type f | sort
cat dist/app/main.d.ts dist/app/main.js
node dist/app/main.js
tsc --noEmit --strict --pretty false bad.ts; echo "status $?"
tsc --noEmit --strict --pretty bad.ts; echo "status $?"
tsc --showConfig -p app
tsc --listFilesOnly -p lib | sed 's/.*node_modules/node_modules/' | tail -3
