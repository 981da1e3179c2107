import { Argument, Command, InvalidArgumentError, Option } from 'commander';

const log = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const number = (text) => { if (isNaN(text)) throw new InvalidArgumentError('Not a number.'); return Number(text); };
const program = new Command('tool').description('A tool').version('1.2.3', '-V, --version', 'its version').option('-q, --quiet').showSuggestionAfterError().addHelpText('after', '\nAfter.').hook('preAction', (self, action) => log(`before ${action.name()}`));
program.command('build').alias('b').summary('short').description('Builds.').argument('<first>', 'the first').argument('[rest...]', 'the rest').option('-v, --verbose', 'more', (_, sum) => sum + 1, 0).addOption(new Option('-p, --port <n>', 'port').env('PORT').argParser(number)).option('--list <items...>').addOption(new Option('--colour <name>').choices(['red', 'blue']).default('red')).option('--no-cache', 'no cache').option('-o, --opt [value]', 'perhaps', 'preset').action((first, rest, options, command) => log({ first, rest, options, all: command.optsWithGlobals(), source: command.getOptionValueSource('port') }));
const sub = program.command('sub').description('group'); sub.command('deep').addArgument(new Argument('[x]').default('dflt')).option('-n').action(async (x, options) => { await null; log({ x, options }); });
program.command('fails', { hidden: true }).action((options, command) => command.error('it fails', { exitCode: 7, code: 'mine' }));
await program.parseAsync();
