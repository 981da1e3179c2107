//! `v8.queryObjects`: finds the objects of the heap that inherit from a prototype.
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::function::{Call, Natives, guarded};
use crate::v8::values::scope::Local;
use crate::v8::values::scope::calling;

pub const NATIVES: Natives = &[("queryObjects", query_objects)];

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

/// The predicate lives on the stack of `query_objects`; V8 deletes none.
unsafe extern "C" fn end(_predicate: *mut Predicate) {}

unsafe extern "C" fn inherits(predicate: *mut Predicate, object: Handle) -> bool {
    // SAFETY: V8 passes the predicate that it received and a live object. V8 skips proxies, so reading prototypes runs
    // no JavaScript.
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

/// `queryObjects(prototype)`: an array of the objects found.
pub extern "C" fn query_objects(info: &CallbackInfo) {
    guarded(info, |call: &Call<'_>| {
        let scope = &call.scope;
        let mut predicate = Predicate { table: &TABLE, prototype: call.argument(0).handle() };
        let mut found: [*mut Handle; 3] = [std::ptr::null_mut(); 3]; // a std::vector: begin, end, end of its memory
        // SAFETY: the predicate and the vector outlive the call. The handles in the vector and its memory are released
        // once each.
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
            call.answer_list(&objects);
        }
    });
}
