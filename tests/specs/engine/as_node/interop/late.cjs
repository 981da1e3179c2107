exports.late = true;
