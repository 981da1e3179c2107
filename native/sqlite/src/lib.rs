//! SQLite, linked into a separate library that a program loads with its first database.
//!
//! It contains no code of rt except the function through which `native/src/sqlite/library.rs` finds SQLite's. Symbols
//! stay hidden from other libraries of the process that contain an SQLite.
use std::ffi::{CStr, c_char, c_void};

use libsqlite3_sys as _; // compiles and links it

macro_rules! functions {
    ($($name:ident)*) => {
        unsafe extern "C" { $(fn $name();)* }

        /// The SQLite functions that rt calls, by name.
        const FUNCTIONS: &[(&str, unsafe extern "C" fn())] = &[$((stringify!($name), $name)),*];
    };
}

functions! {
    sqlite3_aggregate_context sqlite3_backup_finish sqlite3_backup_init sqlite3_backup_pagecount sqlite3_backup_remaining
    sqlite3_backup_step sqlite3_bind_blob64 sqlite3_bind_double sqlite3_bind_int64 sqlite3_bind_null
    sqlite3_bind_parameter_count sqlite3_bind_parameter_index sqlite3_bind_parameter_name sqlite3_bind_text64
    sqlite3_busy_timeout sqlite3_changes64 sqlite3_clear_bindings sqlite3_close_v2 sqlite3_column_blob
    sqlite3_column_bytes sqlite3_column_count sqlite3_column_database_name sqlite3_column_decltype sqlite3_column_double
    sqlite3_column_int64 sqlite3_column_name sqlite3_column_origin_name sqlite3_column_table_name sqlite3_column_text
    sqlite3_column_type sqlite3_create_function_v2 sqlite3_create_window_function sqlite3_db_config sqlite3_db_filename
    sqlite3_deserialize sqlite3_enable_load_extension sqlite3_errmsg sqlite3_error_offset sqlite3_errstr sqlite3_exec
    sqlite3_expanded_sql sqlite3_extended_errcode sqlite3_file_control sqlite3_finalize sqlite3_free sqlite3_get_autocommit
    sqlite3_last_insert_rowid sqlite3_libversion sqlite3_limit sqlite3_load_extension sqlite3_malloc64 sqlite3_next_stmt
    sqlite3_open_v2 sqlite3_prepare_v3 sqlite3_reset sqlite3_result_blob64 sqlite3_result_double sqlite3_result_error
    sqlite3_result_int64 sqlite3_result_null sqlite3_result_text64 sqlite3_serialize sqlite3_set_authorizer sqlite3_sql
    sqlite3_step sqlite3_stmt_readonly sqlite3_stmt_status sqlite3_total_changes64 sqlite3_user_data sqlite3_value_blob
    sqlite3_value_bytes sqlite3_value_double sqlite3_value_int64 sqlite3_value_text sqlite3_value_type
    sqlite3changeset_apply sqlite3session_attach sqlite3session_changeset sqlite3session_create sqlite3session_delete
    sqlite3session_patchset
}

/// The address of one of SQLite's functions; null for a name that is not in the list above.
///
/// # Safety
/// `name` ends in NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rt_sqlite_function(name: *const c_char) -> *const c_void {
    // SAFETY: guaranteed by the caller.
    let name = unsafe { CStr::from_ptr(name) };
    let found = FUNCTIONS.iter().find(|(known, _)| name.to_bytes() == known.as_bytes());
    found.map_or(std::ptr::null(), |(_, function)| *function as *const c_void)
}
