exports.log = [];
