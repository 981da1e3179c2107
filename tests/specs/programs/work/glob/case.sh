mkdir -p t/a/b t/.dot t/c; touch t/a/1.js t/a/b/2.ts t/a/b/3.js t/.dot/4.js t/c/5.JS 't/c/[6].js'; ln -s ../a t/c/loop
node a.js 2>&1
