exec 2>&1
node a.mjs; NODE_ENV=production node a.mjs
