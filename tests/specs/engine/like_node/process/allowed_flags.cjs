// process.allowedNodeEnvironmentFlags: membership tests and set operations.
const flags = process.allowedNodeEnvironmentFlags;
const asked = [
  '--no_deprecation', 'no-deprecation', '--title', '--title=x', '--nope', '-r', 'r', '--expose-gc', '--expose_gc', '--max_old_space_size', '--max-old-space-size=5', '--inspect-brk', '--no-inspect-brk', '--no-title', '--', '', 5, undefined,
  '--require', '--import', '--conditions', '--trace-warnings', '--no-warnings', '--unhandled-rejections', '--eval', '--print', '--test', '--version', '-p', '-e',
];
console.log(asked.map((flag) => `${flag}:${flags.has(flag)}`).join(' '));
console.log(flags.constructor.name, flags instanceof Set, Object.isFrozen(flags), flags === process.allowedNodeEnvironmentFlags, flags.size > 250);
console.log(flags.add('--x') === flags, flags.has('--x'), flags.delete('-r'), flags.has('-r'), flags.clear(), flags.size > 250);
Set.prototype.add.call(flags, 'foo');
const reported = [];
flags.forEach(function (flag, same, set) {
  reported.push(flag === same && set === flags && this === reported);
}, reported);
const lists = [[...flags], [...flags.keys()], [...flags.values()], [...flags.entries()].map(([flag]) => flag)];
console.log(flags.has('foo'), reported.every(Boolean), lists.map((list) => list.includes('foo')));
