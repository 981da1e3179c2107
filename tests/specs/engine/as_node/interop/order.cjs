require('./log.cjs').log.push('commonjs');
