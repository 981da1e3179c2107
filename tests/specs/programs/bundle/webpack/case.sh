exec 2>&1
calm() { sed -E 's/ in [0-9]+ ms//; s/[0-9.]+ (bytes|KiB)/SIZE/g; s/\(from .*//'; }
webpack --mode production |& calm; ls dist; node dist/main.js
webpack --mode development --config webpack.cache.cjs |& calm; webpack --mode development --config webpack.cache.cjs |& calm; node dev/main.js
webpack --mode production ./src/broken.js -o broken |& calm; echo "status ${PIPESTATUS[0]}"
node build.cjs
