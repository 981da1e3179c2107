exports.part = 'part';
