// Versions and ranges, valid and invalid: which satisfy which, and their order. The table beside it is the output of this
// program with npm's package in place of RT.semver.
const semver = (globalThis.RT ?? globalThis.Bun).semver;

const VERSIONS = [
  '0.0.0', '0.0.1', '0.1.0', '1.0.0', '1.2.3', '1.2.4', '1.3.0', '2.0.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1',
  '1.2.3-beta', '2.0.0-0', 'v1.2.3', '=1.2.3', ' 1.2.3 ', '1.2.3+build', '10.20.30', '1.2', '1', 'x', '', '1.2.3.4', '01.2.3', '999999999999.1.1',
];
const RANGES = [
  '*', '', 'x', '1', '1.x', '1.2', '1.2.x', '1.2.3', '=1.2.3', '>1.2.3', '>=1.2.3', '<1.2.3', '<=1.2.3', '^1.2.3', '^0.1.0', '^0.0.1', '^1', '^1.x',
  '~1.2.3', '~1.2', '~1', '~0.0.1', '1.2.3 - 2.0.0', '1.2 - 2', '1.0.0 || 2.0.0', '>=1.0.0 <2.0.0', '>=1.0.0-alpha', '>=1.0.0-alpha <1.0.0',
  '^1.0.0-alpha', '~1.0.0-beta.2', '<2.0.0-0', '1.0.0-beta.2', '>1.0.0-beta.2', 'latest', '>x', '^v1.2.3', '>= 1.2.3', '> 1', '< 2', '1.2.3 1.2.4',
  '!1.2.3', '||', '^2 || ^1', '>=1', '<=1', '>1.x', '~>1.2', '1.2.3+build', '^1.2.3-beta', '<1.2', '>1.2', '<=1.2', '>=1.2', '^0', '^0.x', '^0.0', '~0',
  '~x', '^x', '<x', '<=x', '>=x', '=1.x', '=1', '* ', '1.2.3-beta - 1.2.3', 'x - 1', '1 - x', '>1.2.3-alpha <2', '~1.2.3-beta', '^0.0.1-beta', '<1.x',
  '1.2.3 || nope', '~> 1', '^ 1.2', '>=1.2.3-beta <1.2.4', 'v1 - v2', '<0.0.0', '>=0.0.0-0', '01.x', '1.2.3-01', '>=v1', '= v1.2.3', '1.2.3 -2', '1.2.3- 2',
  '1 2', '~1.2.3.4', '^1.2.3+b', '1.2.3-rc.1 - 2',
];

const order = (left, right) => {
  try {
    return semver.order(left, right);
  } catch {
    return 'error';
  }
};
const satisfied = Object.fromEntries(VERSIONS.map((version) => [version, RANGES.map((range) => Number(semver.satisfies(version, range))).join('')]));
const orders = Object.fromEntries(VERSIONS.map((left) => [left, VERSIONS.map((right) => order(left, right)).join()]));
console.log(JSON.stringify({ ranges: RANGES, satisfied, order: orders }, null, 1));
