//! What `tamis ucrypt` refuses, with which exit code and in which words; looking without opening.

mod holders;
mod program;

use holders::*;
use serde_json::Value;

mod refusals {
    use super::*;

    #[test]
    fn cells_that_were_swapped_edited_or_cut_do_not_open() {
        let desk = sealed_desk();
        desk.done("ucrypt seal p.upolicy plain.csv -o two.csv --record 5 --record 6");
        let csv = desk.read("two.csv");
        let cells: Vec<&str> =
            csv.lines().filter(|line| line.contains("<UCRYPT")).flat_map(|line| line.split(',').skip(1)).collect();
        let edits = [
            ("exchanged fields", csv.replace(cells[0], "#").replace(cells[1], cells[0]).replace('#', cells[1])),
            ("exchanged records", csv.replace(cells[0], "#").replace(cells[4], cells[0]).replace('#', cells[4])),
            ("copied", csv.replace("Pyc", cells[0])),
            ("another cipher", csv.replacen("A256GCM", "XC20P", 1)),
            ("another binding", csv.replacen("bind=\"\"rf", "bind=\"\"n", 1)),
            ("another epoch", csv.replacen("ep=\"\"1", "ep=\"\"2", 1)),
            ("another key", csv.replacen("kid=\"\"", "kid=\"\"x", 1)),
            ("another policy", csv.replacen("pol=\"\"", "pol=\"\"x", 1)),
            ("without version", csv.replacen(" v=\"\"1\"\"", "", 1)),
            ("an attribute more", csv.replacen(" v=\"\"1\"\"", " v=\"\"1\"\" w=\"\"2\"\"", 1)),
            ("shortened", csv.replacen(cells[0], &cells[0].replace("</UCRYPT>", ""), 1)),
            ("cut in the body", csv.replacen(cells[0], &format!("{}</UCRYPT>\"", &cells[0][..cells[0].len() - 20]), 1)),
        ];
        let keys = desk.read("two.csv.ukeys");
        for (what, edited) in edits {
            assert_ne!(edited, csv, "{what}");
            desk.write("edited.csv", edited).write("edited.csv.ukeys", &keys);
            let ran =
                desk.tamis(&format!("ucrypt open p.upolicy edited.csv -o out.csv{}", with(&["patient", "payer"])));
            assert_eq!(ran.code, 5, "{what}: {ran:?}");
            assert!(ran.err.contains("record \""), "{what}: {}", ran.err);
            assert!(!desk.path("out.csv").exists(), "{what}");
            assert_no_secret(&desk, &ran.err);
        }
    }

    #[test]
    fn wrong_shares_are_refused_by_name() {
        let desk = desk();
        desk.done("ucrypt keygen stranger");
        desk.write("pass", "correct horse\n").write("wrong", "wrong horse\n");
        desk.done(
            "ucrypt policy new mixed.upolicy -p 2 --holder patient.upub --bare notary --bare bank --paper --fields fields.toml",
        );
        desk.done("ucrypt seal mixed.upolicy plain.csv -o mixed.csv --record 5");
        let open = "ucrypt open mixed.upolicy mixed.csv -o out.csv";
        assert_eq!(desk.tamis(&format!("{open} --with notary.ushare --with patient.ukey")).code, 0);
        std::fs::remove_file(desk.path("out.csv")).expect("it was written");
        let share = desk.read("notary.ushare");
        let words = share.lines().find_map(|line| line.strip_prefix("words = ")).expect("words").trim_matches('"');
        desk.write("words.txt", words.to_uppercase());
        assert_eq!(desk.tamis(&format!("{open} --words-file notary=words.txt --with bank.ushare")).code, 0);
        std::fs::remove_file(desk.path("out.csv")).expect("it was written");

        let refuse = |rest: &str, names: &[&str]| assert_refused(&desk, &format!("{open} {rest}"), 4, names);
        refuse("--with notary.ushare --with notary.ushare", &["\"notary\"", "twice"]);
        refuse("--with stranger.ukey --with patient.ukey", &["\"stranger\"", "no such holder"]);
        refuse("--words-file bank=words.txt --with patient.ukey", &["\"bank\"", "not the share that was given out"]);
        let other: Vec<&str> = words.split(' ').rev().collect();
        desk.write("reversed.txt", other.join(" ")).write("short.txt", "abandon ability");
        refuse("--words-file notary=short.txt --with patient.ukey", &["\"notary\"", "24 words"]);
        refuse("--words-file notary=reversed.txt --with patient.ukey", &["\"notary\""]);
        desk.write("cut.ushare", &share[..share.len() / 2]);
        refuse("--with cut.ushare --with patient.ukey", &["\"cut.ushare\"", "corrupted"]);
        desk.done("ucrypt policy new other.upolicy -p 1 --bare friend --bare other --paper --fields fields.toml");
        refuse("--with friend.ushare --with patient.ukey", &["\"friend\"", "belongs to policy"]);
        desk.done("ucrypt refresh mixed.upolicy --paper --with notary.ushare --with bank.ushare");
        refuse("--with notary.ushare --with patient.ukey", &["\"notary\"", "generation 1", "generation 2"]);
        assert_eq!(desk.tamis(&format!("{open} --with notary.g2.ushare --with patient.ukey")).code, 0);
    }

    #[test]
    fn passphrases_come_from_files_and_protect_keys_and_shares() {
        let desk = desk();
        desk.write("pass", "correct horse\n").write("wrong", "wrong horse\n");
        desk.done("ucrypt keygen careful --passphrase-file pass");
        assert!(!desk.read("careful.ukey").contains("AGE-SECRET-KEY"));
        desk.done(
            "ucrypt policy new c.upolicy -p 2 --holder careful.upub --bare notary --share-passphrase-file pass --fields fields.toml",
        );
        desk.done("ucrypt seal c.upolicy plain.csv -o careful.csv --record 5");
        let open = "ucrypt open c.upolicy careful.csv -o out.csv --with careful.ukey --with notary.ushare";
        assert_refused(&desk, open, 2, &["careful.ukey", "passphrase"]);
        assert_refused(
            &desk,
            &format!("{open} --passphrase-file wrong"),
            4,
            &["\"careful\"", "passphrase does not open"],
        );
        desk.done(&format!("{open} --passphrase-file wrong --passphrase-file pass"));
        assert_eq!(desk.read("out.csv"), csv());
    }

    #[test]
    fn policies_that_cannot_be_are_refused_and_edited_ones_found_out() {
        let desk = sealed_desk();
        let new = "ucrypt policy new x.upolicy --fields fields.toml";
        assert_refused(&desk, &format!("{new} -p 2"), 2, &["no holders"]);
        assert_refused(&desk, &format!("{new} -p 2 --holder patient.upub"), 2, &["threshold"]);
        assert_refused(&desk, &format!("{new} -p 0 --holder patient.upub"), 2, &["threshold"]);
        let all: String = (0..256).map(|number| format!(" --bare h{number}")).collect::<Vec<_>>().concat();
        assert_refused(&desk, &format!("{new} -p 2 --paper{all}"), 2, &["256 holders"]);
        let lowered = desk.read("p.upolicy").replace("\np = 2\n", "\np = 1\n");
        desk.write("p.upolicy", lowered);
        let command = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&["doctor"]));
        assert_refused(&desk, &command, 2, &["was edited"]);
    }

    #[test]
    fn malformed_documents_are_refused() {
        let desk = sealed_desk();
        let documents = [
            ("bomb.xml", "<!DOCTYPE a [<!ENTITY b \"bbb\">]><pacjenci>&b;</pacjenci>"),
            ("two.xml", "<pacjenci/><pacjenci/>"),
            ("unclosed.xml", "<pacjenci><pacjent>"),
            ("entity.xml", "<pacjenci><pacjent><Id>5</Id><Choroba>&x;</Choroba></pacjent></pacjenci>"),
            ("quote.csv", "Id,Nazwisko,Zawód,Miasto,Choroba\n5,\"a,b,c,d\n"),
            ("ragged.csv", "Id,Nazwisko,Zawód,Miasto,Choroba\n5,a\n"),
            ("column.csv", "Id,Choroba\n5,a\n"),
            ("note.txt", "5"),
            (
                "no.db",
                "a text that is longer than the head of a database, which has a hundred bytes, and says something else altogether",
            ),
        ];
        for (name, text) in documents {
            desk.write(name, text);
            assert_refused(&desk, &format!("ucrypt seal p.upolicy {name} -o out.xml --record 5"), 2, &[name]);
        }
        assert_refused(&desk, "ucrypt seal p.upolicy absent.csv -o out.csv --record 5", 2, &["absent.csv"]);
    }
}

mod looking {
    use super::*;

    #[test]
    fn inspect_tells_who_could_open_what_and_what_is_weak_or_foreign() {
        let desk = sealed_desk();
        desk.done("ucrypt seal p.upolicy sealed.csv --in-place --record 2 --bind n --cipher XC20P");
        let mixed = desk.read("sealed.csv").replace("Pyc", "<UCRYPT>AAFGHA</UCRYPT>");
        desk.write("sealed.csv", mixed);
        let found = desk.json("ucrypt inspect sealed.csv --policy p.upolicy", 0);
        assert_eq!(found["sealed"], 9);
        let groups = found["groups"].as_array().expect("groups");
        let group = |is: &dyn Fn(&Value) -> bool| groups.iter().find(|group| is(group)).expect("a group").clone();
        let own = group(&|group| group["cipher"] == "A256GCM");
        assert_eq!((&own["cells"], &own["weak"]), (&4.into(), &false.into()));
        assert_eq!(own["opened_by"], "2 of patient, doctor, payer");
        assert_eq!(group(&|group| group["cipher"] == "XC20P")["weak"], true);
        assert_eq!(group(&|group| group["foreign"] == true)["cells"], 1);
        // Opening refuses the foreign cell, unless it is told to leave it.
        let open = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&["patient", "payer"]));
        assert_refused(&desk, &open, 5, &["record \"4\"", "not sealed by this format"]);
        desk.done(&format!("{open} --leave-foreign"));
        assert_eq!(desk.read("out.csv"), csv().replace("Pyc", "<UCRYPT>AAFGHA</UCRYPT>"));
        for kind in ["xml", "sql", "db"] {
            assert_eq!(desk.json(&format!("ucrypt inspect sealed.{kind}"), 0)["sealed"], 4, "{kind}");
        }
    }

    #[test]
    fn verify_checks_every_share_and_opens_nothing() {
        let desk = sealed_desk();
        let all = desk.json(&format!("ucrypt verify p.upolicy{}", with(&["patient", "doctor", "payer"])), 0);
        assert_eq!((&all["good"], &all["policy_good"]), (&true.into(), &true.into()));
        let one = desk.json(&format!("ucrypt verify p.upolicy{}", with(&["doctor"])), 0);
        assert_eq!(one["policy_good"], Value::Null);
        assert_eq!(one["holders"][0]["share"], "absent");
        desk.done("ucrypt keygen stranger");
        let wrong = desk.tamis(&format!("ucrypt verify p.upolicy{}", with(&["stranger", "doctor"])));
        assert_eq!(wrong.code, 4);
        assert!(wrong.out.contains("stranger") && wrong.out.contains("no such holder"), "{}", wrong.out);
        desk.write("doctor.ukey", desk.read("doctor.ukey").split("AGE-").next().expect("its comments"));
        let broken = desk.json(&format!("ucrypt verify p.upolicy{}", with(&["patient", "doctor"])), 4);
        assert_eq!(
            (&broken["holders"][0]["share"], &broken["holders"][1]["share"]),
            (&"good".into(), &"refused".into())
        );
        let open = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&["patient", "doctor"]));
        assert_refused(&desk, &open, 4, &["\"doctor\"", "corrupted"]);
        assert_refused(&desk, "ucrypt verify p.upolicy", 2, &["--with"]);
    }

    #[test]
    fn the_log_tells_everything_and_shows_what_was_edited() {
        let desk = sealed_desk();
        open(&desk, "p.upolicy", "sealed.csv", &["patient", "payer"]);
        open(&desk, "p.upolicy", "sealed.csv", &["patient"]);
        let log = desk.done("ucrypt audit show p.upolicy").out;
        for word in ["create", "seal", "open", "by patient, payer", "refuse"] {
            assert!(log.contains(word), "{word}: {log}");
        }
        assert_no_secret(&desk, &log);
        let checked = desk.json("ucrypt audit check p.upolicy", 0);
        let last = checked["last"].as_str().expect("a hash").to_owned();
        desk.json(&format!("ucrypt audit check p.upolicy --contains {last}"), 0);
        let text = desk.read("p.uaudit");
        let shorter: String =
            text.lines().take(text.lines().count() - 1).map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
        desk.write("p.uaudit", shorter);
        desk.json("ucrypt audit check p.upolicy", 0);
        desk.json(&format!("ucrypt audit check p.upolicy --contains {last}"), 1);
        desk.write(
            "p.uaudit",
            text.replacen("patient, payer", "doctor, payer", 1).replacen("\"payer\"", "\"doctor\"", 1),
        );
        assert_eq!(desk.tamis("ucrypt audit check p.upolicy").code, 1);
    }
}

/// Slips of people who use it for the first time: none may leave a document unsealed, or replaced, without a word.
mod slips {
    use super::*;

    const CLINIC: &str = "<c xmlns=\"urn:clinic\"><p id=\"5\"><name>Pyc</name></p><p id=\"6\"><name>Nowak</name><city>Brzeg</city></p></c>";

    fn clinic(fields: &str) -> program::Desk {
        let desk = desk();
        desk.write("clinic.xml", CLINIC).write("clinic.toml", fields);
        desk.done("ucrypt policy new c.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields clinic.toml");
        desk
    }

    fn clinic_fields(record: &str, city: &str) -> String {
        format!(
            "[namespaces]\nc = \"urn:clinic\"\n[[table]]\nname = \"p\"\nrecord = \"{record}\"\nrecord_key = \"@id\"\n\
            [[table.field]]\nname = \"name\"\npath = \"c:name\"\n[[table.field]]\nname = \"city\"\npath = \"{city}\"\n"
        )
    }

    #[test]
    fn a_document_that_can_be_read_only_once_is_refused() {
        let open = "ucrypt open p.upolicy /dev/null --kind sql -o out.sql --with patient.ukey --with payer.ukey";
        assert_refused(&sealed_desk(), open, 2, &["/dev/null", "no regular file"]);
    }

    #[test]
    fn a_document_in_the_place_of_the_policy_is_named() {
        let desk = sealed_desk();
        let by = with(&["patient", "payer"]);
        for command in
            ["seal plain.csv p.upolicy -o out.csv --all", &format!("open sealed.csv p.upolicy -o out.csv{by}")]
        {
            let words = ["csv: this is no policy file", "NAME.upolicy, and come before the document"];
            assert_refused(&desk, &format!("ucrypt {command}"), 2, &words);
        }
        desk.write("broken.upolicy", "p = ");
        assert_refused(&desk, "ucrypt policy show broken.upolicy", 2, &["broken.upolicy: this is no policy file"]);
        assert_refused(&desk, &format!("ucrypt refresh broken.upolicy{by}"), 2, &["broken.upolicy: this is no policy"]);
    }

    #[test]
    fn standard_input_and_output_are_no_documents() {
        let desk = sealed_desk();
        let by = with(&["patient", "payer"]);
        for input in ["seal p.upolicy - -o out.csv --all", "inspect -", "filter - --drop -o out.csv"] {
            assert_refused(&desk, &format!("ucrypt {input}"), 2, &["standard input", "name a file"]);
        }
        assert_refused(&desk, &format!("ucrypt open p.upolicy - -o out.csv{by}"), 2, &["standard input"]);
        assert_refused(&desk, &format!("ucrypt rotate p.upolicy - --full{by}"), 2, &["standard input"]);
        assert_refused(&desk, &format!("ucrypt open p.upolicy sealed.csv -o -{by}"), 2, &["standard output"]);
        for output in ["seal p.upolicy plain.csv --all -o -", "filter sealed.csv --drop -o -"] {
            assert_refused(&desk, &format!("ucrypt {output}"), 2, &["standard output", "name a file"]);
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_seals_nothing_and_says_so() {
        let desk = clinic(&clinic_fields("/c/p", "c:city"));
        let words = ["/c/p", "\"c\"", "urn:clinic"];
        assert_refused(&desk, "ucrypt seal c.upolicy clinic.xml -o out.xml --all", 2, &words);

        let desk = clinic(&clinic_fields("/c:c/c:p", "c:town"));
        assert_refused(&desk, "ucrypt seal c.upolicy clinic.xml -o out.xml --all", 2, &["\"city\""]);
        desk.done("ucrypt seal c.upolicy clinic.xml -o out.xml --all --field name");

        let desk = clinic(&clinic_fields("/c:c/c:p", "c:city"));
        assert_refused(&desk, "ucrypt seal c.upolicy clinic.xml -o out.xml --record 5", 2, &["\"city\""]);
        desk.done("ucrypt seal c.upolicy clinic.xml -o out.xml --record 6");
        let again = desk.done("ucrypt seal c.upolicy out.xml -o again.xml --record 6");
        assert!(format!("{again:?}").contains("sealed before"), "{again:?}");
    }

    #[test]
    fn a_table_that_is_not_there_or_has_no_rows_seals_nothing() {
        let desk = desk();
        desk.write("other.sql", sql().replace("pacjenci", "osoby"));
        assert_refused(&desk, "ucrypt seal p.upolicy other.sql -o out.sql --all", 2, &["pacjenci"]);
        desk.write("empty.csv", COLUMNS.join(",") + "\n");
        assert_refused(&desk, "ucrypt seal p.upolicy empty.csv -o out.csv --all", 2, &["no row"]);
    }

    #[test]
    fn a_document_is_replaced_only_by_whoever_says_so() {
        let desk = desk();
        for kind in KINDS {
            let seal = format!("ucrypt seal p.upolicy plain.{kind} -o ./plain.{kind} --record 5");
            assert_refused(&desk, &seal, 2, &["--in-place"]);
        }
        desk.done("ucrypt seal p.upolicy plain.csv --in-place --record 5");
    }

    #[test]
    fn opening_what_is_not_there_is_refused() {
        let desk = sealed_desk();
        desk.done("ucrypt policy new q.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields fields.toml");
        let id = |name: &str| {
            let policy = desk.read(name);
            let id = policy.lines().find_map(|line| line.strip_prefix("id = ")).expect("an id");
            id.trim_matches('"').to_owned()
        };
        let by = with(&["patient", "doctor"]);
        for kind in KINDS {
            let open = format!("ucrypt open q.upolicy sealed.{kind} -o out.{kind}{by}");
            assert_refused(&desk, &open, 2, &[&id("p.upolicy"), &id("q.upolicy")]);
            let open = format!("ucrypt open p.upolicy plain.{kind} -o out.{kind}{by}");
            assert_refused(&desk, &open, 2, &["no cell of policy"]);
            let open = format!("ucrypt open p.upolicy sealed.{kind} -o out.{kind} --record 6{by}");
            assert_refused(&desk, &open, 2, &["asked for"]);
        }
    }

    #[test]
    fn a_log_or_a_policy_that_is_missing_is_missed() {
        let desk = desk();
        for verb in ["check", "show"] {
            desk.done(&format!("ucrypt audit {verb} p.upolicy"));
            desk.done(&format!("ucrypt audit {verb} p.uaudit"));
            assert_refused(&desk, &format!("ucrypt audit {verb} none.upolicy"), 2, &["none.upolicy"]);
        }
        std::fs::remove_file(desk.path("p.uaudit")).expect("it was written");
        for verb in ["check", "show"] {
            let ran = desk.tamis(&format!("ucrypt audit {verb} p.upolicy"));
            assert_eq!(ran.code, 1, "{ran:?}");
            assert!(format!("{ran:?}").contains("the log is missing"), "{ran:?}");
        }
    }

    #[test]
    fn an_old_policy_beside_its_successor_seals_nothing() {
        let desk = sealed_desk();
        let by = with(&["patient", "doctor"]);
        let plain = desk.tamis(&format!("ucrypt rotate p.upolicy --full sealed.csv plain.xml{by}"));
        assert_eq!(plain.code, 0, "{plain:?}");
        assert!(plain.err.contains("plain.xml: nothing in it"), "{plain:?}");
        assert!(!plain.err.contains("sealed.csv: nothing in it"), "{plain:?}");
        let seal = "ucrypt seal p.e1.upolicy plain.csv -o out.csv --record 5";
        assert_refused(&desk, seal, 2, &["p.upolicy", "epoch 2"]);
        assert_refused(&desk, &format!("ucrypt rotate p.e1.upolicy --full sealed.xml{by}"), 2, &["p.upolicy"]);
        let headers = desk.tamis(&format!("ucrypt rotate p.upolicy --headers sealed.csv plain.sql{by}"));
        assert_eq!(headers.code, 0, "{headers:?}");
        assert!(headers.err.contains("plain.sql: nothing in it"), "{headers:?}");
        assert!(!headers.err.contains("sealed.csv: nothing in it"), "{headers:?}");
    }

    #[test]
    fn another_key_does_not_lengthen_a_holders_time() {
        let desk = desk();
        desk.done("ucrypt keygen clerk --not-after 2090-01-01");
        desk.done(
            "ucrypt policy new t.upolicy -p 2 --holder patient.upub --holder doctor.upub --holder clerk.upub --fields fields.toml",
        );
        let by = with(&["patient", "doctor"]);
        for (number, given, kept) in [
            (1, "", "2090-01-01"),
            (2, " --not-after 2095-01-01", "2090-01-01"),
            (3, " --not-after 2080-01-01", "2080-01-01"),
        ] {
            desk.done(&format!("ucrypt keygen clerk{number}{given}"));
            desk.done(&format!("ucrypt replace-key t.upolicy clerk clerk{number}.upub{by}"));
            let policy = desk.read("t.upolicy");
            assert!(policy.contains(&format!("not_after = \"{kept}\"")), "{policy}");
            assert_eq!(policy.matches("not_after").count(), 1, "{policy}");
        }
    }

    #[test]
    fn what_is_missing_or_exchanged_is_called_by_its_name() {
        let desk = sealed_desk();
        let bare = "ucrypt policy new b.upolicy -p 2 --holder patient.upub --holder doctor.upub --bare notary --fields fields.toml";
        assert_refused(&desk, bare, 2, &["--share-passphrase-file", "--paper"]);
        let open = "ucrypt open p.upolicy sealed.csv -o out.csv --with patient.ukey";
        assert_refused(&desk, &format!("{open} --with doctor.upub"), 4, &["\"doctor\"", ".upub", ".ukey"]);
        let new = "ucrypt policy new b.upolicy -p 2 --holder patient.upub --holder doctor.ukey --fields fields.toml";
        assert_refused(&desk, new, 2, &["doctor.ukey", ".upub"]);
        std::fs::create_dir(desk.path("namesake")).expect("a directory");
        desk.done("ucrypt keygen doctor --directory namesake");
        assert_refused(&desk, &format!("{open} --with namesake/doctor.ukey"), 4, &["another key in this policy"]);
        std::fs::remove_file(desk.path("sealed.csv.ukeys")).expect("it was written");
        assert_refused(&desk, &format!("{open} --with doctor.ukey"), 5, &["sealed.csv.ukeys", "missing"]);
    }

    #[test]
    fn a_condition_names_its_system_and_the_table_that_was_asked_for() {
        let desk = desk();
        let two = format!("{FIELDS}\n[[table]]\nname = \"wizyty\"\nkey = \"Nr\"\n[[table.field]]\nname = \"Opis\"\n");
        desk.write("two.toml", two);
        desk.done("ucrypt policy new two.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields two.toml");
        let ran = desk.tamis("ucrypt filter --sql --drop --policy two.upolicy --table wizyty --dialect mysql");
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.starts_with("-- wizyty, for MySQL (--dialect"), "{ran:?}");
        assert!(!ran.out.contains("pacjenci"), "{ran:?}");
        assert_refused(&desk, "ucrypt filter --sql --drop --policy two.upolicy --table none", 2, &["none"]);
    }
}
