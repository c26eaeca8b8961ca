//! Threads, progress and stopping, shared by the two halves of an audit.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::{AuditError, AuditOptions};

pub(super) struct Work<'a> {
    options: &'a AuditOptions<'a>,
    /// `None` if the system gives no threads: then the caller's must do.
    pool: Option<rayon::ThreadPool>,
    /// When to stop attacking levels.
    until: Option<Instant>,
    total: u64,
    done: AtomicU64,
    attacks: AtomicU64,
}

impl<'a> Work<'a> {
    pub(super) fn new(options: &'a AuditOptions<'a>, total: u64) -> Self {
        // More threads than processors or attacks would only cost memory, and very many end the process.
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = if options.threads == 0 { processors } else { usize::min(options.threads, 4 * processors) };
        let threads = usize::min(wanted, usize::try_from(total).unwrap_or(usize::MAX)).max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        Self { options, pool, until: None, total, done: AtomicU64::new(0), attacks: AtomicU64::new(0) }
    }

    /// The same work, which leaves levels undecided after some moment.
    pub(super) fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Whether levels that are not decided yet are to stay so.
    pub(super) fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Whether tables are needed beyond what they prove.
    pub(super) fn keeps_tables(&self) -> bool {
        self.options.unnecessary
    }

    /// Does something with each of some things.
    pub(super) fn each<T: Send>(&self, things: &mut [T], act: impl Fn(&mut T) + Sync + Send) {
        match &self.pool {
            Some(pool) => pool.install(|| things.par_iter_mut().with_max_len(1).for_each(&act)),
            None => things.iter_mut().for_each(act),
        }
    }

    /// Does all pieces, each on one thread; the answers are in their order.
    pub(super) fn map<T: Sync, A: Send>(
        &self,
        pieces: &[T],
        answer: impl Fn(&T) -> Result<A, AuditError> + Sync,
    ) -> Result<Vec<A>, AuditError> {
        match &self.pool {
            Some(pool) => pool.install(|| pieces.par_iter().with_max_len(1).map(&answer).collect()),
            None => pieces.iter().map(answer).collect(),
        }
    }

    /// Says that so much of the total is done, and whether to go on.
    pub(super) fn done(&self, more: u64) -> Result<(), AuditError> {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        (self.options.progress)(u64::min(done, self.total), self.total);
        if self.options.stop.load(Ordering::Relaxed) { Err(AuditError::Stopped) } else { Ok(()) }
    }

    /// When to stop looking for the ends of intervals.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.options.deadline
    }

    pub(super) fn count(&self, attacks: u64) {
        self.attacks.fetch_add(attacks, Ordering::Relaxed);
    }

    pub(super) fn attacks(&self) -> u64 {
        self.attacks.load(Ordering::Relaxed)
    }
}
