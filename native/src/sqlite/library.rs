//! SQLite's functions, from the library that `native/sqlite` builds and that is installed beside this module. It is
//! opened with a program's first database, and never closed.
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use crate::files::beside::function_in;

/// `sqlite3*`, `sqlite3_stmt*`, `sqlite3_value*` and SQLite's other objects, and bytes.
pub type Raw = *mut c_void;
pub type Function = Option<unsafe extern "C" fn(Raw, c_int, *mut Raw)>;
pub type Finish = Option<unsafe extern "C" fn(Raw)>;
pub type Destroy = Option<unsafe extern "C" fn(Raw)>;
pub type Authorizer =
    Option<unsafe extern "C" fn(Raw, c_int, *const c_char, *const c_char, *const c_char, *const c_char) -> c_int>;
pub type Filter = Option<unsafe extern "C" fn(Raw, *const c_char) -> c_int>;
pub type Conflict = Option<unsafe extern "C" fn(Raw, c_int, Raw) -> c_int>;

pub const OK: c_int = 0;
pub const ABORT: c_int = 4;
pub const BUSY: c_int = 5;
pub const LOCKED: c_int = 6;
pub const ROW: c_int = 100;
pub const DONE: c_int = 101;
/// The types of values.
pub const INTEGER: c_int = 1;
pub const FLOAT: c_int = 2;
pub const TEXT: c_int = 3;
pub const BLOB: c_int = 4;
pub const UTF8: c_int = 1;

macro_rules! functions {
    ($($name:ident: fn($($arg:ty),*) $(-> $result:ty)?;)*) => {
        pub struct Sqlite { $(pub $name: unsafe extern "C" fn($($arg),*) $(-> $result)?,)* }

        impl Sqlite {
            /// # Safety
            /// `find` returns addresses of functions of the SQLite whose header declares these signatures.
            unsafe fn found(find: unsafe extern "C" fn(*const c_char) -> *const c_void) -> Result<Sqlite, String> {
                Ok(Sqlite { $($name: {
                    const NAME: &CStr = match CStr::from_bytes_with_nul(concat!("sqlite3", stringify!($name), "\0").as_bytes()) {
                        Ok(name) => name,
                        Err(_) => panic!("a name holds NUL"),
                    };
                    // SAFETY: the name ends in NUL.
                    let address = unsafe { find(NAME.as_ptr()) };
                    if address.is_null() {
                        return Err(format!("{} is not in it", NAME.to_string_lossy()));
                    }
                    // SAFETY: the signature is the header's, as the caller guarantees.
                    unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn($($arg),*) $(-> $result)?>(address) }
                },)* })
            }
        }
    };
}

functions! {
    _aggregate_context: fn(Raw, c_int) -> Raw;
    _backup_finish: fn(Raw) -> c_int;
    _backup_init: fn(Raw, *const c_char, Raw, *const c_char) -> Raw;
    _backup_pagecount: fn(Raw) -> c_int;
    _backup_remaining: fn(Raw) -> c_int;
    _backup_step: fn(Raw, c_int) -> c_int;
    _bind_blob64: fn(Raw, c_int, *const u8, u64, isize) -> c_int;
    _bind_double: fn(Raw, c_int, f64) -> c_int;
    _bind_int64: fn(Raw, c_int, i64) -> c_int;
    _bind_null: fn(Raw, c_int) -> c_int;
    _bind_parameter_count: fn(Raw) -> c_int;
    _bind_parameter_name: fn(Raw, c_int) -> *const c_char;
    _bind_text64: fn(Raw, c_int, *const u8, u64, isize, u8) -> c_int;
    _busy_timeout: fn(Raw, c_int) -> c_int;
    _changes64: fn(Raw) -> i64;
    _clear_bindings: fn(Raw) -> c_int;
    _close_v2: fn(Raw) -> c_int;
    _column_blob: fn(Raw, c_int) -> *const u8;
    _column_bytes: fn(Raw, c_int) -> c_int;
    _column_count: fn(Raw) -> c_int;
    _column_database_name: fn(Raw, c_int) -> *const c_char;
    _column_decltype: fn(Raw, c_int) -> *const c_char;
    _column_double: fn(Raw, c_int) -> f64;
    _column_int64: fn(Raw, c_int) -> i64;
    _column_name: fn(Raw, c_int) -> *const c_char;
    _column_origin_name: fn(Raw, c_int) -> *const c_char;
    _column_table_name: fn(Raw, c_int) -> *const c_char;
    _column_text: fn(Raw, c_int) -> *const u8;
    _column_type: fn(Raw, c_int) -> c_int;
    _create_function_v2: fn(Raw, *const c_char, c_int, c_int, Raw, Function, Function, Finish, Destroy) -> c_int;
    _create_window_function: fn(Raw, *const c_char, c_int, c_int, Raw, Function, Finish, Finish, Function, Destroy) -> c_int;
    _db_filename: fn(Raw, *const c_char) -> *const c_char;
    _deserialize: fn(Raw, *const c_char, *mut u8, i64, i64, c_uint) -> c_int;
    _errmsg: fn(Raw) -> *const c_char;
    _error_offset: fn(Raw) -> c_int;
    _errstr: fn(c_int) -> *const c_char;
    _exec: fn(Raw, *const c_char, Raw, Raw, Raw) -> c_int;
    _expanded_sql: fn(Raw) -> *mut c_char;
    _extended_errcode: fn(Raw) -> c_int;
    _file_control: fn(Raw, *const c_char, c_int, Raw) -> c_int;
    _finalize: fn(Raw) -> c_int;
    _free: fn(Raw);
    _get_autocommit: fn(Raw) -> c_int;
    _last_insert_rowid: fn(Raw) -> i64;
    _libversion: fn() -> *const c_char;
    _limit: fn(Raw, c_int, c_int) -> c_int;
    _load_extension: fn(Raw, *const c_char, *const c_char, *mut *mut c_char) -> c_int;
    _malloc64: fn(u64) -> *mut u8;
    _open_v2: fn(*const c_char, *mut Raw, c_int, *const c_char) -> c_int;
    _prepare_v3: fn(Raw, *const c_char, c_int, c_uint, *mut Raw, *mut *const c_char) -> c_int;
    _reset: fn(Raw) -> c_int;
    _result_blob64: fn(Raw, *const u8, u64, isize);
    _result_double: fn(Raw, f64);
    _result_error: fn(Raw, *const u8, c_int);
    _result_int64: fn(Raw, i64);
    _result_null: fn(Raw);
    _result_text64: fn(Raw, *const u8, u64, isize, u8);
    _serialize: fn(Raw, *const c_char, *mut i64, c_uint) -> *mut u8;
    _set_authorizer: fn(Raw, Authorizer, Raw) -> c_int;
    _sql: fn(Raw) -> *const c_char;
    _step: fn(Raw) -> c_int;
    _stmt_readonly: fn(Raw) -> c_int;
    _stmt_status: fn(Raw, c_int, c_int) -> c_int;
    _total_changes64: fn(Raw) -> i64;
    _user_data: fn(Raw) -> Raw;
    _value_blob: fn(Raw) -> *const u8;
    _value_bytes: fn(Raw) -> c_int;
    _value_double: fn(Raw) -> f64;
    _value_int64: fn(Raw) -> i64;
    _value_text: fn(Raw) -> *const u8;
    _value_type: fn(Raw) -> c_int;
    changeset_apply: fn(Raw, c_int, *const u8, Filter, Conflict, Raw) -> c_int;
    session_attach: fn(Raw, *const c_char) -> c_int;
    session_changeset: fn(Raw, *mut c_int, *mut *mut u8) -> c_int;
    session_create: fn(Raw, *const c_char, *mut Raw) -> c_int;
    session_delete: fn(Raw);
    session_patchset: fn(Raw, *mut c_int, *mut *mut u8) -> c_int;
}

/// A variadic function: `sqlite3_db_config(db, what, int, int*)`.
pub type Configure = unsafe extern "C" fn(Raw, c_int, ...) -> c_int;

pub struct Loaded {
    pub sqlite: Sqlite,
    pub configure: Configure,
}

static LOADED: OnceLock<Result<Loaded, String>> = OnceLock::new();
/// In place of a destructor: SQLite copies what is bound or returned.
pub const TRANSIENT: isize = -1;

/// Opens the library, once; the error describes what is wrong with it.
pub fn load() -> Result<&'static Loaded, &'static str> {
    LOADED.get_or_init(open).as_ref().map_err(String::as_str)
}

/// SQLite's functions. Panics before a successful `load`, which every database requires.
#[inline]
pub fn sqlite() -> &'static Sqlite {
    match LOADED.get() {
        Some(Ok(loaded)) => &loaded.sqlite,
        _ => panic!("SQLite was not loaded"),
    }
}

fn open() -> Result<Loaded, String> {
    let find = function_in("librt_sqlite.so", c"rt_sqlite_function")?;
    crate::v8::rows::load().map_err(|symbol| format!("V8 has no {symbol}"))?;
    // SAFETY: the library is rt's own, built with this module, and its functions have the signatures above.
    unsafe {
        let find =
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const c_char) -> *const c_void>(find.as_ptr());
        let configure = find(c"sqlite3_db_config".as_ptr());
        if configure.is_null() {
            return Err("sqlite3_db_config is not in it".to_owned());
        }
        let configure = std::mem::transmute::<*const c_void, Configure>(configure);
        Ok(Loaded { sqlite: Sqlite::found(find)?, configure })
    }
}
