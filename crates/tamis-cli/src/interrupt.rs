//! Ctrl-C: the first stops the search and takes the best so far, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// A flag that Ctrl-C sets.
pub(crate) fn stop_flag() -> &'static Arc<AtomicBool> {
    let flag = STOP.get_or_init(Arc::default);
    // A handler can be set only once; a second call finds it in place.
    let _ = ctrlc::set_handler(|| {
        if let Some(flag) = STOP.get()
            && flag.swap(true, Ordering::Relaxed)
        {
            std::process::exit(130);
        }
    });
    flag
}
