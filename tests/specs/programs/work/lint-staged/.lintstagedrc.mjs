export default { "*.txt": "sed -i s/lower/UPPER/", "*.js": (files) => `node -e "console.log(${files.length})"`, "*.bad": "sh -c 'echo failing; exit 2'" };
