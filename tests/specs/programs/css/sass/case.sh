exec 2>&1
sass --version | cut -d' ' -f2-; sass a.scss out.css --style compressed; cat out.css out.css.map; sass --no-source-map src:built; cat built/*.css
echo 'a { b: c' | sass --stdin; echo "status $?"
sass --embed-sources --indented b.sass
node api.js
