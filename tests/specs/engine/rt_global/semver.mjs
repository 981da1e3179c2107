// RT.semver with valid input; npm_semver.mjs covers invalid input.
import { RT, outcome, show } from './table.mjs';

const VERSIONS = ['0.0.0', '0.0.1', '0.1.0', '1.0.0', '1.2.3', '1.2.4', '1.3.0', '2.0.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', 'v1.2.3', '1.2.3-beta', '2.0.0-0', '1.2.3+build', '10.20.30'];
const RANGES = [
  '*', '', 'x', '1', '1.x', '1.2', '1.2.x', '1.2.3', '=1.2.3', '>1.2.3', '>=1.2.3', '<1.2.3', '<=1.2.3', '^1.2.3', '^0.1.0', '^0.0.1', '^1', '^1.x', '~1.2.3', '~1.2', '~1', '~0.0.1', '1.2.3 - 2.0.0', '1.2 - 2',
  '1.0.0 || 2.0.0', '>=1.0.0 <2.0.0', '>=1.0.0-alpha', '>=1.0.0-alpha <1.0.0', '^1.0.0-alpha', '~1.0.0-beta.2', '1.0.0-beta.2', '>1.0.0-beta.2', '^v1.2.3', '>= 1.2.3', '> 1', '< 2', '||', '^2 || ^1', '>=1', '<=1', '>1.x', '~>1.2',
  '1.2.3+build', '^1.2.3-beta',
];
const rows = VERSIONS.map((version) => [version, RANGES.map((range) => outcome(() => RT.semver.satisfies(version, range)))]);
for (const left of VERSIONS) rows.push([`order ${left}`, VERSIONS.map((right) => outcome(() => RT.semver.order(left, right)))]);
for (const text of ['x', '', '1.2.3.4.5']) rows.push([`no version ${text}`, outcome(() => RT.semver.satisfies(text, '*'))]);
show(rows);
