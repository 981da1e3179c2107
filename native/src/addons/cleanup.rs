//! The end of an engine's addons: cleanup hooks in reverse order of registration, environments among them.
//!
//! An environment ends at the position of a hook registered when its addon was loaded: its finalizers are called, and
//! it becomes unusable. Asynchronous hooks are awaited while the loop turns.
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

use super::engine::Addons;
use super::env::{Env, api, place};
use super::references::finalize_all;
use super::thrown::{Words, attempt};
use super::types::{Data, Status};

type Hook = unsafe extern "C" fn(Data);
type AsyncHook = unsafe extern "C" fn(Data, Data);

enum What {
    Hook(Hook, Data),
    /// The number is the handle that the addon removes when the hook is done.
    Async(AsyncHook, Data, usize),
    Environment(&'static Env),
}

#[derive(Default)]
pub struct Hooks {
    hooks: RefCell<Vec<What>>,
    /// Handles of registered and running asynchronous hooks, with their environments.
    handles: RefCell<Vec<(usize, &'static Env)>>,
    under_way: Cell<usize>,
    /// Environments that end once their running asynchronous hooks are done.
    waiting: RefCell<Vec<&'static Env>>,
}

impl Hooks {
    pub fn add_environment(&self, env: &'static Env) {
        self.hooks.borrow_mut().push(What::Environment(env));
    }

    fn is_awaited(&self, env: &Env) -> bool {
        self.handles.borrow().iter().any(|(_, whose)| std::ptr::eq(*whose, env))
    }

    fn remove(&self, is_this: impl Fn(&What) -> bool) {
        let mut hooks = self.hooks.borrow_mut();
        if let Some(index) = hooks.iter().rposition(is_this) {
            hooks.remove(index);
        }
    }
}

/// Runs all hooks and ends all environments. The pool's work is done.
pub fn end(addons: &Rc<Addons>) {
    if addons.is_ending.replace(true) {
        return;
    }
    super::threadsafe::close_all(addons);
    loop {
        let next = addons.hooks.hooks.borrow_mut().pop();
        match next {
            None => break,
            // SAFETY: the addon registered the function with this argument.
            Some(What::Hook(hook, data)) => {
                addons.perform_last(Box::new(move || unsafe { run(hook as Data, [data as usize, 0, 0, 0]) }))
            }
            Some(What::Async(hook, data, handle)) => {
                addons.hooks.under_way.set(addons.hooks.under_way.get() + 1);
                let hooks = addons.clone();
                addons.perform_last(Box::new(move || {
                    if hooks.hooks.handles.borrow().iter().any(|(number, _)| *number == handle) {
                        // SAFETY: as above.
                        unsafe { run(hook as Data, [handle, data as usize, 0, 0]) };
                    }
                }));
            }
            Some(What::Environment(env)) if addons.hooks.is_awaited(env) => addons.hooks.waiting.borrow_mut().push(env),
            Some(What::Environment(env)) => end_environment(addons, env),
        }
    }
    while addons.hooks.under_way.get() > 0 && !addons.hooks.handles.borrow().is_empty() {
        let turned = addons.core().map(|core| core.turn(true, -1.0));
        if !matches!(turned, Some(Ok(true))) {
            break;
        }
    }
    for env in addons.hooks.waiting.take() {
        end_environment(addons, env);
    }
    addons.let_go_of_loop();
}

/// Calls a hook. Nothing can catch its exceptions any more, so they are printed.
///
/// # Safety
/// As for `attempt`.
unsafe fn run(hook: *const c_void, words: Words) {
    // SAFETY: guaranteed by the caller.
    if let Err(text) = unsafe { attempt(hook, words) } {
        eprintln!("warn: {text}");
    }
}

fn end_environment(addons: &Rc<Addons>, env: &'static Env) {
    let all = addons.clone();
    addons.perform_last(Box::new(move || {
        env.enter(|_| finalize_all(&all, env));
        env.close();
    }));
}

thread_local! {
    /// The hooks of this thread's engines, for `napi_remove_async_cleanup_hook`, which receives no environment.
    static OF_HANDLES: RefCell<Vec<(usize, std::rc::Weak<Addons>)>> = const { RefCell::new(Vec::new()) };
}

api! {
    basic fn napi_add_env_cleanup_hook(env, hook: Option<Hook>, data: Data) {
        let hook = hook.ok_or(Status::InvalidArg)?;
        env.addons.hooks.hooks.borrow_mut().push(What::Hook(hook, data));
    }

    basic fn napi_remove_env_cleanup_hook(env, hook: Option<Hook>, data: Data) {
        let hook = hook.ok_or(Status::InvalidArg)?;
        env.addons.hooks.remove(|what| matches!(what, What::Hook(known, with) if std::ptr::fn_addr_eq(*known, hook) && *with == data));
    }

    basic fn napi_add_async_cleanup_hook(env, hook: Option<AsyncHook>, data: Data, result: *mut Data) {
        static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(1);
        let hook = hook.ok_or(Status::InvalidArg)?;
        let handle = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        env.addons.hooks.hooks.borrow_mut().push(What::Async(hook, data, handle));
        env.addons.hooks.handles.borrow_mut().push((handle, env));
        OF_HANDLES.with_borrow_mut(|known| known.push((handle, Rc::downgrade(&env.addons))));
        super::env::store(result, handle as Data);
    }
}

/// `napi_remove_async_cleanup_hook`: removes the hook, or reports that it is done. Called on the environment's thread.
#[unsafe(no_mangle)]
pub extern "C" fn napi_remove_async_cleanup_hook(handle: Data) -> Status {
    let remove = || -> Result<(), Status> {
        place(handle)?;
        let handle = handle as usize;
        let known = OF_HANDLES.with_borrow_mut(|known| {
            let index = known.iter().position(|(number, _)| *number == handle)?;
            Some(known.swap_remove(index).1)
        });
        let addons = known.and_then(|addons| addons.upgrade()).ok_or(Status::InvalidArg)?;
        addons.hooks.remove(|what| matches!(what, What::Async(_, _, number) if *number == handle));
        addons.hooks.handles.borrow_mut().retain(|(number, _)| *number != handle);
        Ok(())
    };
    remove().err().unwrap_or(Status::Ok)
}
