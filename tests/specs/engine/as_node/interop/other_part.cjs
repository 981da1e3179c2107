exports.other = 'other';
