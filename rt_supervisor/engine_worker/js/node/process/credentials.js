// @ts-check
'use strict';
// Owns: setting the user, group and supplementary groups of the process, by number or name.

const { ArrayForEach, ErrorCaptureStackTrace, ObjectAssign, RegExpExec, StringToUpperCase } = require('internal/primordials');
const native = host.native;
const { codes } = require('internal/errors/errors');
const { validateArray, validateUint32 } = require('internal/validators');

function checkId(id, name) {
  if (typeof id === 'number') validateUint32(id, name);
  else if (typeof id !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
}

function unknownIdError(kind, id) {
  return ObjectAssign(new Error(`${kind} identifier does not exist: ${id}`), { code: 'ERR_UNKNOWN_CREDENTIAL' });
}

/** Calls `change`; an error of the system has the text of the C library, as in Node: `EPERM, Operation not permitted`. */
function withSystemText(change) {
  try {
    return change();
  } catch (error) {
    const match = RegExpExec(/^(E[A-Z0-9]+): (.)(.*), \w+$/, error.message);
    if (match !== null) {
      error.message = `${match[1]}, ${StringToUpperCase(match[2])}${match[3]}`;
      ErrorCaptureStackTrace(error, withSystemText);
    }
    throw error;
  }
}

const setter = (name, kind) =>
  ({
    [name](id) {
      checkId(id, 'id');
      if (!withSystemText(() => native.process_setId(name, kind, id)))
        throw unknownIdError(kind === 'user' ? 'User' : 'Group', id);
    },
  })[name];

function setgroups(groups) {
  validateArray(groups, 'groups');
  ArrayForEach(groups, (group, place) => checkId(group, `groups[${place}]`));
  const missing = withSystemText(() => native.process_setGroups(groups));
  if (missing !== undefined) throw unknownIdError('Group', missing);
}

function initgroups(user, extraGroup) {
  checkId(user, 'user');
  checkId(extraGroup, 'extraGroup');
  const missing = withSystemText(() => native.process_initGroups(user, extraGroup));
  if (missing !== undefined) throw unknownIdError(missing === 'user' ? 'User' : 'Group', missing === 'user' ? user : extraGroup);
}

module.exports = {
  setuid: setter('setuid', 'user'),
  seteuid: setter('seteuid', 'user'),
  setgid: setter('setgid', 'group'),
  setegid: setter('setegid', 'group'),
  setgroups,
  initgroups,
};
