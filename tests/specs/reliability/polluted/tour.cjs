'use strict';
// tour.cjs HOW: prints the labels of all replacements that targets.cjs lists, one a line.
// tour.cjs HOW GROUPS [stacks]: makes the replacements of one group after the other (GROUPS is a JSON list of lists of
// indices), and runs all stops each time. Each line of its output is one group: its position, and the stops that failed, with
// the reason and with `stacks` where. The process ended, or no stop completed, at a line that is not finished.

const { writeSync } = require('fs');
const stops = require('./stops.cjs');
const { targets, names, pollute } = require('./targets.cjs');

const { 2: how, 3: listed, 4: wantsStacks } = process.argv;
const list = how === 'named' ? names() : targets();
const groups = JSON.parse(listed ?? '[]');
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
    if (wantsStacks !== undefined) why += `\n${error.stack}`;
  } catch {}
  failed += `\t${stop}: ${why}`;
};

/** Runs all stops, one after the other; returns the failures. */
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

/** Makes all replacements of `group`; returns a function that restores everything. */
function polluteAll(group) {
  const kept = { __proto__: null };
  for (let at = 0; at < group.length; at++) kept[at] = pollute(list[group[at]], how === 'named' ? 'throws' : how);
  return () => {
    for (let at = 0; at < group.length; at++) kept[at]();
  };
}

const hung = () => writeSync(1, `\t${current}: never came back`);

async function main() {
  process.on('exit', hung); // nothing is pending any more
  process.on('uncaughtException', (error) => note(`${current} (uncaught)`, error));
  process.on('unhandledRejection', (error) => note(`${current} (rejected)`, error));
  await tour(); // loads everything
  const first = await tour();
  writeSync(1, `-\tnothing${first}\n`);
  for (let index = 0; index < groups.length; index++) {
    const timer = startTimer(() => {
      hung();
      process.reallyExit(9);
    }, HUNG_MS);
    timer.unref();
    writeSync(1, `${index}`);
    const restore = polluteAll(groups[index]);
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

if (listed === undefined) for (const { label } of list) console.log(label);
else main();
