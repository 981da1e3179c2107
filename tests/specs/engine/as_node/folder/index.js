export default "index";
