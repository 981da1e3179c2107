// RT.$: interpolation, results, errors, settings, redirections to and from bytes and files.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { RT, later, outcome, show } from './table.mjs';

const { $ } = RT;
const folder = mkdtempSync('/tmp/rt-shell-');
process.chdir(folder);
const rows = [];
const row = async (label, work) => rows.push([label, await later(work)]);
const text = (promise) => promise.text();

await row('escape', () => ['a b', "it's", 'a"b$c`d\\e', 'plain', '', '*', 'é', 'a1', 'a=b', '~a', 'a!%^:@+', '\n'].map((word) => $.escape(word)));
await row('braces', () => ['echo {a,b}', '{1,2}{x,y}', 'plain', '{a,{b,c}}'].map((word) => $.braces(word)));
await row('words', () => text($`echo ${'a b'} ${['x', 'y z']} ${'$HOME'} ${'`id`'} ${1} ${true} ${null} ${'it\'s'} ${'"q"'} ${'*'} ${'~'} ${''}`));
await row('arrays in arrays', () => text($`printf '<%s>' ${['a', ['b c', ['d', []]], '$e']} ${[[]]} z`));
await row('inside quotes', () => text($`echo "double ${'$x "y"'}" 'and ${'single'}' pre${'a b'}post`));
await row('raw', () => text($`echo ${{ raw: 'a   b' }} c`));
await row('harm', () => text($`echo ${'; rm -rf /'} ${'$(echo bad)'} ${'a\nb'} ${'| cat'} ${'> file'}`));
const output = await $`echo out; nosuch-zz || true`.quiet();
await row('output', () => [Object.keys(output), output.exitCode, output.stdout.toString(), output.text(), output.constructor.name, output.bytes().length, output.arrayBuffer().byteLength]);
await row('json', async () => [await $`echo '{"a":[1]}'`.json(), await later(() => $`echo no`.json())]);
await row('lines', async () => {
  const lines = [];
  for await (const line of $`printf 'a\nb\n'`.lines()) lines.push(line);
  return lines;
});
await row('blob', async () => { const blob = await $`echo x`.blob(); return [blob.size, await blob.text()]; });
await row('bytes', async () => [(await $`echo x`.bytes()).length, (await $`echo x`.arrayBuffer()).byteLength]);
await row('error', async () => {
  try {
    await $`echo some; exit 3`.quiet();
  } catch (error) {
    return [error.name, error.message, error.exitCode, error.stdout.toString(), error.text(), error instanceof $.ShellError, error instanceof Error, Object.keys(error), Object.keys(error.info), error.info.exitCode, error.info.stdout.toString()];
  }
});
await row('nothrow', async () => [(await $`exit 4`.nothrow().quiet()).exitCode, (await $`exit 5`.throws(false).quiet()).exitCode, await later(() => $`exit 6`.nothrow().throws(true).quiet())]);
await row('cwd', () => text($`pwd`.cwd('/')));
await row('env', () => text($`echo $FOO`.env({ FOO: 'bar baz' })));
await row('to bytes', async () => { const bytes = Buffer.alloc(8); await $`echo hello > ${bytes}`.quiet(); return bytes.toString(); });
await row('to bytes that are full', async () => { const bytes = Buffer.alloc(6); const { exitCode } = await $`yes > ${bytes}`.nothrow().quiet(); return [bytes.toString(), exitCode > 0]; });
await row('after a dollar', () => text($`echo $${'a\\nb'} a$${'$HOME'} "$${'x'}"`));
await row('words of the program', async () => [(await text($`echo $0 $1 $2`)).replaceAll(process.argv[0], '<program>').replaceAll(process.argv[1], '<file>'), (await text($`echo $${{ raw: 1 }}`)) === `${process.argv[1]}\n`]);
await row('its own name without PATH', async () => [await text($`bun -e "console.log(process.argv.length)"`.env({ PATH: '/nowhere' })), (await $`nosuch-zz`.env({ PATH: '/nowhere' }).nothrow().quiet()).exitCode]);
await row('from bytes', async () => [await text($`cat < ${Buffer.from('input')}`), await text($`cat < ${new Blob(['blob'])}`)]);
await row('files', async () => { await $`echo file > ${RT.file('f.txt')}`; return [await RT.file('f.txt').text(), await text($`cat < ${RT.file('f.txt')}`)]; });
await row('functions', () => [Object.keys($), $.length, typeof $.Shell, $`true`.constructor.name, $`true` instanceof Promise]);
await row('settings', async () => {
  const shell = new $.Shell();
  shell.nothrow();
  return [(await shell`exit 7`.quiet()).exitCode, await later(() => $`exit 7`.quiet())];
});
await row('pipes', () => text($`echo a b | tr a-z A-Z | cat && echo done`));
await row('started late', async () => { const waiting = $`touch started`; await RT.sleep(5); const before = existsSync('started'); await waiting; return [before, existsSync('started')]; });
const syntax = ['echo )', 'echo $(', '(echo', 'if true; then echo', '&& echo', 'echo a &&', 'echo a |', 'echo a &', 'echo (a)', 'echo >'];
const message = async (work) => { try { return (await work()).stdout.toString(); } catch (error) { return error.message; } };
await row('syntax errors', () => Promise.all(syntax.map((raw) => message(async () => await $`${{ raw }}`.nothrow().quiet()))));
const nested = (depth) => (depth === 0 ? 'x' : [nested(depth - 1)]);
await row('deep arrays', async () => [await text($`echo ${nested(100)}`), await message(async () => await $`echo ${nested(101)}`)]);
await row('values', () => Promise.all(['a\0b', '\ud800'].map((value) => message(async () => await $`echo ${value}`.quiet()))));
await row('code of a value', () => later(async () => await $`echo ${'\0'}`));
await row('to a Blob', () => Promise.all([new Blob(['a']), new Response('a')].map((value) => message(async () => await $`echo hi > ${value}`.quiet()))));
await row('without folder', () => message(async () => await $`echo`.cwd('/no/such/folder').quiet()));
await row('ambiguous', async () => (await $`echo hi > {a,b}.txt`.nothrow().quiet()).stderr.toString().replace(/^\w+: /, ''));
await row('untagged', () => message(async () => $('echo')));
await row('report', async () => { try { await $`echo some; exit 3`.quiet(); } catch (error) { return RT.inspect(error).includes('stdout: "some\\n"'); } });
rows.push(['refused', [outcome(() => $`echo ${{}}`), outcome(() => $('echo')), outcome(() => $.Shell())]]);

process.chdir('/');
rmSync(folder, { recursive: true });
show(rows);
