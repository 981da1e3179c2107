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
    if (typeof Reflect !== "object" || typeof Reflect.metadata !== "function") return undefined;
    return Reflect.metadata(key, Array.isArray(value) ? value.map(this.typeOf) : this.typeOf(value));
  },
  // The class that stands for a value which is the type of something: an enum is one of numbers or of strings.
  typeOf(value) {
    const wrappers = { number: Number, string: String, boolean: Boolean, bigint: BigInt };
    if (typeof value in wrappers) return wrappers[typeof value];
    if (typeof value !== "object" || value === null) return value;
    const kinds = new Set();
    for (const [name, member] of Object.entries(value)) {
      const isReversed = typeof member === "string" && typeof value[member] === "number" && String(value[member]) === name;
      if (!isReversed) kinds.add(typeof member);
    }
    const [kind] = kinds;
    return kinds.size === 1 && (kind === "number" || kind === "string") ? wrappers[kind] : Object;
  },
};
