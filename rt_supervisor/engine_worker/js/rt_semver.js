'use strict';
// Owns: RT.semver: ranges and order of versions as npm has them.

const native = host.native;

const semver = {
  satisfies(version, range) { return native.rt_satisfies(`${version}`, `${range}`); },
  order(left, right) {
    const order = native.rt_compareVersions(`${left}`, `${right}`);
    if (order !== undefined) return order;
    const culprit = native.rt_compareVersions(`${left}`, '0.0.0') === undefined ? left : right;
    throw new Error(`Invalid SemVer: ${culprit}`);
  },
};

module.exports = { semver };
