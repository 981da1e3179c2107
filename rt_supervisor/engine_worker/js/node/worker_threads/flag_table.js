'use strict';
// Made by `scripts/flag-docs` from `rt_supervisor/cli/line/flags.py`; change the table, not this file.

// Flags of a worker's own -> where their values go (options or start values), under which name, and of what kind.
const OWN = {
  __proto__: null,
  'no-deprecation': ['start', 'noDeprecation', 'boolean'],
  'throw-deprecation': ['start', 'throwDeprecation', 'boolean'],
  'unhandled-rejections': ['start', 'rejectionMode', 'text'],
  preload: ['options', 'preloads', 'list'],
  require: ['options', 'preloads', 'list'],
  import: ['options', 'preloads', 'list'],
  conditions: ['options', 'conditions', 'list'],
  'preserve-symlinks': ['options', 'preserve_symlinks', 'boolean'],
  'no-warnings': ['start', 'noWarnings', 'boolean'],
  'disable-warning': ['start', 'disableWarning', 'list'],
  'trace-warnings': ['start', 'traceWarnings', 'boolean'],
  'trace-deprecation': ['start', 'traceDeprecation', 'boolean'],
};
// Flags that belong to the process.
const REFUSED = [
  'identity',
  'expose-gc',
  'title',
  'zero-fill-buffers',
  'max-old-space-size',
  'max-old-space-size-percentage',
  'stack-trace-limit',
  'disable-proto',
  'disallow-code-generation-from-strings',
];
// Flags of Node that take the next word as their value.
const NEED_VALUES = [
  'identity',
  'title',
  'unhandled-rejections',
  'preload',
  'require',
  'import',
  'conditions',
  'loader',
  'max-http-header-size',
  'dns-result-order',
  'max-old-space-size-percentage',
  'heapsnapshot-near-heap-limit',
  'snapshot-blob',
  'stack-trace-limit',
  'disable-warning',
  'redirect-warnings',
  'disable-proto',
  'inspect-port',
  'inspect-publish-uid',
  'debug-port',
  'cpu-prof-dir',
  'cpu-prof-name',
  'cpu-prof-interval',
  'heap-prof-dir',
  'heap-prof-name',
  'heap-prof-interval',
  'experimental-loader',
  'network-family-autoselection-attempt-timeout',
  'tls-cipher-list',
  'tls-keylog',
];

module.exports = { OWN, REFUSED, NEED_VALUES };
