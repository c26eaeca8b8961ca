//! Work on several threads whose results stay in order.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// How many items each thread may have before it, the one it works on included.
const WAITING: usize = 2;

/// Work in progress may weigh this much, unless it is a single item.
const WEIGHT: usize = 4 << 20;

/// Enough for work that does not recurse; the default would count for two megabytes of address space.
const STACK: usize = 512 << 10;

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
                ends.take(work(item)?)?;
            }
            return Ok(());
        }
        share(ends, &lines)
    })
}

struct Line<I, P> {
    items: SyncSender<I>,
    products: Receiver<P>,
}

type Lines<E> = [Line<<E as Ends>::Item, Result<<E as Ends>::Product, <E as Ends>::Error>>];

/// Deals the items out in turn and takes the products in the same turn.
fn share<E: Ends>(ends: &mut E, lines: &Lines<E>) -> Result<(), E::Error> {
    let mut out = VecDeque::new();
    let (mut given, mut taken) = (0, 0);
    let mut take = |ends: &mut E| {
        let line = &lines[taken % lines.len()];
        taken += 1;
        match line.products.recv() {
            Ok(product) => product.and_then(|product| ends.take(product)),
            // The thread panicked, which the scope passes on.
            Err(_) => Ok(()),
        }
    };
    let mut end = Ok(());
    loop {
        let item = match ends.next() {
            Ok(Some(item)) => item,
            Ok(None) => break,
            Err(error) => {
                end = Err(error);
                break;
            }
        };
        let weight = E::weight(&item);
        while !out.is_empty() && (out.len() == WAITING * lines.len() || out.iter().sum::<usize>() + weight > WEIGHT) {
            out.pop_front();
            take(ends)?;
        }
        out.push_back(weight);
        if lines[given % lines.len()].items.send(item).is_err() {
            break;
        }
        given += 1;
    }
    for _ in out {
        take(ends)?;
    }
    end
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
            item % 7 * (1 << 20)
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
