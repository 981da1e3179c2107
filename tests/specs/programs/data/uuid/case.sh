node a.mjs 2>&1
uuid --help 2>&1
uuid v5 a.example DNS 2>&1
uuid v3 http://a.example URL; uuid v4 | tr -d '\n' | wc -c; uuid v7 | cut -c15; uuid v9 2>&1 | head -3
