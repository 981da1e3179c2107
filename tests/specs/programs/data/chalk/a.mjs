import chalk, { Chalk, backgroundColorNames, chalkStderr, colorNames, modifierNames, supportsColor } from 'chalk';
import ora, { oraPromise, spinners } from 'ora';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

log(chalk.level, chalkStderr.level, supportsColor, [colorNames, backgroundColorNames, modifierNames].map((all) => all.length));
log(JSON.stringify([chalk.red('r', 1), chalk.bold.underline.bgBlue(`a ${chalk.green('g')} b`), chalk.hex('#ff8800')('h'), chalk.bgRgb(1, 200, 3)('b'), chalk.ansi256(200)('c'), chalk.dim('two\nlines'), chalk.visible('v'), chalk.red(''), new Chalk({ level: 3 }).hex('#abc').inverse('own')]));
await tried('level', () => new Chalk({ level: 9 }));
const spinner = ora({ text: 'working', color: 'yellow', isEnabled: false }).start(); spinner.text = 'still'; spinner.succeed('done'); ora('w').warn(); ora('i').info('info'); ora({ prefixText: 'p', suffixText: 's', indent: 2 }).fail('failed'); ora({ text: 'q', isSilent: true }).start().stop(); ora().stopAndPersist({ symbol: '*', text: 'kept' });
log(ora('x').isSpinning, spinners.dots.frames.length, typeof ora({ spinner: 'line' }).frame()); await tried('promise', () => oraPromise(Promise.resolve(4), { text: 'later', successText: (n) => `got ${n}` })); await tried('rejects', () => oraPromise(async () => { throw new Error('no'); }, { text: 'bad', failText: 'it failed' })); await tried('spinner', () => ora({ spinner: 'nonsense' }));
