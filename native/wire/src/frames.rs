//! Fields and frames: the encoding of values between rt's processes and in cached records.
//!
//! Numbers are little-endian with four or eight bytes; a text is its length and its bytes; a list is its length and its items.
//! A frame is the length of a message and the message.

pub const LENGTH_BYTES: usize = 4;
/// The size of the longest message. A longer frame is invalid.
pub const LARGEST: usize = 64 << 20;

/// Appends fields.
#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn number(&mut self, value: u32) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub fn long(&mut self, value: u64) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub fn text(&mut self, value: &[u8]) -> &mut Self {
        self.number(value.len() as u32);
        self.0.extend_from_slice(value);
        self
    }

    pub fn list<T>(&mut self, items: &[T], mut put: impl FnMut(&mut Self, &T)) -> &mut Self {
        self.number(items.len() as u32);
        items.iter().for_each(|item| put(self, item));
        self
    }

    pub fn texts(&mut self, items: &[Vec<u8>]) -> &mut Self {
        self.list(items, |to, item| {
            to.text(item);
        })
    }
}

/// Reads fields in order; None if the bytes end within a field.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    pub fn long(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    pub fn text(&mut self) -> Option<Vec<u8>> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text.to_vec())
    }

    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.number()?;
        (0..length).map(|_| item(self)).collect()
    }

    pub fn texts(&mut self) -> Option<Vec<Vec<u8>>> {
        self.list(Reader::text)
    }

    /// Returns `value` if no bytes remain.
    pub fn end<T>(&self, value: T) -> Option<T> {
        self.0.is_empty().then_some(value)
    }
}

/// Encodes a message as a frame.
pub fn frame_of(message: &[u8]) -> Vec<u8> {
    [&(message.len() as u32).to_le_bytes(), message].concat()
}

/// The bytes are not a frame, because of a bug or overwritten memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoFrame;

/// Splits a stream into messages, and stores an incomplete one.
#[derive(Default)]
pub struct Frames(Vec<u8>);

impl Frames {
    pub fn feed(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// The next complete message, or an error if the bytes are not a frame.
    pub fn next_message(&mut self) -> Result<Option<Vec<u8>>, NoFrame> {
        let Some((length, rest)) = self.0.split_first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > LARGEST {
            return Err(NoFrame);
        }
        let Some(message) = rest.get(..length) else { return Ok(None) };
        let message = message.to_vec();
        self.0.drain(..LENGTH_BYTES + length);
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_found_however_the_stream_is_split() {
        let messages: [&[u8]; 4] = [b"one", b"", b"three", &[0; 300]];
        let stream: Vec<u8> = messages.iter().flat_map(|message| frame_of(message)).collect();
        for size in 1..stream.len() {
            let mut frames = Frames::default();
            let mut got = Vec::new();
            for part in stream.chunks(size) {
                frames.feed(part);
                while let Ok(Some(message)) = frames.next_message() {
                    got.push(message);
                }
            }
            assert_eq!(got, messages);
        }
    }

    #[test]
    fn messages_that_are_too_long_are_rejected() {
        let mut frames = Frames::default();
        frames.feed(&[0xff; 4]);
        assert_eq!(frames.next_message(), Err(NoFrame));
    }

    #[test]
    fn truncated_fields_are_not_decoded() {
        let mut to = Writer::default();
        to.number(7).long(1 << 40).text(b"text").texts(&[b"a".to_vec(), vec![]]);
        let read = |bytes: &[u8]| {
            let mut from = Reader(bytes);
            let fields = (from.number()?, from.long()?, from.text()?, from.texts()?);
            from.end(fields)
        };
        assert_eq!(read(&to.0), Some((7, 1 << 40, b"text".to_vec(), vec![b"a".to_vec(), vec![]])));
        assert!((0..to.0.len()).all(|length| read(&to.0[..length]).is_none()));
        assert_eq!(read(&[&to.0[..], b"?"].concat()), None);
    }
}
