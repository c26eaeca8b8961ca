//! What stands beside a policy: its successor while a change is interrupted, and its log.

use crate::holders::*;

/// `p.upolicy.next`, which an interrupted change leaves behind.
mod successors {
    use super::*;

    #[test]
    fn one_that_is_damaged_is_named_and_does_not_keep_from_opening() {
        let desk = sealed_desk();
        desk.write("p.upolicy.next", "v = 1\n");
        let holders = with(&["doctor", "payer"]);
        let open = desk.tamis(&format!("ucrypt open p.upolicy sealed.csv -o opened.csv{holders}"));
        let seal = desk.tamis("ucrypt seal p.upolicy plain.csv -o other.csv --record 5");
        for ran in [open, seal] {
            assert_eq!(ran.code, 0, "{ran:?}");
            assert!(ran.err.contains("p.upolicy.next") && ran.err.contains("delete"), "{ran:?}");
        }
        for change in ["refresh p.upolicy", "rotate p.upolicy sealed.csv --full"] {
            assert_refused(&desk, &format!("ucrypt {change}{holders}"), 2, &["p.upolicy.next", "delete"]);
        }
    }

    #[test]
    fn one_that_the_holders_did_not_agree_to_is_recognised_and_named() {
        let desk = sealed_desk();
        let policy = desk.read("p.upolicy");
        let id = policy.lines().find_map(|line| line.strip_prefix("id = ")).expect("an id").trim_matches('"');
        std::fs::create_dir(desk.path("elsewhere")).expect("a directory");
        new_policy(&desk, "elsewhere/forged.upolicy", &format!("fields.toml --owner patient --id {id}"));
        let forged = desk.read("elsewhere/forged.upolicy").replace("\nepoch = 1\n", "\nepoch = 2\n");
        desk.write("p.upolicy.next", forged);
        let holders = with(&["doctor", "payer"]);
        for change in
            ["refresh p.upolicy", "rotate p.upolicy sealed.csv --full", "rotate p.upolicy sealed.csv --headers"]
        {
            assert_refused(
                &desk,
                &format!("ucrypt {change}{holders}"),
                2,
                &["p.upolicy.next", "did not agree", "delete"],
            );
        }
        assert_opens(&desk, "p.upolicy", "sealed.csv", &["doctor", "payer"]);
    }
}

/// The log beside the policy.
mod log {
    use super::*;

    #[test]
    fn it_must_tell_of_the_policy_as_it_is() {
        let desk = sealed_desk();
        let holders = with(&["doctor", "payer"]);
        let old = (desk.read("p.upolicy"), desk.read("p.uaudit"));
        desk.json("ucrypt audit check p.upolicy", 0);
        desk.done(&format!("ucrypt refresh p.upolicy{holders}"));
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{holders}"));
        let new = (desk.read("p.upolicy"), desk.read("p.uaudit"));
        desk.json("ucrypt audit check p.upolicy", 0);
        let wrong = |words: &[&str]| {
            let checked = desk.json("ucrypt audit check p.upolicy", 1);
            let problem = checked["problem"].as_str().expect("a sentence").to_owned();
            assert!(words.iter().all(|word| problem.contains(word)), "{problem}");
        };
        desk.write("p.upolicy", &old.0);
        wrong(&["epoch 2, generation 3", "epoch 1, generation 1", "older file was put back"]);
        desk.write("p.upolicy", &new.0).write("p.uaudit", &old.1);
        wrong(&["epoch 1, generation 1", "epoch 2, generation 3", "lines of the log are missing"]);
        std::fs::remove_file(desk.path("p.uaudit")).expect("a log");
        desk.done("ucrypt seal p.upolicy plain.csv -o other.csv --record 5");
        wrong(&["does not tell of the writing"]);
        desk.done("ucrypt policy new q.upolicy -p 2 --holder doctor.upub --holder payer.upub --fields fields.toml");
        desk.write("p.uaudit", desk.read("q.uaudit"));
        wrong(&["line 1 of the log is about policy"]);
        std::fs::remove_file(desk.path("p.upolicy")).expect("a policy");
        let alone = desk.tamis("ucrypt audit check p.uaudit");
        assert!(alone.code == 0 && alone.err.contains("p.upolicy"), "{alone:?}");
    }

    #[test]
    fn a_last_line_that_is_none_is_named_with_its_remedy_and_one_that_was_cut_off_is_no_obstacle() {
        let desk = sealed_desk();
        let log = desk.read("p.uaudit");
        let open = format!("ucrypt open p.upolicy sealed.csv -o opened.csv{}", with(&["doctor", "payer"]));
        desk.write("p.uaudit", format!("{log}\0\0\0\0\n"));
        let before = desk.read("p.uaudit");
        let ran = desk.tamis(&open);
        assert_eq!(ran.code, 2, "{ran:?}");
        for word in ["p.uaudit", "last line", "power failure", "take the line out"] {
            assert!(ran.err.contains(word), "{ran:?}");
        }
        assert_eq!(desk.read("p.uaudit"), before);
        desk.write("p.uaudit", format!("{log}{{\"n\":6,\"at\":\"20"));
        let checked = desk.json("ucrypt audit check p.upolicy", 0);
        assert_eq!(checked["torn"], true);
        desk.done(&open);
        assert_eq!(desk.json("ucrypt audit check p.upolicy", 0)["torn"], false);
    }
}

/// Shares of a change that stopped after the policy was written and before they had their names.
#[test]
fn shares_that_wait_are_told_and_named_by_the_next_change() {
    let desk = sealed_desk();
    desk.done(&format!("ucrypt replace-key p.upolicy doctor --bare --paper{}", with(&["patient", "payer"])));
    let id = desk.json("ucrypt policy show p.upolicy", 0)["policy"].as_str().expect("an id").to_owned();
    let waiting = format!("doctor.g2.{id}.ushare.next");
    let stop = |from: &str, to: &str| std::fs::rename(desk.path(from), desk.path(to)).expect("a share");
    stop("doctor.g2.ushare", &waiting);
    let told = desk.tamis("ucrypt policy check p.upolicy");
    assert!(format!("{told:?}").contains(&waiting), "{told:?}");
    // Whatever the next change is, and whoever comes.
    for change in ["remove-holder p.upolicy nobody --soft", "refresh p.upolicy --paper"] {
        let ran = desk.tamis(&format!("ucrypt {change} --with patient.ukey"));
        assert!(ran.code != 0 && ran.err.contains("doctor.g2.ushare"), "{ran:?}");
        stop("doctor.g2.ushare", &waiting);
    }
    let holders = "--with patient.ukey --with payer.ukey";
    desk.done(&format!("ucrypt refresh p.upolicy --paper {holders}"));
    assert!(desk.path("doctor.g2.ushare").exists() && desk.path("doctor.g3.ushare").exists());
    desk.done("ucrypt open p.upolicy sealed.csv -o opened.csv --with patient.ukey --with doctor.g3.ushare");
}
