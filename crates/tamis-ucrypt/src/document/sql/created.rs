//! The columns of the tables that a dump creates.

use hashbrown::HashMap;

/// Tables and their columns, found by their names in constant time however many there are.
#[derive(Debug, Default)]
pub(super) struct Created {
    /// By the last part of their names, as dumps that leave schemas out call them.
    by_last: HashMap<String, Namesakes>,
}

/// Tables whose names end alike. Numbers are those of `columns`, of which the last one was created last.
#[derive(Debug, Default)]
struct Namesakes {
    columns: Vec<Vec<String>>,
    /// By the name as it was written, part by part.
    exact: HashMap<Vec<String>, usize>,
    /// By the name with its schema, in lower case.
    whole: HashMap<String, usize>,
    /// The one that has no schema.
    bare: Option<usize>,
}

impl Created {
    pub(super) fn insert(&mut self, name: Vec<String>, columns: Vec<String>) {
        let whole = whole(&name);
        let namesakes = self.by_last.entry(last(&whole).to_owned()).or_default();
        let number = namesakes.columns.len();
        namesakes.columns.push(columns);
        if name.len() == 1 {
            namesakes.bare = Some(number);
        }
        namesakes.whole.insert(whole, number);
        namesakes.exact.insert(name, number);
    }

    /// The columns of the table that a statement means by this name: the one of exactly this name, else the latest whose name differs in
    /// the case of letters only, or in a schema that one of both leaves out.
    pub(super) fn columns(&self, name: &[String]) -> Option<&[String]> {
        let whole = whole(name);
        let namesakes = self.by_last.get(last(&whole))?;
        let latest = (name.len() == 1).then(|| namesakes.columns.len() - 1);
        let close = || [namesakes.whole.get(&whole).copied(), namesakes.bare, latest].into_iter().flatten().max();
        let number = namesakes.exact.get(name).copied().or_else(close)?;
        Some(&namesakes.columns[number])
    }

    /// Forgets the tables of a name, with or without what encloses it.
    pub(super) fn forget(&mut self, written: &[u8]) {
        let name = String::from_utf8_lossy(written).trim_matches(['"', '`', '[', ']']).to_ascii_lowercase();
        self.by_last.remove(last(&name));
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
}
