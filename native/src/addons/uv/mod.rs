//! What addons of Node-API use of libuv. rt contains no libuv: these functions use the environment's loop, the system's
//! threads and the loop's pool. Loading an addon that needs others fails (`addons::missing`).
//!
//! `handles` owns what all handles share, `waking`, `turns` and `waits` are their kinds; `work` uses the pool,
//! `event_loop` has the loop and texts, `locks`, `threads` and `system` map to the system's functions.
pub mod event_loop;
mod handles;
mod locks;
mod system;
mod threads;
mod turns;
mod waits;
mod waking;
mod work;
