exec 2>&1
lessc a.less; lessc --source-map a.less out.css; cat out.css.map; echo '.a { .b() }' | lessc -; echo "status $?"
stylus -p a.styl; stylus a.styl -o st.css; cat st.css
node -e 'require("less").render("@a: 1px; b { c: (@a * 2) }").then((r) => console.log(r.css)); require("stylus")("a\n  b c").set("filename", "x").render((e, css) => console.log(e, css))'
