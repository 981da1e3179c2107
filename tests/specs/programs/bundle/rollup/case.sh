exec 2>&1
calm() { sed -E 's/ in [0-9.]+m?s//'; }
rollup --version
rollup -c |& calm; head -50 out/*.js; node out/main.js
rollup src/main.js --format iife --name x --inlineDynamicImports |& calm
rollup src/broken.js |& calm; echo "status ${PIPESTATUS[0]}"
node api.js
