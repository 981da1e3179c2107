// @ts-check
// Texts that the program loads for the page, which may load nothing itself but its own files.

/** @typedef {import('../protocol/session.js').Session} Session */

export class Resources {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
  }

  /**
   * Returns the text at a URL; null if the program cannot load it.
   * @param {string} url
   * @returns {Promise<string | null>}
   */
  async load(url) {
    const options = { disableCache: false, includeCredentials: false };
    const handle = (await this.session.attempt('Network.loadNetworkResource', { url, options }))?.resource.stream;
    if (handle === undefined) return null;
    let text = '';
    for (;;) {
      const part = await this.session.attempt('IO.read', { handle });
      if (part === null) return null;
      text += part.data;
      if (part.eof) break;
    }
    await this.session.attempt('IO.close', { handle });
    return text;
  }
}
