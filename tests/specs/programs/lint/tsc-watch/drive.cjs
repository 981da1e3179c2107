// Each change is a single write without truncation, so that it causes one event and `tsc` builds once.
const fs = require("fs"); const { spawn } = require("child_process");
const write = (text) => { const file = fs.openSync("src/a.ts", "r+"); fs.writeSync(file, text.padEnd(40)); fs.closeSync(file) };
const child = spawn("tsc", ["--watch", "--preserveWatchOutput", "--pretty", "false"], { stdio: ["pipe", "pipe", "inherit"] });
let seen = ""; const steps = [
  () => write("export const a: number = 'text';"),
  () => write("export const a: number = 22;"),
  () => fs.writeFileSync("src/b.ts", "export { a as b } from './a.js';"),
  () => { console.log(fs.readdirSync("dist").join()); child.kill("SIGINT") },
];
child.stdout.on("data", (data) => {
  seen += data;
  for (let end; (end = seen.indexOf("\n")) >= 0;) {
    const line = seen.slice(0, end).trim().replace(/^[0-9:]+ [AP]M - /, ""); seen = seen.slice(end + 1);
    if (line) console.log(line);
    if (/Watching for file changes/.test(line)) { console.log(fs.readFileSync("dist/a.js", "utf8").match(/a = .*/g).at(-1)); steps.shift()?.() }
  }
});
child.on("close", (code, signal) => console.log("closed", code, signal));
