node handlers.mjs 2>/dev/null
node scopes.mjs 2>/dev/null
