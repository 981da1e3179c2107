'use strict';
// tour.cjs HOW FROM STEP [LABEL]: makes the replacements listed by targets.cjs one at a time (every STEP-th from FROM on; those
// that contain LABEL), and runs all stops each time. Each line of its output is one replacement: its number, its name, and the
// stops that failed, with the reason. The process ended, or no stop completed, at a line that is not finished.

const { writeSync } = require('fs');
const stops = require('./stops.cjs');
const { targets, names, pollute } = require('./targets.cjs');

const { 2: how, 3: from, 4: step, 5: label } = process.argv;
const list = how === 'named' ? names() : targets();
const stopNames = Object.keys(stops);
const startTimer = setTimeout;
const { stringify: quote } = JSON;
const HUNG_MS = 30_000; // reached only if something never completes
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

/** Runs all stops, one after the other; calls `then` with the failures. */
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
  await tour(); // loads everything
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
    if (bad !== '') await tour(); // clean-up of the interrupted tour
    clearTimeout(timer);
    writeSync(1, `${bad}\n`);
  }
  process.reallyExit(0);
}
main();
