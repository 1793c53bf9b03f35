//! Threads that live as long as one call: a process that forks later leaves no pool behind whose
//! threads its child would wait for in vain.
#![forbid(unsafe_code)]

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// What `work` gives for each item, in their order; one item needs no threads.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    if items.len() > 1
        && let Ok(pool) = ThreadPoolBuilder::new().build()
    {
        return pool.install(|| items.par_iter().map(work).collect());
    }
    items.iter().map(work).collect()
}
