await 0; export default 1;
