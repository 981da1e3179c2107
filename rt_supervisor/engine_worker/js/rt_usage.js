'use strict';
// Owns: what a child used, as RT.spawn and RT.spawnSync tell it.

const plain = (values) => Object.assign({ __proto__: null }, values);

class ResourceUsage {
  /** `used`: the numbers of `usage_of` in ops/children.py. */
  constructor([user, system, maxRSS, shared, swaps, reads, writes, sent, received, signals, voluntary, involuntary]) {
    this.contextSwitches = plain({ voluntary, involuntary });
    this.cpuTime = plain({ user: BigInt(user), system: BigInt(system), total: BigInt(user + system) });
    this.maxRSS = maxRSS * 1024;
    this.messages = plain({ sent, received });
    this.ops = plain({ in: reads, out: writes });
    this.shmSize = shared;
    this.signalCount = signals;
    this.swapCount = swaps;
  }
}

module.exports = { ResourceUsage };
