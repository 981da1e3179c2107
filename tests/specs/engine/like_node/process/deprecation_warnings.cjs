// util.deprecate and DeprecationWarning.
require('util').deprecate(() => {}, 'old thing', 'DEP_X')(); process.emitWarning('d2', 'DeprecationWarning')