//! The memory for a body of known length that JavaScript reads as a whole: the socket is read into it directly.
use crate::v8::{Local, PinnedBytes};

/// How much is read at once, so that other connections have their turn.
const MOST_AT_ONCE: usize = 512 << 10;

pub struct BodyTarget(PinnedBytes);

impl BodyTarget {
    /// `array` has the length of the whole body; None if its memory may move.
    pub fn of(array: Local<'_>) -> Option<BodyTarget> {
        PinnedBytes::of(array).map(BodyTarget)
    }

    /// Where the next bytes belong if the last `left` bytes of the body are missing; empty if that is more than its length.
    pub fn room(&mut self, left: u64) -> &mut [u8] {
        let bytes = self.0.bytes_mut();
        let left = usize::try_from(left).ok().filter(|left| *left <= bytes.len()).unwrap_or(0);
        let start = bytes.len() - left;
        &mut bytes[start..start + left.min(MOST_AT_ONCE)]
    }
}
