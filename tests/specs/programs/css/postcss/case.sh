exec 2>&1
postcss a.css -o out.css; cat out.css; echo 'a { display: flex }' | postcss --no-map; echo 'a { b' | postcss --no-map | sed 's/<css input>//'; echo "status $?"
node a.js
