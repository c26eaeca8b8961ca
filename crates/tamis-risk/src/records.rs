//! Distinct tuples of quasi-identifiers, and whose they are.

use tamis_table::{FrequencySet, TupleColumn, number_tuples};

/// The distinct tuples of a table with the number of their rows and, where each belongs to one person only, that person.
///
/// ```
/// use tamis_risk::Records;
/// // Three people: (0, 1) twice, (1, 1) once.
/// let records = Records::of_rows(&[&[0, 0, 1], &[1, 1, 1]]);
/// assert_eq!((records.tuples(), records.unique_rows()), (2, 1));
/// assert_eq!(records.groups(&[1]), vec![0, 0], "the second column does not tell them apart");
/// ```
#[derive(Debug, Clone)]
pub struct Records {
    columns: Vec<Vec<u32>>,
    domains: Vec<u32>,
    rows: Vec<u64>,
    sizes: Vec<u64>,
    only_person: Vec<Option<u32>>,
    /// The people behind each tuple, where rows are not people.
    people: Option<Vec<Vec<u32>>>,
}

impl Records {
    /// The tuples of a frequency set that have rows, with their numbers there in order.
    pub fn of(frequency: &FrequencySet) -> (Self, Vec<u32>) {
        let kept: Vec<u32> =
            (0..frequency.tuples() as u32).filter(|&tuple| frequency.counts[tuple as usize] > 0).collect();
        let columns: Vec<Vec<u32>> =
            frequency.codes.iter().map(|codes| kept.iter().map(|&tuple| codes[tuple as usize]).collect()).collect();
        let people = |tuple: u32| -> (u64, Option<u32>) {
            let tuple = tuple as usize;
            match &frequency.entities {
                None => {
                    let count = u64::from(frequency.counts[tuple]);
                    // Without names every row is someone else; the tuple's number is as good a name as any.
                    (count, (count == 1).then_some(tuple as u32))
                }
                Some(entities) => {
                    let ids = &entities.ids[entities.starts[tuple] as usize..entities.starts[tuple + 1] as usize];
                    (ids.len() as u64, if let [only] = ids { Some(*only) } else { None })
                }
            }
        };
        let named = frequency.entities.as_ref().map(|entities| {
            let ids =
                |tuple: usize| &entities.ids[entities.starts[tuple] as usize..entities.starts[tuple + 1] as usize];
            kept.iter().map(|&tuple| ids(tuple as usize).to_vec()).collect()
        });
        let (sizes, only_person) = kept.iter().map(|&tuple| people(tuple)).unzip();
        let rows = kept.iter().map(|&tuple| u64::from(frequency.counts[tuple as usize])).collect();
        (Self { domains: domains(&columns), columns, rows, sizes, only_person, people: named }, kept)
    }

    /// Rows given as one slice of codes per column, every row a person.
    pub fn of_rows(columns: &[&[u32]]) -> Self {
        let rows = columns.first().map_or(0, |column| column.len());
        let all: Vec<u32> = (0..rows as u32).collect();
        let picked: Vec<Picked<'_>> = columns.iter().map(|codes| Picked { codes, tuples: &all }).collect();
        let views: Vec<&dyn TupleColumn> = picked.iter().map(|column| column as &dyn TupleColumn).collect();
        let bounds: Vec<u32> = columns.iter().map(|codes| codes.iter().max().map_or(1, |&code| code + 1)).collect();
        let (numbers, firsts) = number_tuples(rows, &views, &bounds);
        let mut counts = vec![0u64; firsts.len()];
        for &number in &numbers {
            counts[number as usize] += 1;
        }
        let columns: Vec<Vec<u32>> =
            columns.iter().map(|codes| firsts.iter().map(|&row| codes[row as usize]).collect()).collect();
        let only_person = counts.iter().zip(0..).map(|(&count, tuple)| (count == 1).then_some(tuple)).collect();
        Self { domains: domains(&columns), columns, rows: counts.clone(), sizes: counts, only_person, people: None }
    }

    /// Number of quasi-identifiers.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Number of distinct tuples.
    pub fn tuples(&self) -> usize {
        self.rows.len()
    }

    /// Rows of a tuple. Panics if there is no such tuple.
    pub fn rows(&self, tuple: usize) -> u64 {
        self.rows[tuple]
    }

    /// People with a tuple. Panics if there is no such tuple.
    pub fn size(&self, tuple: usize) -> u64 {
        self.sizes[tuple]
    }

    /// The code of a tuple in a column. Panics if there is no such tuple or column.
    pub fn code(&self, tuple: usize, column: usize) -> u32 {
        self.columns[column][tuple]
    }

    /// People with any of these tuples. Panics if there is no such tuple.
    pub fn people_in(&self, tuples: impl Iterator<Item = usize>) -> u64 {
        match &self.people {
            None => tuples.map(|tuple| self.sizes[tuple]).sum(),
            Some(people) => {
                let mut ids: Vec<u32> = tuples.flat_map(|tuple| &people[tuple]).copied().collect();
                ids.sort_unstable();
                ids.dedup();
                ids.len() as u64
            }
        }
    }

    /// Rows in all.
    pub fn total_rows(&self) -> u64 {
        self.rows.iter().sum()
    }

    /// Rows whose tuple is one person's alone.
    pub fn unique_rows(&self) -> u64 {
        self.rows.iter().zip(&self.only_person).filter(|(_, person)| person.is_some()).map(|(&rows, _)| rows).sum()
    }

    /// The number of the group of every tuple when only the given columns are looked at. One hash look-up a tuple.
    pub fn groups(&self, columns: &[usize]) -> Vec<u32> {
        let all: Vec<u32> = (0..self.tuples() as u32).collect();
        self.group(columns, &all).0
    }

    /// The same for some tuples only, and the number of groups.
    pub(crate) fn group(&self, columns: &[usize], tuples: &[u32]) -> (Vec<u32>, usize) {
        let picked: Vec<Picked<'_>> =
            columns.iter().map(|&column| Picked { codes: &self.columns[column], tuples }).collect();
        let views: Vec<&dyn TupleColumn> = picked.iter().map(|column| column as &dyn TupleColumn).collect();
        let domains: Vec<u32> = columns.iter().map(|&column| self.domains[column]).collect();
        let (numbers, firsts) = number_tuples(tuples.len(), &views, &domains);
        (numbers, firsts.len())
    }

    /// The people of every group together, someone in two groups counted in each, and the number of groups.
    pub(crate) fn people_in_groups(&self, columns: &[usize]) -> (u64, usize) {
        let all: Vec<u32> = (0..self.tuples() as u32).collect();
        let (numbers, groups) = self.group(columns, &all);
        let people = match &self.people {
            None => self.sizes.iter().sum(),
            Some(people) => {
                let mut pairs: Vec<(u32, u32)> = numbers
                    .iter()
                    .zip(people)
                    .flat_map(|(&group, ids)| ids.iter().map(move |&id| (group, id)))
                    .collect();
                pairs.sort_unstable();
                pairs.dedup();
                pairs.len() as u64
            }
        };
        (people, groups)
    }

    /// Which of the given tuples are one person's alone among them when only these columns are looked at.
    pub(crate) fn alone_among(&self, columns: &[usize], tuples: &[u32]) -> Vec<u32> {
        let (numbers, groups) = self.group(columns, tuples);
        let mut person = vec![Whose::Nobody; groups];
        for (&number, &tuple) in numbers.iter().zip(tuples) {
            let whose = &mut person[number as usize];
            *whose = match (*whose, self.only_person[tuple as usize]) {
                (Whose::Nobody, Some(person)) => Whose::One(person),
                (Whose::One(first), Some(person)) if first == person => Whose::One(person),
                _ => Whose::Many,
            };
        }
        let is_alone = |number: u32| matches!(person[number as usize], Whose::One(_));
        numbers.iter().zip(tuples).filter(|&(&number, _)| is_alone(number)).map(|(_, &tuple)| tuple).collect()
    }
}

#[derive(Clone, Copy)]
enum Whose {
    Nobody,
    One(u32),
    Many,
}

/// One more than the largest code of each column.
fn domains(columns: &[Vec<u32>]) -> Vec<u32> {
    columns.iter().map(|codes| codes.iter().max().map_or(1, |&code| code + 1)).collect()
}

/// A column seen through a choice of tuples.
struct Picked<'a> {
    codes: &'a [u32],
    tuples: &'a [u32],
}

impl TupleColumn for Picked<'_> {
    fn pack(&self, start: usize, shift: u32, keys: &mut [u64]) {
        for (key, &tuple) in keys.iter_mut().zip(&self.tuples[start..]) {
            *key |= u64::from(self.codes[tuple as usize]) << shift;
        }
    }
}
