exec 2>&1
node api.js
esbuild src/a.ts --bundle --format=esm --minify
esbuild src/broken.ts --bundle 2>/dev/null || echo "status $?"
