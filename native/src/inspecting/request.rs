//! HTTP requests of debugger front ends, and the answers: Node's pages in Node's format, or an upgrade to a WebSocket.
//!
//! Web pages must not reach the debugger. A page's script could do so under a host name that its owner resolves to this machine
//! (DNS rebinding), so `Host` must be an IP address or `localhost`; and it could open a WebSocket, so an `Origin` of the
//! web must be on this machine too. Tools such as DevTools and editors have origins with other schemes, or none.
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use super::{assets, sha1};

/// The facts about the program that the pages show.
pub struct Page {
    /// The last part of the WebSocket's URL.
    pub path: String,
    pub title: String,
    pub url: String,
    /// The product that `/json/version` names.
    pub browser: String,
    /// The commands and events for `/json/protocol`.
    pub protocol: String,
    /// The folder with the files of the debugger's page.
    pub assets: PathBuf,
    /// Whether the pages below `/json` exist, which name the WebSocket.
    pub is_listed: bool,
    /// Whether clients connect through a Unix socket, which no web page can reach: any path and origin is valid there.
    pub is_local_socket: bool,
}

pub enum Answer {
    /// Send these bytes, then close the connection.
    Page(Vec<u8>),
    /// Send these bytes; then the connection is a WebSocket.
    Upgrade(Vec<u8>),
}

const REFUSAL: &str =
    "HTTP/1.0 400 Bad Request\r\nContent-Type: text/html; charset=UTF-8\r\n\r\nWebSockets request was expected\r\n";

const UNLISTED: &str = "HTTP/1.0 404 Not Found\r\nContent-Type: text/html; charset=UTF-8\r\n\r\n";

/// Answer the head of a request. `local` is the server's address for a client that sends no `Host`.
pub fn answer(head: &str, page: &Page, local: &str) -> Answer {
    respond(head, page, local).unwrap_or_else(|| Answer::Page(REFUSAL.into()))
}

fn respond(head: &str, page: &Page, local: &str) -> Option<Answer> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let fields: Vec<(&str, &str)> =
        lines.filter_map(|line| line.split_once(':')).map(|(name, value)| (name.trim(), value.trim())).collect();
    let field = |name: &str| fields.iter().find(|(each, _)| each.eq_ignore_ascii_case(name)).map(|(_, value)| *value);
    let is_repeated = |name: &str| fields.iter().filter(|(each, _)| each.eq_ignore_ascii_case(name)).count() > 1;
    let host = field("host").unwrap_or("");
    let origin = field("origin");
    if method != "GET"
        || is_repeated("host")
        || is_repeated("origin")
        || !page.is_local_socket && (!is_of_this_machine(host) || !origin.is_none_or(is_trusted_origin))
    {
        return None;
    }
    let path = target.split(['?', '#']).next().unwrap_or("");
    if field("upgrade").is_some_and(|value| value.eq_ignore_ascii_case("websocket")) {
        let key = field("sec-websocket-key")?;
        let is_known = page.is_local_socket || path.strip_prefix('/') == Some(page.path.as_str());
        return is_known.then(|| Answer::Upgrade(upgrade_response(key)));
    }
    if !page.is_listed && (path == "/json" || path.starts_with("/json/")) {
        return Some(Answer::Page(UNLISTED.into()));
    }
    let address = if host.is_empty() { local } else { host };
    let text = match path {
        "/json" | "/json/list" => list(page, address),
        "/json/version" => {
            format!("{{\n  \"Browser\": {},\n  \"Protocol-Version\": \"1.1\"\n}}\n", quote(&page.browser))
        }
        "/json/protocol" => page.protocol.clone(),
        _ => {
            let (bytes, media_type) = assets::read(&page.assets, path)?;
            return Some(Answer::Page(asset(&bytes, media_type)));
        }
    };
    let kind = "application/json; charset=UTF-8";
    Some(Answer::Page((head_of(kind, text.len(), "") + &text).into()))
}

/// Return the head of a successful answer; `more` is further lines, each with its end.
fn head_of(kind: &str, length: usize, more: &str) -> String {
    format!(
        "HTTP/1.0 200 OK\r\nContent-Type: {kind}\r\nCache-Control: no-cache\r\n{more}Content-Length: {length}\r\n\r\n"
    )
}

/// Return the answer with a file of the debugger's page. Other sites can neither frame nor load it.
fn asset(bytes: &[u8], media_type: &str) -> Vec<u8> {
    let policy = assets::CONTENT_SECURITY_POLICY;
    let more = format!(
        "Content-Security-Policy: {policy}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n"
    );
    [head_of(media_type, bytes.len(), &more).as_bytes(), bytes].concat()
}

fn upgrade_response(key: &str) -> Vec<u8> {
    let accept = sha1::accept(key);
    let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
    format!("{head}Sec-WebSocket-Accept: {accept}\r\n\r\n").into()
}

fn list(page: &Page, address: &str) -> String {
    let place = format!("{address}/{}", page.path);
    let front_end = |file: &str| format!("devtools://devtools/bundled/{file}?experiments=true&v8only=true&ws={place}");
    let fields = [
        ("description", "node.js instance".to_string()),
        ("devtoolsFrontendUrl", front_end("js_app.html")),
        ("devtoolsFrontendUrlCompat", front_end("inspector.html")),
        ("faviconUrl", "https://nodejs.org/static/images/favicons/favicon.ico".to_string()),
        ("id", page.path.clone()),
        ("title", page.title.clone()),
        ("type", "node".to_string()),
        ("url", page.url.clone()),
        ("webSocketDebuggerUrl", format!("ws://{place}")),
    ];
    let lines: Vec<String> = fields.iter().map(|(name, value)| format!("  \"{name}\": {}", quote(value))).collect();
    format!("[ {{\n{}\n}} ]\n\n", lines.join(",\n"))
}

fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether `host` (a name or an address, with or without a port) cannot be a name that a web page has pointed here.
fn is_of_this_machine(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) if address.parse::<Ipv6Addr>().is_ok() => (None, port),
            _ => return false,
        },
        None => {
            let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
            (Some(name), port)
        }
    };
    let is_port =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    is_port
        && name.is_none_or(|name| {
            name.is_empty() || name.parse::<Ipv4Addr>().is_ok() || name.eq_ignore_ascii_case("localhost")
        })
}

/// Whether a client with the header `Origin: origin` may connect: any but pages of the web and opaque origins.
fn is_trusted_origin(origin: &str) -> bool {
    let Some((scheme, host)) = origin.split_once("://") else { return false };
    let is_web = ["http", "https", "ws", "wss", "file"].iter().any(|each| scheme.eq_ignore_ascii_case(each));
    !is_web || (!host.is_empty() && is_of_this_machine(host))
}
