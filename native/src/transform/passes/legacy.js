// What oxc's lowering of experimental decorators calls, as TypeScript defines it.
const babelHelpers = {
  decorate(decorators, target, key, description) {
    const count = arguments.length;
    let result =
      count < 3 ? target : description === null ? Object.getOwnPropertyDescriptor(target, key) : description;
    for (let index = decorators.length - 1; index >= 0; index--) {
      const decorator = decorators[index];
      if (!decorator) continue;
      const value = count < 3 ? decorator(result) : count > 3 ? decorator(target, key, result) : decorator(target, key);
      result = value || result;
    }
    if (count > 3 && result) Object.defineProperty(target, key, result);
    return result;
  },
  decorateParam: (index, decorator) => (target, key) => decorator(target, key, index),
  decorateMetadata(key, value) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(key, value);
  },
};
