//! The columns of the tables that a dump creates.

use hashbrown::HashMap;

use super::words::may_be_one;

/// Most tables of one name in different schemas that are told apart; of more, the earlier half is forgotten. A statement that needs the columns of
/// one will say that it does not know them.
const MOST_NAMESAKES: usize = 1 << 10;

/// Tables and their columns, found by the last part of their names, as dumps that leave schemas out call them.
#[derive(Debug, Default)]
pub(super) struct Created {
    tables: HashMap<String, Vec<Table>>,
    /// How often names began to mean other tables: another database or schema was chosen, or what was done was undone.
    context: u64,
}

#[derive(Debug)]
struct Table {
    name: Vec<String>,
    columns: Listed,
    /// Where it was created; nowhere, if it may have been there before, or was dropped since.
    context: Option<u64>,
}

/// The columns of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Listed {
    /// In the order in which a row without their names has them.
    InOrder(Vec<String>),
    /// In an order that a definition does not tell: a row may have those that are inherited elsewhere than first.
    Inherited,
}

/// What is known of the columns of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known<'a> {
    Nothing,
    Columns(&'a Listed),
    /// The name may mean several tables, which have others.
    Several,
}

impl Created {
    /// Takes note of a table. One that is created only if there is none may be one that was there before.
    pub(super) fn insert(&mut self, name: Vec<String>, columns: Listed, is_sure: bool) {
        let namesakes = self.tables.entry(last(&whole(&name)).to_owned()).or_default();
        if namesakes.len() >= MOST_NAMESAKES {
            namesakes.drain(..MOST_NAMESAKES / 2);
        }
        let is_new = is_sure || !namesakes.iter().any(|table| may_be_one(&table.name, &name));
        namesakes.push(Table { name, columns, context: is_new.then_some(self.context) });
    }

    /// Names may mean other tables from here on.
    pub(super) fn leave(&mut self) {
        self.context += 1;
    }

    /// What is known of the columns of the table that a statement means by this name: those of the latest one that was called exactly so and since
    /// when names mean the same; otherwise those that all tables have which the name may mean.
    pub(super) fn columns(&self, name: &[String]) -> Known<'_> {
        let Some(namesakes) = self.tables.get(last(&whole(name))) else { return Known::Nothing };
        let is_here = |table: &&Table| table.name == name && table.context == Some(self.context);
        if let Some(exact) = namesakes.iter().rev().find(is_here) {
            return Known::Columns(&exact.columns);
        }
        let mut close = namesakes.iter().rev().filter(|table| may_be_one(&table.name, name));
        let Some(latest) = close.next() else { return Known::Nothing };
        if close.all(|table| table.columns == latest.columns) {
            Known::Columns(&latest.columns)
        } else {
            Known::Several
        }
    }

    /// Whether a table is known by this name.
    pub(super) fn has(&self, name: &[String]) -> bool {
        self.columns(name) != Known::Nothing
    }

    /// Takes note that a table of this name is dropped: others of the name may be meant from here on.
    pub(super) fn drop(&mut self, name: &[String]) {
        for table in self.tables.get_mut(last(&whole(name))).into_iter().flatten() {
            table.context = None;
        }
    }

    /// Forgets the tables of a name, with or without what encloses it.
    pub(super) fn forget(&mut self, written: &[u8]) {
        let name = String::from_utf8_lossy(written).trim_matches(['"', '`', '[', ']']).to_ascii_lowercase();
        self.tables.remove(last(&name));
    }
}

fn whole(name: &[String]) -> String {
    name.join(".").to_ascii_lowercase()
}

fn last(whole: &str) -> &str {
    whole.rsplit('.').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(written: &str) -> Vec<String> {
        written.split('.').map(str::to_owned).collect()
    }

    fn listed(number: usize) -> Listed {
        Listed::InOrder(vec![number.to_string()])
    }

    fn found(created: &Created, written: &str) -> String {
        match created.columns(&name(written)) {
            Known::Nothing => "-".to_owned(),
            Known::Several => "?".to_owned(),
            Known::Columns(Listed::Inherited) => "inherited".to_owned(),
            Known::Columns(Listed::InOrder(columns)) => columns[0].clone(),
        }
    }

    #[test]
    fn a_table_is_found_by_its_name_with_or_without_its_schema() {
        let mut created = Created::default();
        for (number, written) in ["public.t", "other.t", "T", "s.u"].iter().enumerate() {
            created.insert(name(written), listed(number), true);
        }
        for (written, number) in [
            ("public.t", "0"),
            ("other.t", "1"),
            ("T", "2"),
            // There are several that it may mean.
            ("t", "?"),
            ("OTHER.t", "?"),
            ("new.t", "2"),
            ("u", "3"),
            ("S.U", "3"),
            ("db.s.u", "3"),
            ("x.u", "-"),
            ("v", "-"),
        ] {
            assert_eq!(found(&created, written), number, "{written}");
        }
        created.forget(b"`T`");
        assert_eq!(found(&created, "public.t"), "-");
        assert_eq!(found(&created, "u"), "3");
    }

    #[test]
    fn a_name_that_may_mean_another_table_by_now_means_all_of_them() {
        let mut created = Created::default();
        created.insert(name("t"), listed(1), true);
        created.insert(name("t"), listed(2), true);
        assert_eq!(found(&created, "t"), "2");
        created.drop(&name("temp.t"));
        assert_eq!(found(&created, "t"), "?");
        created.insert(name("t"), listed(3), true);
        assert_eq!(found(&created, "t"), "3");
        created.leave();
        assert_eq!(found(&created, "t"), "?");
        // One that is perhaps not created changes nothing.
        created.insert(name("t"), listed(4), false);
        assert_eq!(found(&created, "t"), "?");
        created.insert(name("u"), listed(5), false);
        created.leave();
        assert_eq!(found(&created, "u"), "5");
        created.insert(name("w"), Listed::Inherited, true);
        assert_eq!(found(&created, "w"), "inherited");
    }

    #[test]
    fn of_very_many_namesakes_the_latest_are_known() {
        let mut created = Created::default();
        for number in 0..5_000 {
            created.insert(name(&format!("s{number}.t")), listed(number), true);
        }
        assert_eq!(found(&created, "s4999.t"), "4999");
        assert_eq!(found(&created, "s1.t"), "-");
    }
}
