exports.five = 5;
