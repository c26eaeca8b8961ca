//! Work on several threads whose results stay in order.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::room;

/// How many items each thread may have before it, the one it works on included.
const WAITING: usize = 2;

/// Address space that the C library takes for each thread that allocates, and for what else a program needs.
const ARENA: u64 = 128 << 20;

/// Enough for work that does not recurse; the default would count for two megabytes of address space.
const STACK: usize = 512 << 10;

/// How many threads are good here: one for each core, or one where address space is limited (`ulimit -v`). There the C library
/// of Linux cannot give each thread its own heap and makes every allocation a system call, which takes twenty times as long; unless
/// it was told to let all threads share one heap (`MALLOC_ARENA_MAX=1`).
pub fn good_threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let has_one_heap = std::env::var("MALLOC_ARENA_MAX").is_ok_and(|heaps| heaps == "1");
    threads_for(cores, &limits, has_one_heap)
}

fn threads_for(cores: usize, limits: &str, has_one_heap: bool) -> usize {
    match address_space(limits) {
        Some(bytes) if !has_one_heap && bytes < ARENA * (cores as u64 + 1) => 1,
        _ => cores,
    }
}

/// The soft limit of address space in a list of limits as Linux gives it; nothing if there is no limit.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Both ends of a line of work: where items come from and where products go. Neither leaves the thread that calls [`in_order`].
pub(crate) trait Ends {
    /// What is worked on.
    type Item: Send;
    /// What becomes of it.
    type Product: Send;
    /// What can go wrong.
    type Error: Send;

    /// The next item.
    fn next(&mut self) -> Result<Option<Self::Item>, Self::Error>;

    /// How much memory an item takes.
    fn weight(item: &Self::Item) -> usize;

    /// How long the longest part of an item is that is worked on at once, which takes several times its memory.
    fn longest(item: &Self::Item) -> usize;

    /// What is said of an item for which there is not enough memory.
    fn too_heavy(item: &Self::Item) -> Self::Error;

    /// Takes a product, in the order of the items.
    fn take(&mut self, product: Self::Product) -> Result<(), Self::Error>;
}

/// Works on all items, each of the threads with its own worker. Which error is returned does not depend on the threads: it is
/// the first one in the order of the items.
pub(crate) fn in_order<E, W>(ends: &mut E, threads: usize, worker: impl Fn() -> W + Sync) -> Result<(), E::Error>
where
    E: Ends,
    W: FnMut(E::Item) -> Result<E::Product, E::Error>,
{
    thread::scope(|scope| {
        let worker = &worker;
        let mut lines = Vec::new();
        // The calling thread prepares items and takes products; it works on them only if it is alone.
        for _ in 0..if threads > 1 { threads } else { 0 } {
            let (items, inbox) = sync_channel::<E::Item>(WAITING);
            let (outbox, products) = sync_channel(WAITING);
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let mut work = worker();
                for item in inbox {
                    if outbox.send(work(item)).is_err() {
                        break;
                    }
                }
            });
            // Where no more threads can be had, those that are there will do.
            match thread {
                Ok(_) => lines.push(Line { items, products }),
                Err(_) => break,
            }
        }
        if lines.is_empty() {
            let mut work = worker();
            while let Some(item) = ends.next()? {
                fits::<E>(&item)?;
                ends.take(work(item)?)?;
            }
            return Ok(());
        }
        share(ends, &lines, worker)
    })
}

/// Refuses a heavy item for which there is no memory.
fn fits<E: Ends>(item: &E::Item) -> Result<(), E::Error> {
    if E::weight(item) > room::SHORT && !room::is_there_for(E::longest(item)) {
        return Err(E::too_heavy(item));
    }
    Ok(())
}

struct Line<I, P> {
    items: SyncSender<I>,
    products: Receiver<P>,
}

type Lines<E> = [Line<<E as Ends>::Item, Result<<E as Ends>::Product, <E as Ends>::Error>>];

/// Deals the items out in turn and takes the products in the same turn.
fn share<E, W>(ends: &mut E, lines: &Lines<E>, worker: &impl Fn() -> W) -> Result<(), E::Error>
where
    E: Ends,
    W: FnMut(E::Item) -> Result<E::Product, E::Error>,
{
    let (mut given, mut taken) = (0, 0);
    let mut take = |ends: &mut E, up_to: usize| {
        while taken < up_to {
            let line = &lines[taken % lines.len()];
            taken += 1;
            // Nothing comes from a thread that panicked, which the scope passes on.
            if let Ok(product) = line.products.recv() {
                ends.take(product?)?;
            }
        }
        Ok(())
    };
    let mut own = None;
    loop {
        let item = match ends.next() {
            Ok(Some(item)) => item,
            Ok(None) => return take(ends, given),
            Err(error) => {
                take(ends, given)?;
                return Err(error);
            }
        };
        if E::weight(&item) > room::SHORT {
            // The calling thread works on it while the others rest, so that memory is taken for one such item at a time.
            take(ends, given)?;
            fits::<E>(&item)?;
            let product = own.get_or_insert_with(worker)(item)?;
            ends.take(product)?;
            continue;
        }
        take(ends, (given + 1).saturating_sub(WAITING * lines.len()))?;
        if lines[given % lines.len()].items.send(item).is_err() {
            return take(ends, given);
        }
        given += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbers {
        next: usize,
        end: usize,
        fails: bool,
        taken: Vec<usize>,
    }

    impl Ends for Numbers {
        type Item = usize;
        type Product = usize;
        type Error = String;

        fn next(&mut self) -> Result<Option<usize>, String> {
            self.next += 1;
            match self.next - 1 {
                number if number < self.end => Ok(Some(number)),
                _ if self.fails => Err("the end".into()),
                _ => Ok(None),
            }
        }

        fn weight(item: &usize) -> usize {
            item % 7 * (1 << 18)
        }

        fn longest(item: &usize) -> usize {
            Self::weight(item)
        }

        fn too_heavy(item: &usize) -> String {
            format!("no room for {item}")
        }

        fn take(&mut self, product: usize) -> Result<(), String> {
            self.taken.push(product);
            Ok(())
        }
    }

    fn run(threads: usize, fails: bool, worst: Option<usize>) -> (Result<(), String>, Vec<usize>) {
        let mut ends = Numbers { next: 0, end: 200, fails, taken: Vec::new() };
        let result = in_order(&mut ends, threads, || {
            move |number| {
                if number % 5 == 0 {
                    thread::yield_now();
                }
                if Some(number) == worst { Err(format!("item {number}")) } else { Ok(number * 10) }
            }
        });
        (result, ends.taken)
    }

    #[test]
    fn products_come_in_the_order_of_the_items() {
        for threads in [0, 1, 2, 3, 8] {
            assert_eq!(run(threads, false, None), (Ok(()), (0..200).map(|number| number * 10).collect()));
        }
    }

    #[test]
    fn a_limit_of_address_space_is_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
            Max cpu time              unlimited            unlimited            seconds\n\
            Max address space         67108864             unlimited            bytes\n";
        assert_eq!(address_space(limits), Some(64 << 20));
        assert_eq!(address_space(&limits.replace("67108864", "unlimited")), None);
        assert_eq!(address_space(""), None);
        assert_eq!((threads_for(2, limits, false), threads_for(2, limits, true), threads_for(2, "", false)), (1, 2, 2));
        assert!(good_threads() >= 1);
    }

    #[test]
    fn the_first_error_in_order_counts_and_ends_the_work() {
        for threads in [1, 2, 5] {
            assert_eq!(run(threads, true, None).0, Err("the end".into()));
            let (result, taken) = run(threads, true, Some(199));
            assert_eq!(result, Err("item 199".into()));
            assert_eq!(taken.len(), 199);
            assert_eq!(run(threads, false, Some(3)).1, [0, 10, 20]);
        }
    }
}
