require('./replaced.cjs');
require.cache[require.resolve('./replaced.cjs')].exports = 'second';
