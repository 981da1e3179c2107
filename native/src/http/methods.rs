//! The request methods, and where an invalid one is detected: at the same byte as in Node.
use super::{Problem, problem};

/// The methods that Node's parser accepts.
const METHODS: [&str; 35] = [
    "GET",
    "POST",
    "HEAD",
    "PUT",
    "DELETE",
    "OPTIONS",
    "PATCH",
    "CONNECT",
    "TRACE",
    "COPY",
    "LOCK",
    "MKCOL",
    "MOVE",
    "PROPFIND",
    "PROPPATCH",
    "SEARCH",
    "UNLOCK",
    "BIND",
    "REBIND",
    "UNBIND",
    "ACL",
    "REPORT",
    "MKACTIVITY",
    "CHECKOUT",
    "MERGE",
    "M-SEARCH",
    "NOTIFY",
    "SUBSCRIBE",
    "UNSUBSCRIBE",
    "PURGE",
    "MKCALENDAR",
    "LINK",
    "UNLINK",
    "SOURCE",
    "QUERY",
];

pub const BAD_METHOD: Problem = problem("INVALID_METHOD", "Invalid method encountered");
const NO_SPACE: Problem = problem("INVALID_METHOD", "Expected space after method");

/// Methods of RTSP and HTTP/2, which are refused. As in Node, an error is reported where a word stops being the
/// beginning of any method, including these.
const OTHER_METHODS: [&str; 12] = [
    "DESCRIBE",
    "ANNOUNCE",
    "SETUP",
    "PLAY",
    "PAUSE",
    "TEARDOWN",
    "GET_PARAMETER",
    "SET_PARAMETER",
    "REDIRECT",
    "RECORD",
    "FLUSH",
    "PRI",
];

/// The method at the beginning of a line; `None` if it may still become one; otherwise the error and its position.
pub fn method_of(line: &[u8]) -> Result<Option<&'static str>, (Problem, usize)> {
    let size = line.iter().position(|byte| !matches!(byte, b'A'..=b'Z' | b'-')).unwrap_or(line.len());
    let word = &line[..size];
    let found = METHODS.iter().find(|method| method.as_bytes() == word);
    match (found, line.get(size)) {
        (Some(method), Some(b' ')) => return Ok(Some(method)),
        (Some(_), Some(_)) => return Err((NO_SPACE, size)),
        (_, None) if METHODS.iter().any(|method| method.as_bytes().starts_with(word)) => return Ok(None),
        _ => {}
    }
    if let Some(method) = METHODS.iter().find(|method| word.starts_with(method.as_bytes()) && !is_beginning(word)) {
        return Err((NO_SPACE, method.len()));
    }
    let common = (1..=size).take_while(|end| is_beginning(&word[..*end])).last().unwrap_or(0);
    Err((BAD_METHOD, common))
}

fn is_beginning(word: &[u8]) -> bool {
    METHODS.iter().chain(&OTHER_METHODS).any(|method| method.as_bytes().starts_with(word))
}
