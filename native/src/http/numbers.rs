//! The numbers that native HTTP code and JavaScript exchange: kinds of events, flags, operations. JavaScript gets them by name
//! (`js/internal/http_numbers.js`), so that they are written here only.
use crate::v8::value::literal;
use crate::v8::{CallbackInfo, Natives, guarded};

pub const NATIVES: Natives = &[("httpNumbers", numbers)];

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        $($(#[$doc])* pub const $name: i32 = $value;)*
        const ALL: &[(&str, i32)] = &[$((stringify!($name), $name)),*];
    };
}

numbers! {
    // Events of a parser and of a server's connection.
    HEAD = 1;
    BODY = 2;
    END = 3;

    // Events of a parser.
    UPGRADE = 4;
    FAILED = 5;
    /// Part of another head has arrived.
    BEGUN = 6;

    // Events of a server's connection.
    RAW = 7;
    DRAINED = 8;
    ENDED = 9;
    GONE = 10;
    /// The client broke the protocol.
    BROKEN = 11;
    SPEAKS_HTTP2 = 12;
    /// Bytes of a body were read into its target.
    FILLED = 13;

    // Flags of a head.
    KEEP_ALIVE = 1;
    WISHES_UPGRADE = 2;
    HAS_BODY = 4;

    // The request that the next response answers.
    TO_OTHER = 0;
    TO_HEAD = 1;
    TO_CONNECT = 2;

    // Flags of `httpServerListen`.
    REUSE_PORT = 1;
    IPV6_ONLY = 2;

    // Flags of `httpServerWrite`.
    ADDS_LENGTH = 1;
    ENDS = 2;
    OMITS_BODY = 4;

    // Results of writing.
    WRITTEN = 0;
    QUEUED = 1;
    CLIENT_GONE = 2;
    /// A turn must be scheduled.
    TURN_FOLLOWS = 3;

    // Operations of `httpServerControl`.
    RELEASE = 0;
    PAUSE = 1;
    RESUME = 2;
    /// Returns the bytes after the request.
    ACCEPT_UPGRADE = 3;
    /// Returns events as a turn does.
    REFUSE_UPGRADE = 4;
    FINISH = 5;
    /// Returns the size of unsent output.
    WAITING = 6;
    /// In ms; -1: the default.
    IDLE_LIMIT = 7;
    /// Accept no more connections.
    STOP = 8;
    /// Returns memory for a body of that length, into which its rest is read.
    TARGET = 9;

    // Flags of `tlsTake`.
    TLS_MORE = rt_wire::tls_functions::MORE as i32;
    TLS_NEWS = rt_wire::tls_functions::NEWS as i32;
}

/// `httpNumbers()`: names and numbers in turn.
extern "C" fn numbers(info: &CallbackInfo) {
    guarded(info, |call| {
        let items =
            ALL.iter().flat_map(|(name, value)| [literal(&call.scope, name), call.scope.number((*value).into())]);
        call.answer_list(&items.collect::<Vec<_>>());
    });
}
