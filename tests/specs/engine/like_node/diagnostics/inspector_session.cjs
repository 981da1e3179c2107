// inspector.Session: responses, notifications, misuse; promise hooks and the start-up snapshot of node:v8.
const inspector = require('node:inspector'); const v8 = require('node:v8');
const T = (f) => { try { console.log(f()); } catch (e) { console.log(e.name, e.code, e.message); } };
const s = new inspector.Session();
T(() => s.post('Runtime.enable')); s.connect(); T(() => s.connect());
s.post('Runtime.evaluate', { expression: '[1, 2].length + 40', returnByValue: true }, (error, { result }) => console.log(error, result.type, result.value));
s.post('No.such', (error) => console.log(error.code, error.message));
T(() => s.post(5)); T(() => s.post('a', 5)); T(() => s.post('a', {}, 5)); T(() => s.connectToMainThread());
s.on('Debugger.scriptParsed', () => { s.removeAllListeners('Debugger.scriptParsed'); console.log('parsed'); }); s.post('Debugger.enable'); s.post('Debugger.disable');
s.post('Profiler.enable'); s.post('Profiler.start', () => s.post('Profiler.stop', (error, { profile }) => console.log(error, Object.keys(profile).sort().join())));
s.disconnect(); T(() => s.post('Runtime.enable')); console.log(inspector.url());
T(() => v8.startupSnapshot.isBuildingSnapshot()); T(() => v8.startupSnapshot.addSerializeCallback(() => {}));
const seen = []; const stop = v8.promiseHooks.createHook({ init() { seen.push('init'); }, settled() { seen.push('settled'); } }); Promise.resolve(1); stop(); Promise.resolve(2); console.log(seen.join());
const { Session } = require('node:inspector/promises'); const p = new Session(); p.connect();
p.post('Runtime.evaluate', { expression: '6 * 7' }).then(({ result }) => { console.log(result.value); p.disconnect(); });
p.post('x.y').catch((error) => console.log(error.code));
let bytes = 0; v8.getHeapSnapshot().on('data', (d) => { bytes += d.length; }).on('end', () => console.log(bytes > 100000));
console.log(Reflect.ownKeys(inspector).join(), Reflect.ownKeys(require('node:inspector/promises')).join());
