#!/usr/bin/env zx
const say = (...all) => console.log(...all.map((each) => (each && typeof each === 'object' ? JSON.stringify(each) : String(each))));
const name = "it's; a 'name'";
const out = await $`echo ${name}`; say(out.stdout.trim(), out.exitCode);
say((await $`printf '%s\n' ${["a b", "c"]}`.pipe($`sort -r`)).lines(), (await $({ nothrow: true })`exit 5`).exitCode);
try { await $`echo bad >&2; exit 7` } catch (error) { say(error.exitCode, error.stderr.trim()) }
await within(async () => { $.cwd = "/"; say((await $`pwd`).text().trim()) });
cd("/tmp"); say(process.cwd() === fs.realpathSync("/tmp"), argv._.slice(-1), argv.flag, chalk.level, path.join("a", "b"), os.EOL.length, typeof fetch, which.sync("sh").endsWith("sh"));
$.verbose = true; await $`echo told`; say((await Promise.all([$`echo 1`, $`echo 2`])).map(String), await retry(3, () => "done"), YAML.parse("a: 1"), minimist(["-x", "1"]).x);
say(await $`sleep 100`.timeout(50).catch((error) => error.signal), (await glob("nothere*")).length);
process.exitCode = 3;
