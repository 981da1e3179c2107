// node:sea in a program that is not a single executable application.
import sea from 'node:sea';
import * as all from 'node:sea';
console.log(Object.entries(sea).map(([name, member]) => `${name} ${member.name} ${member.length}`).join(), Object.keys(all).join());
const calls = [['isSea'], ['getAsset', 'x'], ['getAsset'], ['getAsset', 5], ['getAsset', 'x', 5], ['getAsset', 'x', 'utf8'], ['getRawAsset', 'x'], ['getRawAsset', 5], ['getAssetAsBlob', 'x', {}], ['getAssetAsBlob'], ['getAssetKeys']];
for (const [name, ...rest] of calls) {
  try {
    console.log(name, sea[name](...rest));
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
