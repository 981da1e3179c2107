node a.js 2>&1
