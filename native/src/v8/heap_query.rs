//! Finds the objects of the heap that inherit from one: `v8.queryObjects`.
use super::api::{Handle, Raw, v8};
use super::function::{Call, guarded};
use super::layout::CallbackInfo;
use super::module_graph::calling;
use super::scope::Local;
use super::vm_scripts::answer_list;

/// `v8::QueryObjectPredicate`: its virtual functions are two destructors and `Filter`.
#[repr(C)]
struct Predicate {
    table: *const Table,
    prototype: Handle,
}

#[repr(C)]
struct Table {
    destructors: [unsafe extern "C" fn(*mut Predicate); 2],
    filter: unsafe extern "C" fn(*mut Predicate, Handle) -> bool,
}

static TABLE: Table = Table { destructors: [end, end], filter: inherits };

/// It lies on the stack of `query_objects`; V8 deletes none.
unsafe extern "C" fn end(_predicate: *mut Predicate) {}

unsafe extern "C" fn inherits(predicate: *mut Predicate, object: Handle) -> bool {
    // SAFETY: V8 is calling with the predicate that it was given and a live object; looking at prototypes runs no JavaScript,
    // because V8 asks about no proxies.
    unsafe {
        calling().nested(|_| {
            let sought = *(*predicate).prototype;
            let mut prototype = (v8().object_prototype)(object);
            while !prototype.is_null() && (v8().is_object)(prototype) {
                if *prototype == sought {
                    return true;
                }
                prototype = (v8().object_prototype)(prototype);
            }
            false
        })
    }
}

/// `queryObjects(prototype)`: an array of them.
pub unsafe extern "C" fn query_objects(info: &CallbackInfo) {
    guarded(info, |call: &Call<'_>| {
        let scope = &call.scope;
        let mut predicate = Predicate { table: &TABLE, prototype: call.argument(0).handle() };
        let mut found: [*mut Handle; 3] = [std::ptr::null_mut(); 3]; // a std::vector: begin, end, end of its memory
        // SAFETY: the predicate and the vector live through the call; the handles in the vector are V8's until they are
        // given back, which happens once, as does its memory.
        unsafe {
            let profiler = (v8().heap_profiler)(scope.isolate);
            let predicate = &mut predicate as *mut Predicate as Raw;
            (v8().heap_query)(profiler, scope.context.handle(), predicate, found.as_mut_ptr() as Raw);
            let count = found[1].offset_from(found[0]).max(0) as usize;
            let handles: Vec<Handle> = (0..count).map(|at| *found[0].add(at)).collect();
            let objects: Vec<Local<'_>> = handles.iter().map(|handle| scope.handle_for(**handle)).collect();
            handles.iter().for_each(|handle| (v8().global_dispose)(*handle));
            if !found[0].is_null() {
                (v8().operator_delete)(found[0] as Raw);
            }
            answer_list(call, &objects);
        }
    });
}
