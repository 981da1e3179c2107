node upload.mjs 2>&1
