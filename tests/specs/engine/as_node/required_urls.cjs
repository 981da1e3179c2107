// `require` takes no URL, unless a hook answers with one that it resolves itself.
const module_ = require('node:module');
const { pathToFileURL } = require('node:url');

const url = pathToFileURL(__filename).href;
const attempts = {
  require: () => require(url),
  resolve: () => require.resolve(url),
  'resolve with paths': () => require.resolve(url, { paths: [__dirname] }),
  'module.require': () => module.require(url),
  createRequire: () => module_.createRequire(__filename)(url),
  'a relative URL': () => require('file:./required_urls.cjs'),
  'another scheme': () => require('data:text/javascript,1'),
};
function attemptAll() {
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      console.log(name, typeof attempt());
    } catch ({ code, message, requireStack }) {
      console.log(name, code, message.replaceAll(url, 'URL').split('\n')[0], requireStack?.length);
    }
  }
}
attemptAll();
module_.registerHooks({
  resolve: (specifier, context, next) => (specifier === 'chained' ? next(url, context) : next(specifier, context)),
});
attempts['a URL that a hook passes on'] = () => require('chained');
attemptAll();
import(url).then((namespace) => console.log('import', typeof namespace));
