import "./commonjs.cjs";
