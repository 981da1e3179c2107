//! What a client asks for before it is a WebSocket, and the answers: Node's pages, in Node's words and its order.
//!
//! A request is answered only under a name of this machine that no web page can have pointed here (an address, or
//! `localhost`): a page's script could talk to the debugger otherwise.
use std::net::{IpAddr, Ipv6Addr};

use super::sha1;

/// What the pages tell of the program.
pub struct Page {
    /// The last part of the WebSocket's URL.
    pub path: String,
    pub title: String,
    pub url: String,
    /// What `/json/version` says it is.
    pub browser: String,
    /// The commands and events that `/json/protocol` lists.
    pub protocol: String,
}

pub enum Answer {
    /// Bytes to be sent; the connection ends with them.
    Page(Vec<u8>),
    /// Bytes to be sent; then it is a WebSocket.
    Upgrade(Vec<u8>),
}

const REFUSAL: &str =
    "HTTP/1.0 400 Bad Request\r\nContent-Type: text/html; charset=UTF-8\r\n\r\nWebSockets request was expected\r\n";

/// Answer the head of a request, the empty line included. `local`: how clients reach the server otherwise.
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
    let host = field("host").unwrap_or("");
    if method != "GET" || !is_of_this_machine(host) {
        return None;
    }
    let path = target.split(['?', '#']).next().unwrap_or("");
    if field("upgrade").is_some_and(|value| value.eq_ignore_ascii_case("websocket")) {
        let key = field("sec-websocket-key")?;
        let is_known = path.strip_prefix('/') == Some(page.path.as_str());
        return is_known.then(|| Answer::Upgrade(upgraded(key)));
    }
    let address = if host.is_empty() { local } else { host };
    let text = match path {
        "/json" | "/json/list" => list(page, address),
        "/json/version" => {
            format!("{{\n  \"Browser\": {},\n  \"Protocol-Version\": \"1.1\"\n}}\n", quoted(&page.browser))
        }
        "/json/protocol" => page.protocol.clone(),
        _ => return None,
    };
    let length = text.len();
    let kind = "application/json; charset=UTF-8";
    let head = format!(
        "HTTP/1.0 200 OK\r\nContent-Type: {kind}\r\nCache-Control: no-cache\r\nContent-Length: {length}\r\n\r\n"
    );
    Some(Answer::Page((head + &text).into()))
}

fn upgraded(key: &str) -> Vec<u8> {
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
    let lines: Vec<String> = fields.iter().map(|(name, value)| format!("  \"{name}\": {}", quoted(value))).collect();
    format!("[ {{\n{}\n}} ]\n\n", lines.join(",\n"))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn is_of_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => return rest.split_once(']').is_some_and(|(address, _)| address.parse::<Ipv6Addr>().is_ok()),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.is_empty()
        || name.parse::<IpAddr>().is_ok()
        || ["localhost", "localhost6"].iter().any(|each| name.eq_ignore_ascii_case(each))
}
