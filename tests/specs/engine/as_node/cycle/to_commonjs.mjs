import "./back.cjs"; export default 1;
