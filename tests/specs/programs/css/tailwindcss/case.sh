exec 2>&1
calm() { sed -E 's/[0-9]+ms/TIME/'; }
tailwindcss -i in.css -c tailwind.config.ts |& calm
tailwindcss -i in.css -c tailwind.config.ts --minify -o out.css |& calm; wc -c < out.css
tailwindcss init own.config.cjs; cat own.config.cjs
node a.js
