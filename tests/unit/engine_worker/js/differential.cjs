'use strict';
// Runs one suite (suites/NAME.cjs) under Node: each calls rt's library and Node's module with the same generated input. Prints
// one JSON line: { compared, differences: [{ label, info, theirs, ours }] } with the first differences. Usage: node
// --expose-internals differential.cjs NAME SEED ROUNDS

const { load } = require('./load.cjs');
const { host } = require('./host.cjs');

const MOST_SHOWN = 10;
const [name, seedText, roundsText] = process.argv.slice(2);
process.on('warning', () => {});

let state = Number(seedText) || 1;
/** Returns an integer from 0 to n - 1. */
const random = (n) => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % n;
};

let compared = 0;
const differences = [];

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `THROWN ${error?.name} ${error?.code} ${error?.message}`;
  }
};

/** `runTheirs` and `runOurs` return texts; `isKnown(theirs, ours)` accepts a documented difference. */
function compare(label, runTheirs, runOurs, info, isKnown) {
  compared++;
  const theirs = attempt(runTheirs);
  const ours = attempt(runOurs);
  if (theirs !== ours && !isKnown?.(theirs, ours)) differences.push({ label, info, theirs, ours });
}

const alive = setInterval(() => {}, 1000); // timeouts of abort signals do not keep the program running
const suite = require(`./suites/${name}.cjs`);
Promise.resolve(suite({ compare, random, ours: load(host), rounds: Number(roundsText) || 1000 })).then(() => {
  const shown = differences.slice(0, MOST_SHOWN);
  process.stdout.write(`${JSON.stringify({ compared, count: differences.length, differences: shown })}\n`);
  clearInterval(alive);
  process.exit(0);
});
