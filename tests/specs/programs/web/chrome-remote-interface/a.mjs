import { spawn } from 'node:child_process';
import { once } from 'node:events';
import CDP from 'chrome-remote-interface';

const target = spawn(process.execPath, ['--inspect-brk=0', 'target.cjs']);
const ended = once(target, 'exit');
let said = '';
target.stderr.setEncoding('utf8');
const port = await new Promise((resolve) => {
  target.stderr.on('data', (text) => {
    said += text;
    const found = /(?:listening on |Listening:\n {2})ws:\/\/127\.0\.0\.1:(\d+)\/\S+\n/.exec(said);
    if (found) resolve(Number(found[1]));
  });
});
const [found, ...others] = await CDP.List({ port });
console.log(found.type, found.title, found.url.endsWith('/target.cjs'), others.length);
console.log((await CDP.Version({ port }))['Protocol-Version']);

const client = await CDP({ port });
const { Debugger, Runtime, Profiler } = client;
const scripts = new Map();
Debugger.scriptParsed(({ scriptId, url }) => scripts.set(scriptId, url.split('/').at(-1)));
const shown = ({ reason, callFrames: [{ functionName, location }] }) =>
  `${reason} ${functionName} ${scripts.get(location.scriptId)}:${location.lineNumber + 1}`;
await Promise.all([Runtime.enable(), Debugger.enable(), Profiler.enable()]);
let paused = Debugger.paused();
await Runtime.runIfWaitingForDebugger();
console.log(shown(await paused));

const { breakpointId, locations } = await Debugger.setBreakpointByUrl({ lineNumber: 2, urlRegex: 'target\\.cjs$' });
console.log(locations.length);
paused = Debugger.paused();
await Debugger.resume();
const event = await paused;
console.log(shown(event), event.hitBreakpoints[0] === breakpointId);
const { callFrameId, scopeChain } = event.callFrames[0];
const { result } = await Debugger.evaluateOnCallFrame({ callFrameId, expression: 'sum * 100' });
console.log(result.type, result.value);
const { result: names } = await Runtime.getProperties({ objectId: scopeChain[0].object.objectId });
console.log(names.map(({ name, value }) => `${name}=${value.value}`).join(' '));
await Debugger.setVariableValue({ scopeNumber: 0, variableName: 'a', newValue: { value: 7 }, callFrameId });
try {
  await Debugger.stepInto({ breakOnAsyncCall: 1 });
} catch (error) {
  console.log(error.name, error.response?.code);
}
await Debugger.removeBreakpoint({ breakpointId });
const called = Runtime.consoleAPICalled();
const destroyed = Runtime.executionContextDestroyed();
const thrown = Runtime.exceptionThrown();
await Debugger.resume();
const { type, args } = await called;
console.log(type, args.map(({ value, className }) => value ?? className).join(' '));
const { exceptionDetails } = await thrown;
console.log(exceptionDetails.exception.className, exceptionDetails.stackTrace.callFrames[0].lineNumber);
await destroyed;
await client.close();
const [status] = await ended;
console.log(status, said.includes('Waiting for the debugger to disconnect...'));
