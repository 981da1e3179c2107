// @ts-check
// Creates elements. Attributes are set as such; functions become listeners. Text never passes through a parser of HTML.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element: `element('button', { 'class': 'primary', 'onclick': save }, 'Save')`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes] `true` sets an
 *   empty attribute; false, null and undefined set none
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...present(children));
  return made;
}

/**
 * Replaces the children of `parent`.
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...present(children));
}

/**
 * Returns the element with this id, which index.html contains.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element '${id}'`);
  return found;
}

/** @param {Child[]} children */
function present(children) {
  return children
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === 'number' ? String(child) : /** @type {Node | string} */ (child)));
}
