'use strict';
// Owns: `.type EXPR`: the type of an expression according to the project's TypeScript, after the inputs of the session.
// The compiler writes the declarations of a temporary file beside the project's own; nothing is evaluated.

const runtimeParts = require('internal/parts');
const {
  ArrayFilter,
  ArrayJoin,
  ArrayMap,
  JSONStringify,
  RegExpExec,
  RegExpReplace,
  StringSplit,
  StringStartsWith,
} = require('internal/primordials');
const { write } = require('rt/repl/printing');

const RESULT = '__rt_type';
const DECLARED = /__rt_type(?:: | = )([^]*?);\s*(?:export |$)/;
const PROBLEM = /^(.*)\((\d+),\d+\): error \w+: ([^]*)$/;
const ABSENT =
  'TypeScript is not installed in this project; `npm install --save-dev typescript` adds it, and `.type` works from then on\n';

/** The path of the project's compiler, or undefined. */
function compiler() {
  const { join, dirname } = require('node/path/path');
  try {
    const { require: own } = globalThis;
    return join(dirname(own.resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    return undefined;
  }
}

/** Returns the configuration for one file; otherwise the project's configuration applies. */
function configOf(folder, file, output) {
  const { join } = require('node/path/path');
  const base = join(folder, 'tsconfig.json');
  return JSONStringify({
    ...(require('node/fs/fs').existsSync(base) ? { extends: base } : {}),
    files: [file],
    include: [],
    compilerOptions: {
      declaration: true,
      emitDeclarationOnly: true,
      noEmit: false,
      noEmitOnError: false,
      composite: false,
      incremental: false,
      isolatedDeclarations: false,
      noErrorTruncation: true,
      skipLibCheck: true,
      strict: true,
      rootDir: folder,
      outDir: output,
      declarationDir: output,
      jsx: 'preserve',
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
      moduleDetection: 'force',
      typeRoots: [join(folder, 'node_modules', '@types')],
    },
  });
}

/**
 * Returns the answer from the compiler's messages and the declarations that it wrote; `firstLine` is where the
 * expression begins.
 */
function answerOf(messages, declarations, firstLine) {
  const problems = ArrayMap(StringSplit(messages, '\n'), (line) => RegExpExec(PROBLEM, line));
  const own = ArrayFilter(problems, (match) => match !== null && Number(match[2]) >= firstLine);
  if (own.length > 0)
    return ArrayJoin(
      ArrayMap(own, (match) => `error: ${match[3]}\n`),
      '',
    );
  const declared = declarations === undefined ? null : RegExpExec(DECLARED, declarations);
  return declared === null ? `error: the compiler gave no type\n${messages}` : `${declared[1]}\n`;
}

function printType(session, expression, done) {
  const tsc = expression === '' ? undefined : compiler();
  if (tsc === undefined) {
    write(expression === '' ? 'Usage: .type <expression>\n' : ABSENT);
    done();
    return;
  }
  const fs = require('node/fs/fs');
  const { join } = require('node/path/path');
  const { process } = runtimeParts.process;
  const folder = host.cwd();
  const name = `.rt-repl-${process.pid}`;
  const file = join(folder, `${name}.tsx`);
  const start = ArrayJoin(session.lines, '\n');
  let output;
  const finish = (text) => {
    fs.rmSync(file, { force: true });
    if (output !== undefined) fs.rmSync(output, { recursive: true, force: true });
    write(text);
    done();
  };
  try {
    output = fs.mkdtempSync(join(require('node/os').tmpdir(), 'rt-repl-'));
    fs.writeFileSync(file, `${start}\nexport const ${RESULT} = (\n${RegExpReplace(/;\s*$/, expression, '')}\n);\n`);
    fs.writeFileSync(join(output, 'tsconfig.json'), configOf(folder, file, output));
  } catch (error) {
    finish(`error: .type needs a file in this folder: ${error.message}\n`);
    return;
  }
  const { execFile } = require('node/child_process/child_process');
  execFile(process.execPath, [tsc, '-p', output, '--pretty', 'false'], (error, messages) => {
    let declarations;
    try {
      declarations = fs.readFileSync(join(output, `${name}.d.ts`), 'utf8');
    } catch {
      // the messages contain the reason
    }
    const firstLine = StringSplit(start, '\n').length + 1;
    finish(StringStartsWith(messages, 'error') ? messages : answerOf(messages, declarations, firstLine));
  });
}

module.exports = { printType };
