//! Messages on a connection: WebSocket frames (RFC 6455) as a server reads and writes them (text, without extensions),
//! and the messages of Bun's socket protocol, each after its length in four bytes.

const FINAL: u8 = 0x80;
const MASKED: u8 = 0x80;
const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;
/// The limit for a message, which no debugger reaches.
const MOST_BYTES: usize = 256 << 20;

/// The content of a frame.
pub enum Content {
    Message(String),
    /// To be answered with these bytes.
    Ping(Vec<u8>),
    /// The client closes the connection, with the content of its frame.
    Close(Vec<u8>),
    /// Part of a message, or a frame that needs no answer.
    Nothing,
}

/// The client violates the protocol.
pub struct ProtocolViolation;

/// A partially received message.
#[derive(Default)]
pub struct Reader {
    parts: Vec<u8>,
    is_within: bool,
}

impl Reader {
    /// Take one frame from the beginning of `bytes`: its content and its length; None while it is incomplete.
    pub fn take(&mut self, bytes: &mut [u8]) -> Result<Option<(Content, usize)>, ProtocolViolation> {
        let [first, second, ..] = *bytes else { return Ok(None) };
        let kind = first & 0x0f;
        if first & 0x70 != 0 || second & MASKED == 0 {
            return Err(ProtocolViolation);
        }
        let (length, head) = match second & 0x7f {
            126 => match bytes.get(2..4) {
                Some(field) => (u16::from_be_bytes(field.try_into().expect("two bytes")) as usize, 4),
                None => return Ok(None),
            },
            127 => match bytes.get(2..10) {
                Some(field) => (u64::from_be_bytes(field.try_into().expect("eight bytes")) as usize, 10),
                None => return Ok(None),
            },
            length => (length as usize, 2),
        };
        if length > MOST_BYTES || kind >= CLOSE && (length > 125 || first & FINAL == 0) {
            return Err(ProtocolViolation);
        }
        let end = head + 4 + length;
        if bytes.len() < end {
            return Ok(None);
        }
        let (mask, data) = bytes[head..end].split_at_mut(4);
        data.iter_mut().enumerate().for_each(|(index, byte)| *byte ^= mask[index % 4]);
        self.interpret(kind, first & FINAL != 0, data).map(|content| Some((content, end)))
    }

    fn interpret(&mut self, kind: u8, is_final: bool, data: &[u8]) -> Result<Content, ProtocolViolation> {
        match kind {
            CLOSE => return Ok(Content::Close(data.to_vec())),
            PING => return Ok(Content::Ping(data.to_vec())),
            PONG => return Ok(Content::Nothing),
            CONTINUATION if self.is_within => {}
            TEXT | BINARY if !self.is_within => {}
            _ => return Err(ProtocolViolation),
        }
        self.parts.extend_from_slice(data);
        self.is_within = !is_final;
        if self.parts.len() > MOST_BYTES {
            return Err(ProtocolViolation);
        }
        if !is_final {
            return Ok(Content::Nothing);
        }
        String::from_utf8(std::mem::take(&mut self.parts)).map(Content::Message).map_err(|_| ProtocolViolation)
    }
}

/// The number of bytes of a length in Bun's socket protocol.
const PREFIX: usize = 4;

/// Take one message after its length from the beginning of `bytes`; None while it is incomplete.
pub fn take_prefixed(bytes: &[u8]) -> Result<Option<(Content, usize)>, ProtocolViolation> {
    let Some(prefix) = bytes.first_chunk::<PREFIX>() else { return Ok(None) };
    let length = u32::from_be_bytes(*prefix) as usize;
    if length > MOST_BYTES {
        return Err(ProtocolViolation);
    }
    let Some(data) = bytes.get(PREFIX..PREFIX + length) else { return Ok(None) };
    let text = String::from_utf8(data.to_vec()).map_err(|_| ProtocolViolation)?;
    Ok(Some((Content::Message(text), PREFIX + length)))
}

/// A message after its length.
pub fn prefixed(message: &str) -> Vec<u8> {
    [&(message.len() as u32).to_be_bytes(), message.as_bytes()].concat()
}

/// A text frame.
pub fn text(message: &str) -> Vec<u8> {
    frame(TEXT, message.as_bytes())
}

pub fn pong(data: &[u8]) -> Vec<u8> {
    frame(PONG, data)
}

/// A close frame: empty, or with the client's data.
pub fn close(data: &[u8]) -> Vec<u8> {
    frame(CLOSE, data)
}

/// A close frame for a client that violates the protocol.
pub fn refusal() -> Vec<u8> {
    const PROTOCOL_ERROR: u16 = 1002;
    frame(CLOSE, &PROTOCOL_ERROR.to_be_bytes())
}

fn frame(kind: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(data.len() + 10);
    bytes.push(FINAL | kind);
    match data.len() {
        length @ 0..126 => bytes.push(length as u8),
        length @ 126..=0xffff => {
            bytes.push(126);
            bytes.extend((length as u16).to_be_bytes());
        }
        length => {
            bytes.push(127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend_from_slice(data);
    bytes
}
