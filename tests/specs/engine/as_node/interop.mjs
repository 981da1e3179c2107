// CommonJS that ES modules import: the names that its text shows, when it runs, and what it exports then.
import './interop/order.mjs';
import * as babel from './interop/babel.cjs';
import * as compiled from './interop/compiled.cjs';
import * as names from './interop/names.cjs';
import * as twice from './interop/twice.cjs';
import './interop/replaces.cjs';
import replaced from './interop/replaced.cjs';
import { log } from './interop/log.cjs';

const shown = (namespace) => Object.keys(namespace).map((name) => `${name}: ${typeof namespace[name] === 'object' ? 'object' : String(namespace[name])}`);
const failure = (promise) => promise.then(() => 'loaded', (error) => `${error.name} ${error.code}: ${error.message}`);

console.log(log.join(' '));
console.log(shown(names), shown(compiled), shown(babel), shown(twice));
console.log(replaced, (await import('./interop/compiled.cjs')).default.__esModule);
console.log(await failure(import('./interop/wants_computed.mjs')));
console.log(await failure(import('./interop/throws.cjs')), await failure(import('./interop/throws.cjs')));
console.log(await failure(import('./interop/wrong.cjs')));
console.log(await failure(import('./interop/missing_reexport.cjs')));

// An import of CommonJS continues before the next tick.
let hasTicked = false;
process.nextTick(() => (hasTicked = true));
await import('./interop/late.cjs');
console.log('ticked', hasTicked);

console.log(await failure(import.source('./interop/throws.cjs')).then((text) => text.replace(/file:\S*\//, '')));
console.log(await failure(import('./interop/sources.mjs')).then((text) => text.replace(/file:\S*\//, '')));
