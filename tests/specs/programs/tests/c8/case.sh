exec 2>&1
c8 --reporter=text node a.cjs
