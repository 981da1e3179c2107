'use strict';
// Owns: the `lcov` reporter: coverage in the format of `genhtml`, Coveralls and others. It prints nothing for a run without
// coverage.

const Transform = require('node/stream/transform').Transform;
const { ArrayMap, ArraySort, ArrayJoin } = require('internal/primordials');

function recordOf({ path, functions, branches, lines, ...counts }, folder) {
  const { relative } = require('node/path/path');
  const byLine = (list) =>
    ArraySort(
      ArrayMap(list, (each) => each),
      (one, other) => one.line - other.line,
    );
  const out = [`SF:${relative(folder, path)}`];
  const put = (text) => {
    out[out.length] = text;
  };
  const entries = ArrayMap(byLine(functions), ({ line, count, name }, index) => ({
    line,
    count,
    name: name || `anonymous_${index}`,
  }));
  ArrayMap(entries, ({ line, name }) => put(`FN:${line},${name}`));
  ArrayMap(entries, ({ count, name }) => put(`FNDA:${count},${name}`));
  put(`FNF:${counts.totalFunctionCount}`);
  put(`FNH:${counts.coveredFunctionCount}`);
  ArrayMap(branches, ({ line, count }, index) => put(`BRDA:${line},${index},0,${count}`));
  put(`BRF:${counts.totalBranchCount}`);
  put(`BRH:${counts.coveredBranchCount}`);
  ArrayMap(byLine(lines), ({ line, count }) => put(`DA:${line},${count}`));
  put(`LH:${counts.coveredLineCount}`);
  put(`LF:${counts.totalLineCount}`);
  put('end_of_record\n');
  return ArrayJoin(out, '\n');
}

class LcovReporter extends Transform {
  constructor(options) {
    super({ ...options, writableObjectMode: true, __proto__: null });
  }
  _transform({ type, data }, encoding, callback) {
    if (type !== 'test:coverage') {
      callback(null);
      return;
    }
    const { files, workingDirectory } = data.summary;
    callback(
      null,
      `TN:\n${ArrayJoin(
        ArrayMap(files, (file) => recordOf(file, workingDirectory)),
        '',
      )}`,
    );
  }
}

module.exports = { LcovReporter };
