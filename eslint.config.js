'use strict';
// What the linter asks of rt's own JavaScript. `scripts/check` reads, `scripts/lint` mends; `.prettierrc.json` has the layout.

const savedPrimordials = require('./scripts/eslint-rules/saved-primordials');

const LIBRARY = 'rt_supervisor/engine_worker/js/';
const PAGE = 'rt_supervisor/engine_worker/debugger_page/';
const readonly = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));
const OF_THE_WEB = readonly(
  `AbortController AbortSignal Blob Buffer CompressionStream CustomEvent DOMException DecompressionStream Event EventTarget File
  FormData Headers MessageChannel MessagePort ReadableStream Request Response TextDecoder TextEncoder TransformStream URL
  URLSearchParams WebAssembly WebSocket Worker WritableStream atob btoa clearImmediate clearInterval clearTimeout console crypto fetch
  globalThis navigator performance process queueMicrotask setImmediate setInterval setTimeout structuredClone`.split(/\s+/),
);

// The debugger's page runs in a browser.
const OF_BROWSERS = readonly(
  `Blob CSSStyleSheet Element HTMLElement HTMLInputElement ResizeObserver TextDecoder URL WebSocket atob devicePixelRatio document
  fetch getComputedStyle history innerHeight innerWidth localStorage location matchMedia navigator performance
  clearTimeout requestAnimationFrame setTimeout`.split(/\s+/),
);

// What a program may have put something else in place of, or nothing: the library requires the file that makes it.
const OTHERS_GLOBALS = Object.keys(OF_THE_WEB).map((property) => ({
  object: 'globalThis',
  property,
  message: 'Programs replace it: require the file of the library that makes it; of `process` and `console`, internal/parts.',
}));

const RULES = {
  'no-undef': 'error',
  // Parameters count for a function's `length`, which programs see.
  'no-unused-vars': ['error', { args: 'none', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true }],
  'eqeqeq': ['error', 'always', { null: 'ignore' }],
  'prefer-const': ['error', { destructuring: 'all', ignoreReadBeforeAssign: true }],
  'no-var': 'error',
  'array-callback-return': 'error',
  'constructor-super': 'error',
  'for-direction': 'error',
  'getter-return': 'error',
  'no-class-assign': 'error',
  'no-compare-neg-zero': 'error',
  'no-cond-assign': ['error', 'except-parens'],
  'no-const-assign': 'error',
  'no-constant-binary-expression': 'error',
  'no-constant-condition': ['error', { checkLoops: 'allExceptWhileTrue' }],
  'no-debugger': 'error',
  'no-dupe-args': 'error',
  'no-dupe-class-members': 'error',
  'no-dupe-else-if': 'error',
  'no-dupe-keys': 'error',
  'no-duplicate-case': 'error',
  'no-ex-assign': 'error',
  'no-fallthrough': 'error',
  'no-func-assign': 'error',
  'no-import-assign': 'error',
  'no-loss-of-precision': 'error',
  'no-obj-calls': 'error',
  'no-self-assign': 'error',
  'no-setter-return': 'error',
  'no-shadow-restricted-names': ['error', { reportGlobalThis: false }],
  'no-sparse-arrays': 'error',
  'no-this-before-super': 'error',
  'no-undef-init': 'error',
  'no-unreachable': 'error',
  'no-unreachable-loop': ['error', { ignore: ['ForOfStatement'] }], // the first of an iterator
  'no-unsafe-finally': 'error',
  'no-unsafe-negation': 'error',
  'no-unsafe-optional-chaining': 'error',
  'no-unused-private-class-members': 'error',
  'no-useless-assignment': 'error',
  'no-useless-backreference': 'error',
  'no-useless-catch': 'error',
  'no-with': 'error',
  'require-yield': 'error',
  'use-isnan': 'error',
  'valid-typeof': ['error', { requireStringLiterals: true }],
};

// V8 allocates a function that is written as the value of an assigned property (`object.method = () => ...`) in the old
// generation: it is expected to live long. Until the next full collection, such a function keeps everything that its closure
// refers to, so where it is created for each request or stream, minor collections copy what they should free.
const SHORT_LIVED_FUNCTIONS = {
  selector:
    ':function AssignmentExpression[left.type="MemberExpression"][left.object.property.name!="prototype"] > ' +
    ':matches(ArrowFunctionExpression, FunctionExpression).right',
  message: 'V8 allocates this function in the old generation: assign it to a constant first.',
};
const PER_REQUEST = ['internal', 'node/fetch', 'node/http', 'node/http2', 'node/net', 'node/stream', 'rt/serve', 'web/streams'];

module.exports = [
  { ignores: ['fixtures/', 'tests/specs/', 'native/src/transform/', `${PAGE}vendor/`, '**/target/', '.venv/'] },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { rt: { rules: { 'saved-primordials': savedPrimordials } } },
  },
  {
    files: [`${LIBRARY}**/*.js`],
    languageOptions: { sourceType: 'commonjs', ecmaVersion: 'latest', globals: readonly(['globalThis', 'host', 'WebAssembly']) },
    rules: { ...RULES, 'no-restricted-properties': ['error', ...OTHERS_GLOBALS], 'rt/saved-primordials': 'error' },
  },
  {
    files: PER_REQUEST.map((folder) => `${LIBRARY}${folder}/**/*.js`),
    rules: { 'no-restricted-syntax': ['error', SHORT_LIVED_FUNCTIONS] },
  },
  {
    files: ['eslint.config.js', 'scripts/**/*.{js,mjs}', 'tests/unit/**/*.{cjs,mjs}', 'benchmarks/**/*.{js,mjs}'],
    languageOptions: {
      ecmaVersion: 'latest',
      globals: { ...OF_THE_WEB, ...readonly(['require', 'module', 'exports', '__dirname', '__filename']) },
    },
    rules: RULES,
  },
  {
    files: [`${PAGE}**/*.js`],
    languageOptions: { sourceType: 'module', ecmaVersion: 'latest', globals: OF_BROWSERS },
    rules: RULES,
  },
  // What is printed there is what looseness and holes do.
  { files: ['tests/unit/engine_worker/js/suites/**'], rules: { 'eqeqeq': 'off', 'no-sparse-arrays': 'off' } },
];
