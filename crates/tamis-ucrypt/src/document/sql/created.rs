//! The columns of the tables that a dump creates.

use hashbrown::HashMap;

/// Most tables of one name in different schemas that are told apart; of more, the earlier half is forgotten. A statement that needs the columns of
/// one will say that it does not know them.
const MOST_NAMESAKES: usize = 1 << 10;

/// Tables and their columns, found by the last part of their names, as dumps that leave schemas out call them.
#[derive(Debug, Default)]
pub(super) struct Created(HashMap<String, Vec<Table>>);

#[derive(Debug)]
struct Table {
    name: Vec<String>,
    columns: Vec<String>,
}

impl Created {
    pub(super) fn insert(&mut self, name: Vec<String>, columns: Vec<String>) {
        let namesakes = self.0.entry(last(&whole(&name)).to_owned()).or_default();
        if namesakes.len() >= MOST_NAMESAKES {
            namesakes.drain(..MOST_NAMESAKES / 2);
        }
        namesakes.push(Table { name, columns });
    }

    /// The columns of the table that a statement means by this name: the latest of exactly this name, else the latest whose name differs in
    /// the case of letters only, or in a schema that one of both leaves out.
    pub(super) fn columns(&self, name: &[String]) -> Option<&[String]> {
        let written = whole(name);
        let namesakes = self.0.get(last(&written))?;
        let is_close = |table: &&Table| name.len() == 1 || table.name.len() == 1 || whole(&table.name) == written;
        let exact = namesakes.iter().rev().find(|table| table.name == name);
        exact.or_else(|| namesakes.iter().rev().find(is_close)).map(|table| table.columns.as_slice())
    }

    /// Forgets the tables of a name, with or without what encloses it.
    pub(super) fn forget(&mut self, written: &[u8]) {
        let name = String::from_utf8_lossy(written).trim_matches(['"', '`', '[', ']']).to_ascii_lowercase();
        self.0.remove(last(&name));
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

    #[test]
    fn a_table_is_found_by_its_name_with_or_without_its_schema() {
        let mut created = Created::default();
        for (number, written) in ["public.t", "other.t", "T", "s.u"].iter().enumerate() {
            created.insert(name(written), vec![number.to_string()]);
        }
        let found = |created: &Created, written| created.columns(&name(written)).map(|columns| columns[0].clone());
        for (written, number) in [
            ("public.t", Some("0")),
            ("OTHER.t", Some("2")),
            ("other.t", Some("1")),
            ("t", Some("2")),
            ("new.t", Some("2")),
            ("u", Some("3")),
            ("S.U", Some("3")),
            ("x.u", None),
            ("v", None),
        ] {
            assert_eq!(found(&created, written).as_deref(), number, "{written}");
        }
        created.forget(b"`T`");
        assert_eq!(found(&created, "public.t"), None);
        assert_eq!(found(&created, "u").as_deref(), Some("3"));
    }

    #[test]
    fn of_very_many_namesakes_the_latest_are_known() {
        let mut created = Created::default();
        for number in 0..5_000 {
            created.insert(name(&format!("s{number}.t")), vec![number.to_string()]);
        }
        assert_eq!(created.columns(&name("s4999.t")).unwrap(), ["4999"]);
        assert_eq!(created.columns(&name("s1.t")), None);
    }
}
