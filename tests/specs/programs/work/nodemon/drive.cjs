// Each run takes at least 100 ms: chokidar drops a change within 50 ms of the previous one of the same file.
const fs = require("fs"); const { spawn } = require("child_process");
fs.mkdirSync("src", { recursive: true }); fs.writeFileSync("src/app.js", "console.log('run 1'); setInterval(() => {}, 1000)");
const child = spawn("nodemon", ["-V", "--watch", "src", "src/app.js"], { stdio: ["pipe", "pipe", "inherit"] });
let seen = ""; const steps = [
  [["watching 1 file", "run 1"], () => fs.writeFileSync("src/app.js", "process.on('SIGUSR2', () => { console.log('cleaned'); process.exit() }); setTimeout(() => console.log('run 2'), 100); setInterval(() => {}, 1000)")],
  [["run 2"], () => child.stdin.write("rs\n")],
  [["run 2"], () => fs.writeFileSync("src/app.js", "setTimeout(() => { console.log('run 3'); process.exit(4) }, 100)")],
  [["app crashed"], () => fs.writeFileSync("src/app.js", "console.log('run 4')")],
  [["clean exit"], () => child.kill("SIGINT")],
];
child.stdout.on("data", (data) => { for (const line of String(data).split("\n")) if (/^(run|cleaned)|crashed|clean exit/.test(line)) console.log(line); seen += data; if (steps.length && steps[0][0].every((wanted) => seen.includes(wanted))) { seen = ""; steps.shift()[1]() } });
child.on("close", (code, signal) => console.log("closed", code, signal));
