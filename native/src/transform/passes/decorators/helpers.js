// What lowered decorators call. Each decorator is a pair: the object it was read from, and the function.
const __rt_decorate = (target, descriptor, decorators, details, initializers, extra) => {
  const { kind, name } = details;
  const isField = kind === "field";
  const own = descriptor ?? (isField ? {} : Object.getOwnPropertyDescriptor(target, name));
  const part = kind === "getter" ? "get" : kind === "setter" ? "set" : "value";
  const callable = (value, what) => {
    if (value !== undefined && typeof value !== "function") throw new TypeError(what + " must be a function");
    return value;
  };
  for (let index = decorators.length - 1; index >= 0; index--) {
    let isOpen = true;
    const context = { ...details };
    if (details.access) context.access = { ...details.access };
    context.addInitializer = (initializer) => {
      if (!isOpen) throw new TypeError("addInitializer was called after its decorator had finished");
      if (typeof initializer !== "function") throw new TypeError("An initializer must be a function");
      extra.push(initializer);
    };
    const value = kind === "accessor" ? { get: own.get, set: own.set } : isField ? undefined : own[part];
    const [object, decorator] = decorators[index];
    if (typeof decorator !== "function") throw new TypeError("A decorator must be a function");
    const result = Reflect.apply(decorator, object, [value, context]);
    isOpen = false;
    if (kind === "accessor") {
      if (result === undefined) continue;
      if (result === null || typeof result !== "object") throw new TypeError("An accessor decorator must return an object");
      own.get = callable(result.get, "get") ?? own.get;
      own.set = callable(result.set, "set") ?? own.set;
      const init = callable(result.init, "init");
      if (init) initializers.unshift(init);
    } else if (callable(result, "What a decorator returns")) {
      if (isField) initializers.unshift(result);
      else own[part] = result;
    }
  }
  if (!descriptor && !isField) Object.defineProperty(target, name, own);
  return own;
};
const __rt_run = (self, initializers, ...value) => {
  for (const initializer of initializers) {
    if (value.length) value[0] = initializer.call(self, value[0]);
    else initializer.call(self);
  }
  return value[0];
};
// Engines without Symbol.metadata keep it under the symbol that polyfills agree on.
const __rt_metadata = (base) => Object.create(base?.[__rt_metadata.key()] ?? null);
__rt_metadata.key = () => Symbol.metadata ?? Symbol.for("Symbol.metadata");
__rt_metadata.set = (target, value) => {
  Object.defineProperty(target, __rt_metadata.key(), { configurable: true, writable: true, value });
};
const __rt_key = (key) => {
  if (typeof key !== "object" && typeof key !== "function") return typeof key === "symbol" ? key : String(key);
  // Converting a property key runs the object's own conversion once, as a computed name would.
  let name;
  new Proxy({}, { get: (_, property) => { name = property; } })[key];
  return name;
};
