exec 2>&1
vite --version | sed 's/ .*//'
vite build --logLevel error; echo "status $?"
ls dist/assets | sed -E 's/-[A-Za-z0-9_-]{8}\./-HASH./'
grep -c 'Hello' dist/assets/index-*.js
node server.mjs
echo 'export const = 1;' > src/main.tsx; vite build --logLevel error > failed.txt 2>&1; echo "status $?"; grep -c 'src/main.tsx' failed.txt | sed 's/[1-9].*/told/'
