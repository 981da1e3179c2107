//! What the foreground orders and what the guardian answers: one record of sixteen bytes each, encode beside decode.
//!
//! Both are the same process until the guardian is forked, so that a script is named by its place among the steps that
//! both know. The channel keeps records apart (SOCK_SEQPACKET).
use std::ffi::c_int;

pub const RECORD_BYTES: usize = 16;
pub type Record = [u8; RECORD_BYTES];

/// What the foreground asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Start the step of that number.
    Start(u32),
    /// Send a signal once to what runs.
    Signal(c_int),
    /// Kill all that is left, at once.
    Kill,
}

/// What the guardian says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The step runs; bit n: it was given signal n, which was pending for rt.
    Started(u64),
    /// The system would not start it: errno, and what was at fault.
    Refused(c_int, Fault),
    /// Its process has ended with that wait status, and nothing of it is left.
    Ended(c_int),
}

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Nothing,
    Folder,
    Program,
}

impl Order {
    pub fn encode(self) -> Record {
        match self {
            Order::Start(step) => record(1, i64::from(step), 0),
            Order::Signal(number) => record(2, i64::from(number), 0),
            Order::Kill => record(3, 0, 0),
        }
    }

    /// None for what is no order.
    pub fn decode(bytes: &[u8]) -> Option<Order> {
        match fields(bytes)? {
            (1, step, _) => Some(Order::Start(u32::try_from(step).ok()?)),
            (2, number, _) => Some(Order::Signal(c_int::from(number))),
            (3, _, _) => Some(Order::Kill),
            _ => None,
        }
    }
}

impl Answer {
    pub fn encode(self) -> Record {
        match self {
            Answer::Started(given) => record(1, 0, given),
            Answer::Refused(errno, fault) => record(2, i64::from(errno), fault as u64),
            Answer::Ended(status) => record(3, i64::from(status), 0),
        }
    }

    /// None for what is no answer.
    pub fn decode(bytes: &[u8]) -> Option<Answer> {
        match fields(bytes)? {
            (1, _, given) => Some(Answer::Started(given)),
            (2, errno, fault) => {
                let fault =
                    [Fault::Nothing, Fault::Folder, Fault::Program].into_iter().find(|each| *each as u64 == fault);
                Some(Answer::Refused(errno, fault?))
            }
            (3, status, _) => Some(Answer::Ended(status)),
            _ => None,
        }
    }
}

fn record(kind: u32, number: i64, mask: u64) -> Record {
    let mut bytes = [0; RECORD_BYTES];
    bytes[..4].copy_from_slice(&kind.to_le_bytes());
    bytes[4..8].copy_from_slice(&(number as i32).to_le_bytes());
    bytes[8..].copy_from_slice(&mask.to_le_bytes());
    bytes
}

fn fields(bytes: &[u8]) -> Option<(u32, i32, u64)> {
    let bytes: &Record = bytes.try_into().ok()?;
    let (kind, rest) = bytes.split_at(4);
    let (number, mask) = rest.split_at(4);
    let kind = u32::from_le_bytes(kind.try_into().ok()?);
    Some((kind, i32::from_le_bytes(number.try_into().ok()?), u64::from_le_bytes(mask.try_into().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_back() {
        for order in [Order::Start(0), Order::Start(2), Order::Start(i32::MAX as u32), Order::Signal(31), Order::Kill] {
            assert_eq!(Order::decode(&order.encode()), Some(order));
        }
    }

    #[test]
    fn every_answer_comes_back() {
        let refused = [Fault::Nothing, Fault::Folder, Fault::Program].map(|fault| Answer::Refused(libc::E2BIG, fault));
        for answer in [Answer::Started(0), Answer::Started(u64::MAX), Answer::Ended(0x8b)].into_iter().chain(refused) {
            assert_eq!(Answer::decode(&answer.encode()), Some(answer));
        }
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let whole = Answer::Refused(1, Fault::Program).encode();
        for length in 0..RECORD_BYTES {
            assert_eq!(Answer::decode(&whole[..length]), None);
            assert_eq!(Order::decode(&whole[..length]), None);
        }
        assert_eq!(Order::decode(&record(4, 0, 0)), None);
        assert_eq!(Order::decode(&record(1, -1, 0)), None);
        assert_eq!(Answer::decode(&record(0, 0, 0)), None);
        assert_eq!(Answer::decode(&record(2, 1, 3)), None);
    }
}
