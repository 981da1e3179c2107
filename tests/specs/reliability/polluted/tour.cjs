'use strict';
// tour.cjs HOW FROM STEP [LABEL]: replaces one after another what targets.cjs lists (every STEP-th from FROM on; those that hold LABEL), and
// runs all stops each time. Each line of its output is one replacement: its number, its name, and the stops that failed, with why.
// A line without an end is one at which the process ended, or no stop came back.

const { writeSync } = require('fs');
const stops = require('./stops.cjs');
const { targets, names, pollute } = require('./targets.cjs');

const { 2: how, 3: from, 4: step, 5: label } = process.argv;
const list = how === 'named' ? names() : targets();
const stopNames = Object.keys(stops);
const startTimer = setTimeout;
const { stringify: quote } = JSON;
const HUNG_MS = 30_000; // only where something never comes back
let current = '';
let failed = '';
const note = (stop, error) => {
  let why = '';
  try {
    why = quote(`${error.message ?? error}`); // on one line
    if (label !== undefined) why += `\n${error.stack}`;
  } catch {}
  failed += `\t${stop}: ${why}`;
};

/** All stops, one after the other; `then` with what failed. */
async function tour() {
  failed = '';
  for (let index = 0; index < stopNames.length; index++) {
    current = stopNames[index];
    try {
      await stops[current]();
    } catch (error) {
      note(current, error);
    }
  }
  return failed;
}

const hung = () => writeSync(1, `\t${current}: never came back`);
process.on('exit', hung); // nothing is pending any more
process.on('uncaughtException', (error) => note(`${current} (uncaught)`, error));
process.on('unhandledRejection', (error) => note(`${current} (rejected)`, error));

async function main() {
  await tour(); // everything is loaded
  const first = await tour();
  writeSync(1, `-\tnothing${first}\n`);
  for (let index = Number(from); index < list.length; index += Number(step)) {
    const target = list[index];
    if (label !== undefined && target.label !== label) continue;
    const timer = startTimer(() => {
      hung();
      process.reallyExit(9);
    }, HUNG_MS);
    timer.unref();
    writeSync(1, `${index}\t${target.label}`);
    const restore = pollute(target, how === 'named' ? 'throws' : how);
    let bad = '';
    try {
      bad = await tour();
    } finally {
      restore();
    }
    if (bad !== '') await tour(); // what is left of it ends here
    clearTimeout(timer);
    writeSync(1, `${bad}\n`);
  }
  process.reallyExit(0);
}
main();
