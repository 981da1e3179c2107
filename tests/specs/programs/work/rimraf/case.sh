exec 2>&1
mkdir -p a/b/c d/e keep; touch a/b/c/f a/g d/e/x.tmp d/y.tmp; ln -s ../keep a/link
rimraf a; ls; rimraf --glob 'd/**/*.tmp' ; find d keep; rimraf -v d; rimraf nothere; echo "status $?"
rimraf /; echo "status $?"
node -e 'const r = require("rimraf"); const fs = require("fs"); fs.mkdirSync("m/n", { recursive: true }); console.log(r.sync("m"), fs.existsSync("m")); fs.mkdirSync("m/n", { recursive: true }); r.rimraf("m", { filter: (p) => !p.endsWith("n") }).then((done) => console.log(done, String(fs.readdirSync("m"))))'
