// @ts-check
'use strict';
// Owns: what front ends see of localStorage and sessionStorage once they have enabled the domain DOMStorage, and the events that
// programs send for storages that they implement. `rt_supervisor/engine_worker/inspecting/dom_storage.py` passes both on.

const { ArrayMap, ArrayPush, JSONStringify, ObjectEntries, intact } = require('internal/primordials');

const { native } = host;

/** The URL of the file of localStorage, which identifies both storages, or undefined. */
function storageKey() {
  const file = require('web/storage').fileOf();
  if (file === undefined || file === '') return undefined;
  return require('node/url/url').pathToFileURL(require('node/path/path').resolve(file)).href;
}

/** @param {boolean} isLocal @param {string} event @param {string} [key] @param {string} [oldValue] @param {string} [newValue] */
function reportChange(isLocal, event, key, oldValue, newValue) {
  const storageId = { securityOrigin: '', storageKey: storageKey() ?? '', isLocalStorage: isLocal };
  native.inspector_storage(event, JSONStringify({ storageId, key, oldValue, newValue }));
}

/** Starts or stops reporting changes. @param {boolean} isObserved */
const observe = (isObserved) => require('web/storage').observeChanges(isObserved ? reportChange : undefined);

/** The entries of a storage as JSON. @param {boolean} isLocal */
function items(isLocal) {
  if (isLocal && storageKey() === undefined) return '[]';
  const { localStorage, sessionStorage } = /** @type {any} */ (require('web/storage'));
  const storage = isLocal ? localStorage : sessionStorage;
  const entries = [];
  for (let index = 0; index < storage.length; index++) {
    const key = storage.key(index);
    ArrayPush(entries, [key, storage.getItem(key)]);
  }
  return JSONStringify(entries);
}

const isText = (value) => typeof value === 'string';
const isBoolean = (value) => typeof value === 'boolean';
const isObject = (value) => typeof value === 'object' && value !== null;

/** Returns `params[name]`, if `isRight` of it. @param {any} params @param {string} name @param {(value: any) => boolean} isRight */
function need(params, name, isRight, owner = 'event') {
  const value = params[name];
  if (!isRight(value)) throw new TypeError(`Missing ${name} in ${owner}`);
  return value;
}

/** The members of each event besides `storageId`. */
const MEMBERS = {
  __proto__: null,
  domStorageItemAdded: ['key', 'newValue'],
  domStorageItemRemoved: ['key'],
  domStorageItemUpdated: ['key', 'oldValue', 'newValue'],
  domStorageItemsCleared: [],
};

/**
 * Reports an event of the program's own storage, or shows its entries from now on (`inspector.DOMStorage`).
 * @param {string} event @param {any} params
 */
function report(event, params) {
  if (event === 'registerStorage') {
    const isLocal = need(params, 'isLocalStorage', isBoolean);
    const entries = ArrayMap(ObjectEntries(need(params, 'storageMap', isObject)), ({ 0: key, 1: value }) => [key, `${value}`]);
    native.inspector_offerStorage(isLocal, JSONStringify(entries));
    return;
  }
  const given = need(params, 'storageId', isObject);
  const storageId = {
    securityOrigin: need(given, 'securityOrigin', isText, 'storageId'),
    storageKey: need(given, 'storageKey', isText, 'storageId'),
    isLocalStorage: need(given, 'isLocalStorage', isBoolean, 'storageId'),
  };
  const sent = { storageId };
  for (const name of intact(MEMBERS[event])) sent[name] = need(params, name, isText);
  native.inspector_storage(event, JSONStringify(sent));
}

module.exports = { storageKey, observe, items, report };
