exec 2>&1
vite build --logLevel error; echo "status $?"
ls dist/assets | sed -E 's/-[A-Za-z0-9_-]{8}\./-HASH./'
grep -l 'arrives late' dist/assets/late-*.js | wc -l | tr -d ' '
grep -c 'color:red' dist/assets/index-*.css
vite build --logLevel error --config library.config.mjs; echo "status $?"
node -e "import('./library/b.js').then(({ greeting }) => console.log(greeting))"
