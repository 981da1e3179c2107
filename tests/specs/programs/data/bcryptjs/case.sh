node a.mjs 2>&1
bcrypt secret '$2b$04$abcdefghijklmnopqrstuu' 2>&1
