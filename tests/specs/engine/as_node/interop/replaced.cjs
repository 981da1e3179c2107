module.exports = 'first';
