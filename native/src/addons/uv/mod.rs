//! What addons of Node-API use of libuv. There is no libuv here: its names are functions over the environment's own loop, the
//! system's threads and the loop's pool. What is missing is refused when the addon is loaded (`addons::missing`).
//!
//! `handles` owns what all handles share, `waking`, `turns` and `waits` are their kinds; `work` is the pool's, `event_loop` the
//! loop and texts, `locks`, `threads` and `system` are the system's under other names.
pub mod event_loop;
mod handles;
mod locks;
mod system;
mod threads;
mod turns;
mod waits;
mod waking;
mod work;
