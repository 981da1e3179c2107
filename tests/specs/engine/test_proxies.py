"""Whether the global agents of node:http use the environment's proxies: by flag, by variable, and their precedence."""

from __future__ import annotations

import pytest
from rig import Box

# A program that serves, is its own proxy, and sends the requests it is given.
ASK = """
const http = require('node:http');
const { execFile } = require('node:child_process');
const server = http.createServer(({ url }, answer) => answer.end(url[0] === '/' ? 'straight' : 'by the proxy'));
server.listen(0, '127.0.0.1', () => {
  const at = `http://127.0.0.1:${server.address().port}`;
  const env = { ...process.env, HTTP_PROXY: at };
  const code = `require('node:http').get('${at}/', (answer) => answer.pipe(process.stdout))`;
  execFile(process.execPath, [...process.argv.slice(2), '-e', code], { env }, (error, said, problem) => {
    console.log(said, problem);
    server.close();
  });
});
"""


@pytest.mark.parametrize(
    ("words", "environment", "expected"),
    [
        ((), {}, "straight"),
        ((), {"NODE_USE_ENV_PROXY": "1"}, "by the proxy"),
        ((), {"NODE_USE_ENV_PROXY": "2"}, "straight"),
        (("--use-env-proxy",), {}, "by the proxy"),
        (("--use-env-proxy",), {"NODE_USE_ENV_PROXY": "0"}, "by the proxy"),
        (("--no-use-env-proxy",), {"NODE_USE_ENV_PROXY": "1"}, "straight"),
        ((), {"NODE_OPTIONS": "--use-env-proxy"}, "by the proxy"),
        (("--use-env-proxy",), {"NO_PROXY": "127.0.0.1"}, "straight"),
    ],
)
def test_which_agents_follow_the_environment(
    box: Box, words: tuple[str, ...], environment: dict[str, str], expected: str
) -> None:
    box.write({"ask.cjs": ASK})
    result = box.run("ask.cjs", *words, environment=environment)
    assert result.stdout.decode().strip() == expected, result.stderr.decode()


def test_bytes_after_the_proxys_response_belong_to_the_server(box: Box) -> None:
    """They arrive in one packet with the head. If they are not TLS, the request fails at once."""
    box.write(
        {
            "ask.cjs": """
const http = require('node:http');
const https = require('node:https');
const proxy = http.createServer();
proxy.on('connect', (asked, socket) => {
  socket.on('error', () => {});
  socket.write('HTTP/1.1 200 OK\\r\\n\\r\\nHello, this is no TLS\\r\\n');
});
proxy.listen(0, '127.0.0.1', () => {
  const agent = new https.Agent({ proxyEnv: { HTTPS_PROXY: `http://127.0.0.1:${proxy.address().port}` } });
  https.get({ host: 'localhost', port: 1, agent }).on('error', ({ code }) => {
    console.log(code);
    proxy.closeAllConnections();
    process.exit();
  });
});
"""
        }
    )
    assert box.run("ask.cjs").stdout.decode().startswith("ERR_SSL_")


@pytest.mark.parametrize(
    ("address", "reported"),
    [("not-a-valid-url", "TypeError: Invalid URL"), ("ftp://127.0.0.1", "must start with `http:` or `https:`")],
)
@pytest.mark.parametrize("name", ["HTTP_PROXY", "https_proxy"])
def test_a_proxy_that_cannot_be_used_is_an_error(box: Box, name: str, address: str, reported: str) -> None:
    """No request bypasses it."""
    box.write({"ask.cjs": "require('node:http').get('http://127.0.0.1:1/').on('error', () => console.log('asked'))"})
    result = box.run("ask.cjs", environment={"NODE_USE_ENV_PROXY": "1", name: address})
    assert (result.returncode, result.stdout) == (1, b"")
    assert reported in result.stderr.decode()


def test_fetch_asks_a_proxy_for_a_tunnel_as_node_does(box: Box) -> None:
    box.write(
        {
            "ask.cjs": """
const proxy = require('node:http').createServer().on('connect', ({ url, headers }, socket) => {
  console.log(url, JSON.stringify(headers));
  socket.end('HTTP/1.1 502 Bad Gateway\\r\\n\\r\\n');
});
proxy.listen(0, '127.0.0.1', async () => {
  process.env.HTTPS_PROXY = `http://127.0.0.1:${proxy.address().port}`;
  await fetch('https://some.name:1/').catch(({ message }) => console.log(message));
  proxy.close();
});
"""
        }
    )
    result = box.run("ask.cjs")
    headers = '{"proxy-connection":"keep-alive","connection":"close","host":"some.name:1"}'
    assert result.stdout.decode() == f"some.name:1 {headers}\nfetch failed\n", result.stderr.decode()


def test_fetch_sends_a_proxy_whether_its_connection_is_reused(box: Box) -> None:
    """As Node's http and Bun's fetch do; a header set by the program takes precedence."""
    box.write(
        {
            "ask.cjs": """
const proxy = require('node:http').createServer((request, response) => {
  console.log(request.url, request.rawHeaders.filter((_, at, all) => /^proxy-/i.test(all[at - at % 2])).join(' '));
  response.end();
});
proxy.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${proxy.address().port}`;
  for (const options of [{ proxy: url }, { proxy: url, keepalive: false }, { proxy: url, headers: { 'Proxy-Connection': 'mine' } }, { proxy: { url, headers: { 'proxy-connection': 'its' } } }])
    await (await fetch('http://some.name/x', options)).text();
  proxy.closeAllConnections();
  proxy.close();
});
"""
        }
    )
    result = box.run("ask.cjs")
    said = ["Proxy-Connection keep-alive", "Proxy-Connection close", "Proxy-Connection mine", "proxy-connection its"]
    assert result.stdout.decode().splitlines() == [f"http://some.name/x {each}" for each in said], (
        result.stderr.decode()
    )
