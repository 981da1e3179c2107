'use strict';
// Owns: the settings of a session: those of this side, pending and acknowledged, those of the peer, and the objects that
// expose both to the program.

const { ArrayPush, ArrayShift, DateNow, MapValues, ObjectAssign, intact } = require('internal/primordials');
const EventEmitter = require('node/events/events');
const { http2Error } = require('node/http2/errors');
const { TYPE, frame } = require('node/http2/frames');
const settingsOf = require('node/http2/settings');
const { validateFunction } = require('internal/validators');

const MOST_WAITING = 10;

class SettledSession extends EventEmitter {
  remote = settingsOf.initial();
  local = settingsOf.initial();
  #waitingSettings = []; // not acknowledged by the peer
  #localShown; // programs get the same object until something changes
  #remoteShown;

  get pendingSettingsAck() {
    return this.#waitingSettings.length > 0;
  }
  get localSettings() {
    return (this.#localShown ??= { ...this.local });
  }
  get remoteSettings() {
    return (this.#remoteShown ??= { ...this.remote });
  }

  settings(changes, callback) {
    if (this.destroyed) throw http2Error('ERR_HTTP2_INVALID_SESSION');
    const settings = settingsOf.validateSettings(changes);
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.#waitingSettings.length >= (this.options.maxOutstandingSettings ?? MOST_WAITING)) {
      this.destroy(http2Error('ERR_HTTP2_MAX_PENDING_SETTINGS_ACK'));
      return;
    }
    if (settings.customSettings !== undefined) {
      this.local.customSettings = settings.customSettings;
      this.#localShown = undefined;
    }
    ArrayPush(this.#waitingSettings, { settings, callback, since: DateNow() });
    this.write(frame(TYPE.SETTINGS, 0, 0, settingsOf.packSettings(settings)));
  }
  acknowledgeSettings() {
    const waiting = ArrayShift(this.#waitingSettings);
    if (waiting === undefined) return;
    const { settings, callback, since } = waiting;
    if (settings.initialWindowSize !== undefined) {
      const change = settings.initialWindowSize - this.local.initialWindowSize;
      for (const stream of intact(MapValues(this.streams))) if (stream.room !== undefined) stream.room += change;
    }
    ObjectAssign(this.local, settings);
    this.#localShown = undefined;
    if (settings.maxHeaderListSize !== undefined) this.local.maxHeaderSize = settings.maxHeaderListSize;
    if (settings.headerTableSize !== undefined) this.decoder.allow(settings.headerTableSize);
    if (settings.maxFrameSize !== undefined) this.reader.limit = settings.maxFrameSize;
    callback?.(null, this.localSettings, DateNow() - since);
    this.emit('localSettings', this.localSettings);
  }
  handleSettings(settings) {
    const { customSettings, ...named } = settings;
    const remote = this.options.remoteCustomSettings ?? [];
    for (let index = 0; index < remote.length; index++) {
      const value = customSettings?.[remote[index]];
      if (value !== undefined) this.remote.customSettings = { ...this.remote.customSettings, [remote[index]]: value };
    }
    ObjectAssign(this.remote, named);
    this.#remoteShown = undefined;
  }
}

module.exports = { SettledSession };
