node mqtt.mjs 2>&1
node ws2.cjs 2>&1
