// @ts-check
'use strict';
// Owns: the resource usage of a child, as RT.spawn and RT.spawnSync report it.

const { ObjectAssign } = require('internal/primordials');

const plain = (values) => ObjectAssign({ __proto__: null }, values);

class ResourceUsage {
  /** `used`: the numbers of `usage_to_js` in native/src/children/started.rs. */
  constructor({
    0: user,
    1: system,
    2: maxRSS,
    3: shared,
    4: swaps,
    5: reads,
    6: writes,
    7: sent,
    8: received,
    9: signals,
    10: voluntary,
    11: involuntary,
  }) {
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
