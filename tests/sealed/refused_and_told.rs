//! What `tamis ucrypt` refuses, with which exit code and in which words; looking without opening.

use crate::holders::*;
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
            let open = format!("ucrypt open p.upolicy edited.csv -o out.csv{}", with(&["patient", "payer"]));
            let opened = String::from_utf8(assert_left(&desk, &open, "out.csv", &["record \""])).expect("text");
            // Whatever was edited is as it was, and everything else is open.
            let stays = opened.matches("<UCRYPT ").count();
            assert_eq!(stays, if what.starts_with("exchanged") { 2 } else { 1 }, "{what}: {opened}");
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
            assert_refused(&desk, &format!("ucrypt seal p.upolicy {name} -o out --record 5"), 2, &[name]);
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
        // Opening leaves the foreign cell, and answers for it unless it is told to.
        let open = format!("ucrypt open p.upolicy sealed.csv -o out.csv{}", with(&["patient", "payer"]));
        assert_left(&desk, &open, "out.csv", &["record \"4\"", "not sealed by this format"]);
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
        // What is wrong once is not made good by the right share of the same holder, in whatever order they come.
        let desk = sealed_desk();
        std::fs::create_dir(desk.path("other")).expect("a directory");
        desk.done("ucrypt keygen doctor --directory other");
        for order in ["--with other/doctor.ukey --with doctor.ukey", "--with doctor.ukey --with other/doctor.ukey"] {
            let both = desk.json(&format!("ucrypt verify p.upolicy {order}"), 4);
            let doctor = both["holders"].as_array().expect("a list").iter().find(|one| one["name"] == "doctor");
            let detail = doctor.expect("the doctor")["detail"].as_str().expect("a text").to_owned();
            assert!(detail.starts_with("refused") && !detail.contains("twice"), "{order}: {detail}");
        }
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
