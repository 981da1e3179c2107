import { glob, globSync, globStream, Glob, escape, hasMagic } from "glob";
import fg from "fast-glob";
const print = (...all) => console.log(JSON.stringify(all));
const all = async (stream) => { const got = []; for await (const each of stream) got.push(String(each)); return got.sort() };
print("glob", (await glob("**/*.{js,ts}", { cwd: "t" })).sort(), globSync("**/*.js", { cwd: "t", dot: true, ignore: "a/**" }).sort(), await all(globStream("t/**/", { mark: true })));
print((await glob("c/**/*.js", { cwd: "t", nocase: true, follow: true })).sort(), escape("[6].js"), hasMagic("a*"), globSync("t/c/" + escape("[6].js")));
print(new Glob("*", { cwd: "t", withFileTypes: true }).walkSync().map((each) => [each.name, each.isDirectory()]).sort(), (await glob(["t/a/*", "!t/a/b"], { posix: true })).sort());
print("fast", (await fg("**/*.{js,ts}", { cwd: "t" })).sort(), fg.sync(["**", "!**/*.ts"], { cwd: "t", dot: true, onlyFiles: false, markDirectories: true }).sort(), await all(fg.stream("t/**/*.js", { stats: false, followSymbolicLinks: false })));
print((await fg("t/*", { onlyDirectories: true, objectMode: true })).map((each) => [each.name, each.dirent.isDirectory()]).sort(), fg.sync("t/a/*", { stats: true }).map((each) => each.stats.isFile()), fg.escapePath("[a]"), fg.isDynamicPattern("a"), fg.generateTasks(["*.js", "!x"]).length);
