//! What stands beside a policy: its successor while a change is interrupted, and its log.

mod holders;
mod program;

use holders::*;

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
