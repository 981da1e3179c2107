exec 2>&1
tsup src/index.ts --format esm,cjs --dts --sourcemap --clean |& sed -E 's/ in [0-9]+ms//; s/[0-9.]+m?s$//' | sort
ls dist; cat dist/index.d.ts; node -e 'import("./dist/index.js").then((m) => console.log(m.double(2)))'; node -p 'require("./dist/index.cjs").double(3)'
