//! What `tamis ucrypt` promises: the story of the paper from the command line, in every kind of document.

use crate::holders::*;
use crate::program::{Desk, sorted_rows};
use rusqlite::Connection;

mod the_story {
    use super::*;

    #[test]
    fn record_5_is_sealed_in_four_fields_and_nothing_else_changes_by_a_byte() {
        let desk = sealed_desk();
        for kind in ["csv", "sql", "xml"] {
            let (plain, sealed) = (desk.read(&format!("plain.{kind}")), desk.read(&format!("sealed.{kind}")));
            assert_eq!(sealed.matches("<UCRYPT ").count(), 4, "{sealed}");
            assert_eq!(sealed.matches("</UCRYPT>").count(), 4);
            for value in &ROWS[4][1..] {
                assert!(!sealed.contains(value));
            }
            // Every other line is where it was; the lines with data keys are the only new ones.
            let mut rest: Vec<&str> = sealed
                .lines()
                .filter(|line| !line.starts_with("<?ucrypt-key ") && !line.contains("ucrypt_keys"))
                .collect();
            let at = rest.iter().position(|line| line.contains("<UCRYPT ")).expect("a sealed record");
            let before: Vec<&str> = plain.lines().collect();
            let record = before[at];
            assert!(record.contains("Podagra"));
            rest[at] = record;
            assert_eq!(rest, before, "{kind}");
        }
        let database = rows(&desk, "sealed.db");
        for (row, plain) in database.iter().zip(ROWS) {
            if plain[0] == "5" {
                assert!(row[1..].iter().all(|text| text.starts_with("<UCRYPT ")));
            } else {
                assert_eq!(*row, plain.map(str::to_owned));
            }
        }
    }

    /// Figure 8 of the paper as it is, and what Figures 9 and 11 make of it.
    #[test]
    fn paper_figures_8_9_and_11_are_one_table_before_and_after() {
        let desk = desk();
        let paper = |text: String| {
            let pairs = ROWS[4][1..].iter().zip(["Kociniak", "Inżynier", "Kraków", "AIDS"]);
            pairs.fold(text, |text, (other, value)| text.replace(other, value))
        };
        desk.write("figure.csv", paper(csv())).write("figure.xml", paper(xml())).write("figure.sql", paper(sql()));
        for kind in ["csv", "xml", "sql"] {
            let sealed = format!("figure9.{kind}");
            desk.done(&format!("ucrypt seal p.upolicy figure.{kind} -o {sealed} --record 5"));
            assert_eq!(desk.read(&sealed).matches("</UCRYPT>").count(), 4, "{kind}");
            assert!(!desk.read(&sealed).contains("Kociniak"), "{kind}");
            for pair in PAIRS {
                desk.done(&format!("ucrypt open p.upolicy {sealed} -o figure8.{kind}{}", with(&pair)));
                assert_eq!(desk.read(&format!("figure8.{kind}")), desk.read(&format!("figure.{kind}")), "{pair:?}");
            }
            // "A filter that leaves out the positions with <UCRYPT>": the other eight.
            desk.done(&format!("ucrypt filter {sealed} --drop -o others.{kind} --policy p.upolicy"));
            let others = desk.read(&format!("others.{kind}"));
            assert!(!others.contains("UCRYPT ") && ROWS.iter().all(|row| row[0] == "5" || others.contains(row[1])));
        }
    }

    #[test]
    fn each_pair_opens_and_no_single_holder_does() {
        let desk = sealed_desk();
        for kind in KINDS {
            for pair in PAIRS {
                assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &pair);
            }
            for (holder, others) in [
                ("patient", "\"doctor\" or \"payer\" could help"),
                ("doctor", "\"patient\" or \"payer\" could help"),
                ("payer", "\"patient\" or \"doctor\" could help"),
            ] {
                let alone = format!("ucrypt open p.upolicy sealed.{kind} -o out.{kind} --with {holder}.ukey");
                assert_refused(&desk, &alone, 3, &["1 of the 2 holders", others]);
            }
        }
    }

    #[test]
    fn sealing_twice_changes_nothing_and_every_cell_can_be_moved_between_kinds() {
        let desk = sealed_desk();
        for kind in ["csv", "xml", "sql"] {
            desk.done(&format!("ucrypt seal p.upolicy sealed.{kind} -o again.{kind} --record 5"));
            assert_eq!(desk.read(&format!("sealed.{kind}")), desk.read(&format!("again.{kind}")));
        }
        // The cells of the XML file, copied into a CSV file with its keys, open there.
        let xml = desk.read("sealed.xml");
        let cells: Vec<&str> =
            xml.split("<UCRYPT ").skip(1).map(|cell| cell.split("</UCRYPT>").next().expect("an end")).collect();
        let quoted: Vec<String> =
            cells.iter().map(|cell| format!("\"<UCRYPT {}</UCRYPT>\"", cell.replace('"', "\"\""))).collect();
        desk.write("moved.csv", csv().replace("Zagłoba,Szlachcic,Zbaraż,Podagra", &quoted.join(",")));
        let key =
            xml.lines().find_map(|line| line.strip_prefix("<?ucrypt-key ")).expect("a key").trim_end_matches("?>");
        let part = |name: &str| {
            let start = key.find(&format!("{name}=\"")).expect("a part") + name.len() + 2;
            key[start..].split('"').next().expect("a value")
        };
        let header = serde_json::json!({
            "v": "1", "pol": part("pol"), "ep": 1, "kid": part("kid"), "born": part("born"), "dk": part("dk"),
        });
        desk.write("moved.csv.ukeys", format!("{header}\n"));
        let ran = open(&desk, "p.upolicy", "moved.csv", &["patient", "payer"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(desk.read("opened.csv").replace('"', ""), csv());
    }

    #[test]
    fn nothing_is_sealed_that_was_not_chosen() {
        let desk = desk();
        assert_refused(&desk, "ucrypt seal p.upolicy plain.csv -o out.csv", 2, &["--record", "--all"]);
        assert_refused(&desk, "ucrypt seal p.upolicy plain.csv -o out.csv --record 5 --record 77", 2, &["\"77\""]);
        assert_refused(&desk, "ucrypt seal p.upolicy plain.csv -o out.csv --record 5 --field Wiek", 2, &["Wiek"]);
        let sealed = |choice: &str| {
            for kind in ["csv", "xml"] {
                desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o out.{kind} {choice}"));
            }
            let [csv, xml] = ["out.csv", "out.xml"].map(|name| desk.read(name).matches("</UCRYPT>").count());
            assert_eq!(csv, xml, "{choice}");
            csv
        };
        assert_eq!(sealed("--record 5 --field Choroba"), 1);
        assert_eq!(sealed("--where Choroba=AIDS"), 16);
        assert_eq!(sealed("--where Id=5"), 4);
        assert_eq!(sealed("--all"), 36);
        desk.write("chosen.txt", "2\n5\n");
        assert_eq!(sealed("--records-from chosen.txt"), 8);
    }

    #[test]
    fn a_filter_drops_or_keeps_sealed_records_without_any_key() {
        let desk = sealed_desk();
        for kind in ["csv", "sql", "xml", "db"] {
            desk.done(&format!("ucrypt filter sealed.{kind} --drop -o dropped.{kind} --policy p.upolicy"));
            desk.done(&format!("ucrypt filter sealed.{kind} --only -o only.{kind} --policy p.upolicy"));
        }
        let without: String = csv()
            .lines()
            .filter(|line| !line.starts_with("5,"))
            .map(|line| format!("{line}\n"))
            .collect::<Vec<_>>()
            .concat();
        assert_eq!(desk.read("dropped.csv"), without);
        assert_eq!(desk.read("only.csv").lines().count(), 2);
        assert!(
            !desk.read("dropped.xml").contains("UCRYPT ") && desk.read("dropped.xml").matches("<pacjent>").count() == 8
        );
        assert_eq!(desk.read("only.xml").matches("<pacjent>").count(), 1);
        // Where nothing is sealed any more, no data key is left either.
        assert!(desk.read("sealed.xml").contains("<?ucrypt-key") && !desk.read("dropped.xml").contains("<?ucrypt-key"));
        assert!(desk.read("sealed.sql").contains("ucrypt_keys") && !desk.read("dropped.sql").contains("ucrypt_keys"));
        let keys = "SELECT count(*) FROM sqlite_schema WHERE name = 'ucrypt_keys'";
        let has_keys = |name: &str| -> bool {
            let database = Connection::open(desk.path(name)).expect("a database");
            database.query_row(keys, [], |row| row.get(0)).expect("a number")
        };
        assert!(has_keys("sealed.db") && !has_keys("dropped.db"));
        assert_eq!((rows(&desk, "dropped.db").len(), rows(&desk, "only.db").len()), (8, 1));
        let shown = desk.done("ucrypt filter --drop --sql --policy p.upolicy --dialect sqlite").out;
        let condition = shown.lines().find_map(|line| line.strip_prefix("WHERE ")).expect("a condition");
        assert!(condition.contains("IS NULL OR"));
        let shown = desk.done("ucrypt filter --only --sql --policy p.upolicy --dialect sqlite").out;
        let opposite = shown.lines().find_map(|line| line.strip_prefix("WHERE ")).expect("a condition");
        // The database that was sealed, and the sealed dump loaded into a new one.
        let loaded = Connection::open_in_memory().expect("a database");
        loaded.execute_batch(&desk.read("sealed.sql")).expect("rows");
        for database in [Connection::open(desk.path("sealed.db")).expect("a database"), loaded] {
            database.execute_batch("INSERT INTO pacjenci VALUES (10, NULL, NULL, NULL, NULL)").expect("a row");
            let chosen = |condition: &str| -> String {
                let query = format!("SELECT group_concat(Id) FROM pacjenci WHERE {condition}");
                database.query_row(&query, [], |row| row.get(0)).expect("rows")
            };
            assert_eq!(chosen(condition), "1,2,3,4,6,7,8,9,10");
            assert_eq!(chosen(opposite), "5");
        }
    }

    const RELEASE: &str = "[attributes.Id]\nrole = \"identifying\"\n[attributes.Nazwisko]\nrole = \"identifying\"\n\
        [attributes.\"Zawód\"]\nrole = \"quasi-identifying\"\n[attributes.Miasto]\nrole = \"quasi-identifying\"\n\
        [attributes.Choroba]\nrole = \"sensitive\"\n[search]\nsuppression_limit = 0.0\n[[models]]\nkind = \"k-anonymity\"\nk = 3\n";

    /// Kraków, Brzeg and what is sealed are three cities of three people each; a ciphertext would be a city of its own, as good as a name.
    #[test]
    fn sealed_cells_are_a_missing_category_of_their_own_for_anonymization() {
        let desk = sealed_desk();
        desk.done("ucrypt seal p.upolicy sealed.csv --in-place --record 2 --record 4");
        desk.write("release.toml", format!("[input]\npath = \"sealed.csv\"\n{RELEASE}"));
        let found = desk.json("anonymize release.toml --output release.csv", 0);
        assert_eq!((&found["classes"]["count"], &found["classes"]["min"]), (&3.into(), &3.into()), "{found}");
        let sealed = "*,<UCRYPT/>,<UCRYPT/>";
        let expected = [
            "*,Brzeg,AIDS",
            "*,Brzeg,AIDS",
            "*,Brzeg,Nowotwór",
            "*,Kraków,AIDS",
            "*,Kraków,AIDS",
            "*,Kraków,Grypa",
            sealed,
            sealed,
            sealed,
        ];
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(sorted_rows(&desk.read("release.csv")), expected);
    }

    /// Records 2, 4 and 5 are left out, and the others go on as if they had never been there.
    #[test]
    fn the_records_that_a_filter_keeps_are_anonymized_as_a_table_of_their_own() {
        let desk = sealed_desk();
        desk.done("ucrypt seal p.upolicy sealed.csv --in-place --record 2 --record 4");
        desk.done("ucrypt filter sealed.csv --drop -o rest.csv");
        desk.write("release.toml", format!("[input]\npath = \"rest.csv\"\n{RELEASE}"));
        let found = desk.json("anonymize release.toml --output release.csv", 0);
        assert_eq!(found["rows"]["kept"], 6, "{found}");
        assert!(!desk.read("release.csv").contains("UCRYPT"));
    }
}

mod expiry {
    use super::*;
    use tamis_ucrypt::audit::{Action, Event, Log};

    fn expiring(desk: &Desk, not_after: &str) {
        desk.done(&format!("ucrypt keygen nurse --not-after {not_after}"));
        desk.done("ucrypt policy new n.upolicy --id n -p 2 --holder patient.upub --holder nurse.upub --holder payer.upub --fields fields.toml");
        desk.done("ucrypt seal n.upolicy plain.csv -o expiring.csv --record 5");
    }

    #[test]
    fn a_share_whose_time_is_over_is_refused() {
        let desk = desk();
        expiring(&desk, "2020-12-31");
        let command = format!("ucrypt open n.upolicy expiring.csv -o out.csv{}", with(&["nurse", "payer"]));
        assert_refused(&desk, &command, 4, &["\"nurse\"", "expired at 2020-12-31"]);
        assert_opens(&desk, "n.upolicy", "expiring.csv", &["patient", "payer"]);
        let checked = desk.tamis("ucrypt policy check n.upolicy");
        assert_eq!(checked.code, 1);
        assert!(checked.out.contains("\"nurse\" is over"), "{}", checked.out);
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_bring_it_back() {
        let desk = desk();
        expiring(&desk, "2199-12-31");
        assert_opens(&desk, "n.upolicy", "expiring.csv", &["nurse", "payer"]);
        // The log knows that it has been 2200: now the clock of this machine is behind.
        let event = Event {
            action: Action::Open,
            policy: "n".into(),
            epoch: 1,
            generation: 1,
            holders: vec![],
            note: String::new(),
            code: None,
            fingerprint: None,
        };
        Log::at(desk.path("n.uaudit")).append("2200-01-01T00:00:00Z".parse().expect("a time"), event).expect("a line");
        let command = format!("ucrypt open n.upolicy expiring.csv -o out.csv{}", with(&["nurse", "payer"]));
        assert_refused(
            &desk,
            &command,
            4,
            &["\"nurse\"", "expired at 2199-12-31", "the clock stands before the last entry"],
        );
        for verb in ["verify n.upolicy", "refresh n.upolicy", "rotate n.upolicy expiring.csv --full"] {
            let ran = desk.tamis(&format!("ucrypt {verb}{}", with(&["nurse", "payer"])));
            assert_eq!(ran.code, 4, "{verb}: {ran:?}");
        }
        assert_opens(&desk, "n.upolicy", "expiring.csv", &["patient", "payer"]);
        desk.done("ucrypt audit check n.upolicy");
        let log = desk.read("n.uaudit").replacen("2200", "2020", 1);
        desk.write("n.uaudit", log);
        assert_eq!(desk.tamis("ucrypt audit check n.upolicy").code, 1);
    }
}

mod grants {
    use super::*;

    #[test]
    fn a_grant_discloses_one_field_to_one_reader() {
        let desk = sealed_desk();
        desk.done("ucrypt keygen researcher");
        desk.done("ucrypt keygen stranger");
        for kind in ["csv", "xml"] {
            let sealed = format!("sealed.{kind}");
            desk.done(&format!(
                "ucrypt open p.upolicy {sealed} --grant Choroba --to researcher.upub -o {kind}.ugrant{}",
                with(&["patient", "doctor"])
            ));
            desk.done(&format!(
                "ucrypt open p.upolicy {sealed} --granted {kind}.ugrant --with researcher.ukey -o read.{kind}"
            ));
            let read = desk.read(&format!("read.{kind}"));
            assert!(read.contains("Podagra"));
            assert_eq!(read.matches("</UCRYPT>").count(), 3);
            let other =
                format!("ucrypt open p.upolicy {sealed} --granted {kind}.ugrant --with stranger.ukey -o out.{kind}");
            assert_refused(&desk, &other, 2, &["another key"]);
        }
        let log = desk.done("ucrypt audit show p.upolicy").out;
        assert!(log.contains("grant") && log.contains("to researcher"), "{log}");
    }
}

#[test]
fn secrets_are_readable_by_their_owner_alone() {
    let desk = sealed_desk();
    open(&desk, "p.upolicy", "sealed.csv", &["patient", "payer"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for name in ["patient.ukey", "opened.csv"] {
            let mode = std::fs::metadata(desk.path(name)).expect("a file").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{name}");
        }
    }
}
