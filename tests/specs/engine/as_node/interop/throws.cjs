throw new TypeError('thrown');
