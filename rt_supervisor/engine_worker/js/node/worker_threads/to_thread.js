'use strict';
// Owns: `postMessageToThread`: a message to any thread of the process by its ID, which is acknowledged. Each worker receives
// them through its initial mailbox; the main thread creates one when there is a worker.

const runtimeParts = require('internal/parts');
const { PromiseWithResolvers } = require('internal/promises');
const { codes } = require('internal/errors/errors');
const timers = require('internal/timers');
const { send, takeFrom } = require('web/messaging/across');

const { native } = host;
const DELIVERED = 'delivered';
const FAILED = 'failed'; // no listener, or the thread has ended
const ERRORED = 'errored';

const answer = ({ reply }, outcome) => void native.mailboxPost(reply, { outcome });

/** In the target thread: emits the message. */
function deliver(message) {
  const { process } = runtimeParts.process;
  if (process.listenerCount('workerMessage') === 0) return answer(message, FAILED);
  try {
    process.emit('workerMessage', message.value, message.source);
  } catch {
    return answer(message, ERRORED);
  }
  return answer(message, DELIVERED);
}

/** The target thread has ended. */
const refuse = (message) => answer(message, FAILED);

let inbox;
/** Lets the main thread receive messages, without keeping it alive. */
function settleMain() {
  if (runtimeParts.worker !== undefined || inbox !== undefined) return;
  inbox = native.mailboxOpen();
  native.mailboxListen(inbox, () => {
    for (;;) {
      const packet = takeFrom(inbox);
      if (packet === undefined || packet === null) return;
      if (packet.data?.toThread !== undefined) deliver(packet.data.toThread);
    }
  });
  native.workers_settleMain(inbox);
}

/** Posts `value` to the thread; fulfilled when it was received, rejected otherwise. */
async function post(threadId, value, transfer, timeout) {
  const to = native.workers_inboxOf(threadId);
  if (to < 0) throw new codes.ERR_WORKER_MESSAGING_FAILED();
  const reply = native.mailboxOpen();
  const { promise, resolve } = PromiseWithResolvers();
  native.mailboxListen(reply, () => {
    const packet = takeFrom(reply);
    if (packet?.data !== undefined) resolve(packet.data.outcome);
  });
  native.pipes_reference(1);
  const timer = timeout === undefined ? undefined : timers.setTimeout(() => resolve('late'), timeout);
  try {
    const source = runtimeParts.worker?.self.threadId ?? 0;
    if (!send(to, { toThread: { value, source, reply } }, transfer, undefined)) throw new codes.ERR_WORKER_MESSAGING_FAILED();
    const outcome = await promise;
    if (outcome === FAILED) throw new codes.ERR_WORKER_MESSAGING_FAILED();
    if (outcome === ERRORED) throw new codes.ERR_WORKER_MESSAGING_ERRORED();
    if (outcome !== DELIVERED) throw new codes.ERR_WORKER_MESSAGING_TIMEOUT();
  } finally {
    if (timer !== undefined) timers.clearTimeout(timer);
    native.pipes_reference(-1);
    native.mailboxListen(reply, undefined);
    native.mailboxClose(reply);
  }
}

module.exports = { deliver, refuse, settleMain, post };
