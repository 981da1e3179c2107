// @ts-check
// Where the program's debugger listens: the fragment of the page's address, `#host:port/path`, or the server's own list.

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the WebSocket's URL that a fragment names; null if it names none.
 *
 * The page may connect only to the host that it came from (its content security policy). `localhost` and the loopback addresses
 * are the same host under other names, so the name of the page's own address replaces them.
 * @param {string} fragment with or without `#`
 * @param {string} host of the page, with its port
 */
export function socketUrl(fragment, host) {
  const found = /^#?(?:ws:\/\/)?((?:\[[^\]]+\]|[^:/]+)):(\d+)(\/.+)$/.exec(decodeURIComponent(fragment));
  if (!found) return null;
  const [, name, port, path] = found;
  const own = new URL(`http://${host}`);
  const isSame = LOOPBACK.has(name) && LOOPBACK.has(own.hostname) && port === own.port;
  return `ws://${isSame ? host : `${name}:${port}`}${path}`;
}

/**
 * Asks the server that the page came from for its program. A program that was restarted may have another path.
 * @returns {Promise<{ url: string, title: string } | null>} null while the server does not answer
 */
export async function askServer() {
  try {
    const [program] = await (await fetch('/json/list', { cache: 'no-store' })).json();
    const url = socketUrl(program.webSocketDebuggerUrl, location.host);
    return url ? { url, title: program.title } : null;
  } catch {
    return null;
  }
}
