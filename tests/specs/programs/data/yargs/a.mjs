import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';

const log = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
await yargs(hideBin(process.argv)).scriptName('tool').usage('$0 <command>').locale('en').version('3.2.1').wrap(90).strict().recommendCommands().completion()
  .command(['serve <port>', 's'], 'serves', (y) => y.positional('port', { type: 'number', describe: 'where' }).option('host', { array: true, alias: 'h' }).option('verbose', { alias: 'v', count: true }).option('open', { boolean: true, default: true }).option('mode', { choices: ['a', 'b'], group: 'Modes:' }).option('deep', {}).coerce('host', (all) => all?.map((one) => one.toUpperCase())).check(({ port }) => port > 0 || 'the port is no number').example('$0 serve 80', 'on 80'), ({ $0, ...rest }) => log(rest))
  .command('add [n..]', 'adds', {}, async ({ n }) => log(n.reduce((a, b) => a + b)))
  .middleware((argv) => { argv.seen = true; }).demandCommand(1, 'a command, please').epilogue('The end.')
  .fail((message, error, y) => { process.stdout.write(`failed: ${message ?? error.message}\n`); process.exitCode = 3; }).exitProcess(false).parseAsync();
