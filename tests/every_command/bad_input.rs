//! Bad input: one clear sentence on standard error that names place and remedy, exit code 2, and nothing written.

use crate::program::{Desk, Ran};
use std::process::Stdio;

const INPUT: &str = "[input]\npath = \"people.csv\"\n";
const ZIP: &str = "[attributes.zip]\nrole = \"quasi-identifying\"\n";
const AGE: &str = "[attributes.age]\nrole = \"quasi-identifying\"\nhierarchy = \"age.csv\"\n";
const AGE_SENSITIVE: &str = "[attributes.age]\nrole = \"sensitive\"\n";
const K2: &str = "[[models]]\nkind = \"k-anonymity\"\nk = 2\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.take("people.csv").take("age.csv").write("policy.toml", format!("{INPUT}{ZIP}{AGE}{K2}"));
    desk
}

/// Runs a command that must be refused with `code`, writing nothing; what it says.
fn refused(desk: &Desk, arguments: &[&str], code: i32) -> Ran {
    let before = desk.listing();
    let ran = desk.tamis_with(arguments);
    assert_eq!(ran.code, code, "{arguments:?}: {ran:?}");
    assert_eq!(desk.listing(), before, "{arguments:?} leaves files behind");
    ran
}

/// Asserts that a command is bad input and says so in one sentence with these parts.
fn bad(desk: &Desk, arguments: &[&str], parts: &[&str]) {
    let ran = refused(desk, arguments, 2);
    assert_eq!(ran.out, "", "{arguments:?}");
    let sentence = ran.err.strip_prefix("error: ").unwrap_or_else(|| panic!("{arguments:?}: {ran:?}"));
    assert_eq!(sentence.trim_end().lines().count(), 1, "{arguments:?} says more than a sentence: {sentence}");
    for part in parts {
        assert!(sentence.contains(part), "{arguments:?} does not say `{part}`: {sentence}");
    }
}

/// The same for wrong usage, where the usage may follow the sentence.
fn bad_usage(desk: &Desk, arguments: &[&str], parts: &[&str]) {
    let ran = refused(desk, arguments, 2);
    assert_eq!(ran.out, "", "{arguments:?}");
    for part in parts {
        assert!(ran.err.contains(part), "{arguments:?} does not say `{part}`: {}", ran.err);
    }
}

/// Asserts that a policy is refused, with every kind of output asked for.
fn bad_policy(policy: impl AsRef<[u8]>, parts: &[&str]) {
    let desk = desk();
    desk.write("policy.toml", policy);
    let outputs = ["--output", "out.csv", "--report", "out.html", "--manifest", "out.json"];
    bad(&desk, &[&["anonymize", "policy.toml"], &outputs[..]].concat(), parts);
}

fn bad_model(model: &str, parts: &[&str]) {
    bad_policy(format!("{INPUT}{ZIP}{AGE_SENSITIVE}[[models]]\n{model}\n"), parts);
}

/// Asserts that a table is refused by every command that reads one.
fn bad_table(name: &str, parts: &[&str]) {
    let desk = desk();
    desk.take(name).write("policy.toml", format!("[input]\npath = \"{name}\"\n{ZIP}{K2}"));
    bad(&desk, &["anonymize", "policy.toml", "--output", "out.csv"], parts);
    bad(&desk, &["lattice", "policy.toml"], parts);
    bad(&desk, &["compare", "policy.toml", "--k", "2", "--csv", "rows.csv"], parts);
    bad(&desk, &["check", name, "--quasi", "zip"], parts);
    bad(&desk, &["init", name, "--output", "first.toml"], parts);
    bad(&desk, &["hierarchy", "auto", name, "--column", "zip", "--output", "h.csv"], parts);
}

/// Asserts that a policy with this hierarchy of `age` is refused.
fn bad_hierarchy(name: &str, parts: &[&str]) {
    let desk = desk();
    desk.take(name);
    desk.write("policy.toml", format!("{INPUT}{ZIP}{K2}{}", AGE.replace("age.csv", name)));
    bad(&desk, &["anonymize", "policy.toml", "--output", "out.csv"], parts);
}

mod tables {
    use super::*;

    #[test]
    fn a_ragged_line() {
        bad_table(
            "ragged_line.csv",
            &["`ragged_line.csv`, line 3: found 3 fields where the header has 2", "mend the line"],
        );
    }

    #[test]
    fn a_duplicate_header() {
        bad_table(
            "duplicate_header.csv",
            &["`duplicate_header.csv`, line 1: columns 1 and 3 are both called `zip`; rename one"],
        );
    }

    #[test]
    fn an_empty_file() {
        bad_table("empty.csv", &["`empty.csv` is empty; expected a header line and at least one row"]);
    }

    #[test]
    fn a_header_without_rows() {
        bad_table(
            "header_only.csv",
            &["`header_only.csv` ends after its header in line 1; expected at least one row below it"],
        );
    }

    #[test]
    fn bytes_that_are_not_utf_8() {
        let desk = desk();
        desk.take("not_utf8.csv");
        bad(
            &desk,
            &["check", "not_utf8.csv", "--quasi", "city"],
            &[
                "`not_utf8.csv`, line 3, column 1 (`city`), byte 2: found the byte 0xE1, which is not UTF-8",
                "--encoding latin-1",
            ],
        );
        let ran = desk.tamis("check not_utf8.csv --quasi city --encoding latin-1 --show");
        assert!(ran.code == 0 && ran.out.contains("Málaga"), "the remedy helps: {ran:?}");
    }

    #[test]
    fn a_quote_that_is_never_closed() {
        bad_table("open_quote.csv", &["`open_quote.csv`, line 3, column 1: a quote (\") is opened and never closed"]);
    }

    #[test]
    fn a_file_that_is_not_there_or_not_a_file() {
        let desk = desk();
        bad(
            &desk,
            &["check", "nowhere.csv", "--quasi", "zip"],
            &["cannot open `nowhere.csv`", "check that the file exists"],
        );
        std::fs::create_dir(desk.path("folder.csv")).expect("a directory");
        bad(
            &desk,
            &["check", "folder.csv", "--quasi", "zip"],
            &["cannot read `folder.csv`", "check that it is a file"],
        );
        bad(&desk, &["init", "nowhere.csv", "--output", "first.toml"], &["cannot open `nowhere.csv`"]);
    }

    #[test]
    fn damaged_compression_and_binary_garbage() {
        let desk = desk();
        let garbage: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        desk.write("garbage.csv", &garbage);
        desk.write("damaged.csv.gz", [&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3][..], &garbage].concat());
        desk.write("damaged.csv.zst", [&[0x28, 0xB5, 0x2F, 0xFD][..], &garbage].concat());
        desk.write("zeros.csv", [0; 1000]);
        bad(&desk, &["check", "damaged.csv.gz", "--quasi", "zip"], &["`damaged.csv.gz` is damaged gzip data", "again"]);
        bad(
            &desk,
            &["check", "damaged.csv.zst", "--quasi", "zip"],
            &["`damaged.csv.zst` is damaged zstd data", "again"],
        );
        for name in ["garbage.csv", "zeros.csv"] {
            bad(&desk, &["check", name, "--quasi", "zip"], &[name]);
            desk.write("policy.toml", format!("[input]\npath = \"{name}\"\n{ZIP}{K2}"));
            bad(&desk, &["anonymize", "policy.toml", "--output", "out.csv"], &[name]);
            desk.write("policy.toml", format!("{INPUT}{ZIP}{K2}{}", AGE.replace("age.csv", name)));
            bad(&desk, &["anonymize", "policy.toml", "--output", "out.csv"], &[name]);
            std::fs::copy(desk.path(name), desk.path("policy.toml")).expect("a copy");
            bad(&desk, &["anonymize", "policy.toml", "--output", "out.csv"], &["policy.toml"]);
            bad(&desk, &["verify", name], &["the manifest", name]);
            bad(&desk, &["apply", name, "people.csv", "--output", "out.csv"], &["the manifest", name]);
        }
    }

    #[test]
    fn a_column_that_is_not_there() {
        let desk = desk();
        bad(
            &desk,
            &["check", "people.csv", "--quasi", "zip,town"],
            &["`people.csv` has no column `town`; its columns are `zip`, `age`"],
        );
        bad(
            &desk,
            &["check", "people.csv", "--quasi", "zip", "--sensitive", "town"],
            &["`people.csv` has no column `town`"],
        );
        bad(
            &desk,
            &["check", "people.csv", "--quasi", "zip", "--entity", "town"],
            &["`people.csv` has no column `town`"],
        );
        bad(&desk, &["hierarchy", "mask", "people.csv", "--column", "town"], &["`people.csv` has no column `town`"]);
        bad_policy(
            format!("{INPUT}{K2}{ZIP}[attributes.town]\nrole = \"insensitive\"\n"),
            &["the policy names the column `town`, which people.csv does not have; its columns are `zip`, `age`"],
        );
        bad_policy(format!("{INPUT}{K2}{ZIP}[attributes.town]\nrole = \"identifying\"\n"), &["has no column `town`"]);
        bad_policy(
            format!("entity = \"person\"\n{INPUT}{ZIP}{K2}"),
            &["the policy names the column `person`, which people.csv does not have; its columns are `zip`, `age`"],
        );
    }

    #[test]
    fn delimiters_and_encodings_that_make_no_sense() {
        let desk = desk();
        let check = ["check", "people.csv", "--quasi", "zip"];
        bad(
            &desk,
            &[&check[..], &["--delimiter", "ab"]].concat(),
            &["the delimiter is `ab`; expected one ASCII character"],
        );
        bad(&desk, &[&check[..], &["--delimiter", "\""]].concat(), &["cannot be used together"]);
        bad(
            &desk,
            &[&check[..], &["--encoding", "utf-99"]].concat(),
            &["there is no encoding `utf-99`; the encodings are"],
        );
        bad(&desk, &[&check[..], &["--delimiter", "|"]].concat(), &["`people.csv` has no column `zip`"]);
    }
}

mod hierarchies {
    use super::*;

    #[test]
    fn a_value_that_is_not_listed() {
        bad_hierarchy(
            "hierarchy_lacks_a_value.csv",
            &["the hierarchy hierarchy_lacks_a_value.csv of `age`: it does not list the value `45`; add a line for it"],
        );
    }

    #[test]
    fn a_value_with_two_parents() {
        bad_hierarchy(
            "hierarchy_with_two_parents.csv",
            &["line 4 gives `30` other labels than line 1 does; keep one of the two"],
        );
    }

    #[test]
    fn uneven_rows() {
        bad_hierarchy(
            "hierarchy_with_uneven_rows.csv",
            &["line 2 has 2 columns where line 1 has 3; give every value one label per level"],
        );
    }

    #[test]
    fn a_level_that_does_not_coarsen() {
        bad_hierarchy(
            "hierarchy_that_does_not_coarsen.csv",
            &["level 2 does not coarsen level 1: line 2 generalizes `30-49` to `high`, line 1 to `low`"],
        );
    }

    #[test]
    fn a_file_without_lines() {
        bad_hierarchy("hierarchy_without_lines.csv", &["hierarchy_without_lines.csv", "empty"]);
        let desk = desk();
        desk.take("hierarchy_without_lines.csv");
        let ran = refused(&desk, &["hierarchy", "check", "hierarchy_without_lines.csv"], 1);
        assert!(ran.out.contains("empty"), "{ran:?}");
    }

    #[test]
    fn a_file_that_is_not_there() {
        bad_policy(format!("{INPUT}{K2}{}", AGE.replace("age.csv", "nowhere.csv")), &["cannot open `nowhere.csv`"]);
        let desk = desk();
        bad(
            &desk,
            &["check", "people.csv", "--quasi", "zip", "--sensitive", "age", "--hierarchy", "age=nowhere.csv"],
            &["cannot open `nowhere.csv`"],
        );
        bad(
            &desk,
            &["check", "people.csv", "--quasi", "zip", "--sensitive", "age", "--hierarchy", "age"],
            &["--hierarchy is `age`; expected ATTRIBUTE=FILE"],
        );
        bad(
            &desk,
            &["check", "people.csv", "--quasi", "zip", "--sensitive", "age", "--hierarchy", "zip=age.csv"],
            &["--hierarchy names `zip`, which is not among the --sensitive attributes"],
        );
    }

    #[test]
    fn builders_with_impossible_parameters() {
        let inline = |builder: &str, parts: &[&str]| {
            bad_policy(
                format!("{INPUT}{K2}[attributes.age]\nrole = \"quasi-identifying\"\nhierarchy = {builder}\n"),
                parts,
            );
        };
        inline(
            "{ interval = { width = 0 } }",
            &["the hierarchy written inline of `age`: the `width` of intervals must be above 0"],
        );
        inline("{ interval = { widht = 5 } }", &["line 8, column 28: unknown field `widht`, expected one of `bins`"]);
        inline("{ intervals = {} }", &["line 8, column 15: unknown variant `intervals`, expected one of `interval`"]);
        inline("{ interval = { width = 5 }, mask = {} }", &["`mask` is one builder too many; remove all but one"]);
        inline("5", &["invalid type: integer `5`, expected the path of a hierarchy file or a builder"]);
        inline("{ date = {} }", &["`30` is no date in a known spelling; give the `format`"]);
        inline("{ tree = { parents = {} } }", &["the hierarchy written inline of `age`"]);
        let desk = desk();
        let interval = ["hierarchy", "interval", "people.csv", "--column", "age", "--output", "h.csv"];
        bad(&desk, &[&interval[..], &["--width", "x"]].concat(), &["`x` is no number; write it like 12 or 0.5"]);
        bad(&desk, &[&interval[..], &["--width", "nan"]].concat(), &["nan"]);
        bad(&desk, &[&interval[..], &["--width", "-5"]].concat(), &["the `width` of intervals must be above 0"]);
        bad(&desk, &[&interval[..], &["--width", "5", "--factors", "0"]].concat(), &["the hierarchy of `age`"]);
        bad(
            &desk,
            &["hierarchy", "patterns", "people.csv", "--column", "zip", "--similarity", "2"],
            &["the hierarchy of `zip`"],
        );
        bad(
            &desk,
            &["hierarchy", "tree", "people.csv", "--column", "zip", "--parents", "nowhere.csv"],
            &["cannot open `nowhere.csv`"],
        );
        desk.write("parents.csv", "28001;north\n28001;south\n");
        bad(
            &desk,
            &["hierarchy", "tree", "people.csv", "--column", "zip", "--parents", "parents.csv"],
            &["parents.csv, line 2: `28001` already has the parent `north`"],
        );
    }
}

mod policies {
    use super::*;

    #[test]
    fn a_policy_that_is_not_there() {
        let desk = desk();
        bad(
            &desk,
            &["anonymize", "nowhere.toml", "--output", "out.csv"],
            &["cannot read the policy nowhere.toml: No such file", "write one with `tamis init DATA`"],
        );
        bad(&desk, &["anonymize", "."], &["cannot read the policy ."]);
        bad_policy(b"[input]\npath = \"\xff\"\n", &["cannot read the policy policy.toml", "UTF-8"]);
    }

    #[test]
    fn malformed_toml_is_named_by_line_and_column() {
        bad_policy(
            format!("{INPUT}[attributes.zip\n"),
            &["the policy policy.toml, line 3, column 16: unclosed table, expected `]`"],
        );
        bad_policy(format!("{INPUT}{ZIP}{ZIP}"), &["the policy policy.toml, line 5, column 13: duplicate key"]);
        bad_policy("input = {", &["the policy policy.toml, line 1"]);
        bad_policy("\"żółć\" = \n", &["the policy policy.toml, line 1, column 10"]);
        bad_policy("", &["the policy policy.toml, line 1, column 1: missing field `input`"]);
    }

    #[test]
    fn unknown_keys() {
        bad_policy(
            format!("{INPUT}{ZIP}{K2}[serach]\n"),
            &["line 8, column 2: unknown field `serach`, expected one of `entity`"],
        );
        bad_policy(
            format!("{INPUT}{ZIP}hierarchi = \"age.csv\"\n{K2}"),
            &["line 5, column 1: unknown field `hierarchi`"],
        );
        bad_policy(format!("{INPUT}pth = \"x\"\n{ZIP}{K2}"), &["line 3, column 1: unknown field `pth`"]);
        bad_policy(format!("{INPUT}{ZIP}{K2}l = 3\n"), &["model `k-anonymity` has no parameter `l`; it takes `k`"]);
    }

    #[test]
    fn wrong_types() {
        bad_policy(
            format!("{INPUT}{ZIP}{K2}[search]\nsuppression_limit = \"a\"\n"),
            &["line 9, column 21: invalid type: string \"a\""],
        );
        bad_policy(format!("{INPUT}{ZIP}min_level = -1\n{K2}"), &["line 5, column 13: invalid value: integer `-1`"]);
        bad_policy(
            format!("{INPUT}{ZIP}{K2}[search]\nsuppression_rows = 1.5\n"),
            &["line 9, column 20: invalid type: floating point `1.5`"],
        );
        bad_policy("input = \"people.csv\"\n", &["line 1, column 9: invalid type: string \"people.csv\""]);
        bad_policy(format!("{INPUT}{ZIP}models = 5\n{K2}"), &["policy.toml, line"]);
    }

    #[test]
    fn unknown_names() {
        bad_policy(
            format!("{INPUT}[attributes.zip]\nrole = \"quasi\"\n{K2}"),
            &[
                "line 4, column 8: unknown variant `quasi`, expected one of `identifying`, `quasi-identifying`, `sensitive`, `insensitive`",
            ],
        );
        bad_policy(format!("{INPUT}[attributes.zip]\n{K2}"), &["line 3, column 1: missing field `role`"]);
        bad_model("kind = \"k-anon\"\nk = 2", &["there is no model `k-anon`; the models are `k-anonymity`"]);
        bad_model("k = 2", &["line 7, column 1: missing field `kind`"]);
        bad_policy(
            format!("{INPUT}{ZIP}{K2}[quality]\nmeasure = \"lost\"\n"),
            &["there is no quality measure `lost`; the measures are `loss`"],
        );
        bad_policy(
            format!("{INPUT}{ZIP}{K2}[quality]\naggregate = \"median\"\n"),
            &["there is no aggregate `median`; the aggregates are `geometric`"],
        );
        bad_policy(
            format!("{INPUT}{ZIP}{K2}[quality]\nmeasure = \"height\"\naggregate = \"max\"\n"),
            &["the measure `height` is one number for the whole table; remove `aggregate`"],
        );
        bad_policy(format!("{INPUT}{ZIP}{K2}[quality]\nvariant = \"x\"\n"), &["no variant `x`"]);
        bad_policy(
            format!("{INPUT}{ZIP}{K2}[search]\nalgorithm = \"magic\"\n"),
            &["line 9, column 13: unknown variant `magic`, expected `optimal` or `heuristic`"],
        );
        bad_model(
            "kind = \"t-closeness\"\nt = 0.2\ndistance = \"far\"",
            &["model `t-closeness`: `distance` is \"far\"; expected \"hierarchical\", \"ordered\" or \"equal\""],
        );
        bad_policy(
            format!("{INPUT}{ZIP}{K2}[output]\norder = \"sorted\"\n"),
            &["unknown variant `sorted`, expected `shuffled` or `input`"],
        );
        bad_policy(
            format!("{INPUT}{ZIP}missing = \"ignore\"\n{K2}"),
            &["unknown variant `ignore`, expected `own-category` or `matches-anything`"],
        );
    }

    #[test]
    fn parts_that_are_missing_or_contradict_each_other() {
        bad_policy(
            format!("{INPUT}{ZIP}"),
            &[
                "the policy asks for no privacy model; add a [[models]] section such as kind = \"k-anonymity\" with k = 5",
            ],
        );
        bad_policy(
            format!("{INPUT}{AGE_SENSITIVE}{K2}"),
            &["the policy has no quasi-identifier; give at least one column `role = \"quasi-identifying\"`"],
        );
        bad_policy(
            format!("{INPUT}{AGE}min_level = 2\nmax_level = 1\n{K2}"),
            &["`age`: levels 2 to 1 were asked for; its hierarchy has levels 0 to 2"],
        );
        bad_policy(
            format!("{INPUT}{AGE}max_level = 3\n{K2}"),
            &["`age`: levels 0 to 3 were asked for; its hierarchy has levels 0 to 2"],
        );
        bad_policy(
            format!("entity = \"zip\"\n{INPUT}{ZIP}{AGE}{K2}"),
            &["`zip` names the person (entity) and is never released; give it role = \"identifying\" or no entry"],
        );
        bad_policy(
            format!("{INPUT}{ZIP}weight = -1\n{K2}"),
            &["the weight of `zip` is -1; expected a number of at least 0"],
        );
        bad_policy(format!("{INPUT}{ZIP}weight = nan\n{K2}"), &["the weight of `zip` is NaN"]);
        for (key, value, expected) in [
            ("search]\nsuppression_limit", "1.1", "suppression_limit is 1.1; expected a share between 0 and 1"),
            ("search]\nsuppression_limit", "-0.1", "suppression_limit is -0.1; expected a share between 0 and 1"),
            ("search]\nsuppression_limit", "nan", "suppression_limit is NaN; expected a share between 0 and 1"),
            ("search]\ntime_limit", "0", "time_limit is 0; expected a positive number of seconds"),
            ("search]\ntime_limit", "inf", "time_limit is inf; expected a positive number of seconds"),
            ("quality]\nfactor", "1.5", "the factor is 1.5; expected a number between 0 and 1"),
            ("quality]\nfactor", "nan", "the factor is NaN; expected a number between 0 and 1"),
            ("risk]\nthreshold", "2", "the risk threshold is 2; expected a number between 0 and 1"),
            ("output]\ndelimiter", "\"ab\"", "the delimiter is `ab`; expected one ASCII character, or `tab`"),
        ] {
            bad_policy(format!("{INPUT}{ZIP}{K2}[{key} = {value}\n"), &[expected]);
        }
    }
}

mod models {
    use super::*;

    #[test]
    fn k_out_of_its_range() {
        for (k, found) in [
            ("0", "0"),
            ("-3", "-3"),
            ("1.5", "1.5"),
            ("nan", "NaN"),
            ("inf", "inf"),
            ("\"2\"", "\"2\""),
            ("true", "true"),
            ("[2]", "a list"),
        ] {
            let expected = format!("model `k-anonymity`: `k` is {found}; expected a whole number of at least 1");
            bad_model(&format!("kind = \"k-anonymity\"\nk = {k}"), &[&expected]);
        }
        bad_model(
            "kind = \"k-anonymity\"\nk = 5",
            &["k = 5 is more than the 4 rows of the table; choose k between 1 and 4"],
        );
        bad_model(
            "kind = \"k-anonymity\"\nk = 9223372036854775807",
            &["k = 9223372036854775807 is more than the 4 rows"],
        );
        bad_model("kind = \"k-anonymity\"\nk = 99999999999999999999", &["line 9, column 5", "99999999999999999999"]);
        bad_model(
            "kind = \"k-anonymity\"",
            &["model `k-anonymity` needs the parameter `k` (least class size, a whole number from 1)"],
        );
    }

    #[test]
    fn l_c_and_t_out_of_their_ranges() {
        bad_model("kind = \"distinct-l-diversity\"\nl = 0", &["`l` is 0; expected a whole number of at least 1"]);
        bad_model("kind = \"entropy-l-diversity\"\nl = 0.5", &["`l` is 0.5; expected a number of at least 1"]);
        bad_model("kind = \"entropy-l-diversity\"\nl = inf", &["`l` is inf; expected a number of at least 1"]);
        bad_model("kind = \"recursive-cl-diversity\"\nl = 2\nc = 0", &["`c` is 0; expected a number"]);
        bad_model("kind = \"recursive-cl-diversity\"\nl = 2\nc = nan", &["`c` is NaN; expected a number"]);
        bad_model(
            "kind = \"t-closeness\"\nt = 1.01",
            &["model `t-closeness`: `t` is 1.01; expected a number between 0 and 1"],
        );
        bad_model("kind = \"t-closeness\"\nt = -0.1", &["`t` is -0.1; expected a number between 0 and 1"]);
        bad_model("kind = \"t-closeness\"\nt = nan", &["`t` is NaN; expected a number between 0 and 1"]);
        bad_model(
            "kind = \"t-closeness\"\nt = 0.2\ndistance = \"hierarchical\"",
            &["model `t-closeness` with the hierarchical distance needs a hierarchy of `age`"],
        );
    }

    #[test]
    fn models_on_sensitive_values_without_a_sensitive_attribute() {
        for model in ["kind = \"distinct-l-diversity\"\nl = 2", "kind = \"t-closeness\"\nt = 0.2"] {
            bad_policy(
                format!("{INPUT}{ZIP}[[models]]\n{model}\n"),
                &["needs a sensitive attribute; give a column `role = \"sensitive\"`"],
            );
        }
        bad_model(
            "kind = \"distinct-l-diversity\"\nl = 2\nattribute = \"zip\"",
            &["`zip` is not a sensitive attribute; the sensitive attributes are `age`"],
        );
        bad_model(
            "kind = \"distinct-l-diversity\"\nl = 2\nattribute = 5",
            &["`attribute` is 5; expected the name of a column"],
        );
    }

    #[test]
    fn models_of_shares_spans_and_risks_that_do_not_fit() {
        bad_model(
            "kind = \"alpha-k-anonymity\"\nalpha = 0.5\nk = 2\nvalues = [\"99\"]",
            &["model `alpha-k-anonymity`: `99` is no value of `age`; its values are `"],
        );
        bad_model("kind = \"confidence-bounding\"", &["needs the parameter `bounds` (largest shares by value"]);
        bad_model(
            "kind = \"confidence-bounding\"\nbounds = { 30 = 2 }",
            &["`bounds` is 2 for \"30\"; expected shares between 0 and 1 by value"],
        );
        bad_model(
            "kind = \"beta-likeness\"\nbeta = 1\nvariant = true",
            &["`variant` is true; expected \"basic\" or \"enhanced\""],
        );
        bad_model("kind = \"delta-disclosure-privacy\"\ndelta = 0", &["`delta` is 0; expected a number above 0"]);
        for (kind, parameter) in [("k-map", "k = 2"), ("journalist-risk", "max = 0.5")] {
            bad_model(
                &format!("kind = \"{kind}\"\n{parameter}"),
                &[&format!("model `{kind}` needs `subset`: which rows of the input are the ones to release")],
            );
        }
        bad_model(
            "kind = \"prosecutor-risk\"\nmax = 0.001",
            &["max = 0.001 needs classes of at least 1000 rows, more than the "],
        );
        bad_model("kind = \"differential-privacy\"\nepsilon = 1\ndelta = 0.1\nbeta = 0.9", &["beta is 0.9; expected"]);
        bad_model("kind = \"d-gamma-privacy\"\nd = 0.1\ngamma = 0.5", &["may be generalized to several levels"]);
        bad_model(
            "kind = \"distributional-privacy\"\nalpha = 1\nbeta = 0.5",
            &["a promise of a mechanism that answers"],
        );
    }

    #[test]
    fn numbers_where_there_are_none() {
        let desk = desk();
        desk.write("people.csv", "zip,age\n28001,thirty\n28001,31\n");
        desk.write(
            "policy.toml",
            format!("{INPUT}{ZIP}{AGE_SENSITIVE}[[models]]\nkind = \"k-e-anonymity\"\nk = 2\ne = 1\n"),
        );
        bad(
            &desk,
            &["anonymize", "policy.toml", "--output", "out.csv"],
            &["model `k-e-anonymity` works on numbers, but `age` also holds `thirty`"],
        );
    }

    #[test]
    fn populations_that_do_not_fit() {
        let presence = |subset: &str| format!("kind = \"delta-presence\"\nmin = 0.1\nmax = 0.9\n{subset}");
        bad_model(&presence(""), &["model `delta-presence` needs `subset`"]);
        bad_model(&presence("subset = \"nowhere.csv\""), &["cannot open `nowhere.csv`"]);
        bad_model(
            &presence("subset = 5"),
            &["`subset` is either the path of a file with the rows to release or { column"],
        );
        bad_model(&presence("subset = { column = \"zip\" }"), &["`subset` is either the path"]);
        bad_model(
            &presence("subset = { column = \"zip\", equals = \"1\" }"),
            &["no row of the input is in the subset"],
        );
        bad_model(&presence("subset = { column = \"town\", equals = \"1\" }"), &["there is no column `town`"]);
        bad_model(
            "kind = \"delta-presence\"\nmin = 0.9\nmax = 0.1\nsubset = { column = \"zip\", equals = \"28001\" }",
            &["`max` is 0.1; expected a number between 0.9 and 1"],
        );
        let desk = desk();
        desk.write("policy.toml", format!("{INPUT}{ZIP}[[models]]\n{}\n", presence("subset = \"some.csv\"")));
        desk.write("some.csv", "zip,age\n28001,30\n28009,30\n28001,99\n");
        bad(
            &desk,
            &["anonymize", "policy.toml", "--output", "out.csv"],
            &["2 of the 3 rows of some.csv are not in people.csv; the population must contain every row to release"],
        );
        desk.write("some.csv", "city\nMadrid\n");
        bad(&desk, &["anonymize", "policy.toml"], &["some.csv has no column in common with people.csv"]);
    }

    #[test]
    fn a_quasi_identifier_without_hierarchy_works_and_a_note_says_so() {
        let desk = desk();
        desk.write("policy.toml", format!("{INPUT}{ZIP}{AGE_SENSITIVE}{K2}"));
        let ran = desk.done("anonymize policy.toml --output out.csv");
        assert!(
            ran.err.contains("note: `zip` has no hierarchy, so it can only be kept as it is or suppressed whole"),
            "{}",
            ran.err
        );
        desk.write("policy.toml", format!("{INPUT}{ZIP}{AGE_SENSITIVE}{}", K2.replace('2', "3")));
        assert_eq!(desk.json("anonymize policy.toml", 0)["solution"]["levels"]["zip"], 1);
    }

    #[test]
    fn no_admissible_transformation_is_an_answer_with_what_would_have_to_give() {
        let desk = desk();
        desk.write("policy.toml", format!("{INPUT}{AGE}max_level = 1\n{}", K2.replace('2', "3")));
        let ran = refused(&desk, &["anonymize", "policy.toml", "--output", "out.csv", "--manifest", "m.json"], 1);
        assert!(ran.out.contains("no transformation meets the models with at most 0 of 4 rows suppressed"), "{ran:?}");
        assert!(ran.out.contains("at least 4 of 4 rows must be suppressed: set suppression_rows = 4"), "{ran:?}");
        assert!(ran.out.contains("with 0 of 4 rows suppressed, k = 2 is the largest that can be met"), "{ran:?}");
    }
}

mod outputs {
    use super::*;

    #[test]
    fn places_where_nothing_can_be_written() {
        let desk = desk();
        std::fs::create_dir(desk.path("folder")).expect("a directory");
        for flag in ["--output", "--report", "--manifest"] {
            bad(
                &desk,
                &["anonymize", "policy.toml", flag, "no/such/out"],
                &["cannot write `no/such/out`: there is no directory `no/such`; create it or choose another path"],
            );
            bad(
                &desk,
                &["anonymize", "policy.toml", flag, "folder"],
                &["cannot write `folder`: it is a directory and not a file; choose another path"],
            );
            bad(&desk, &["anonymize", "policy.toml", flag, "people.csv/out"], &["cannot write `people.csv/out`"]);
        }
        bad(&desk, &["init", "people.csv", "--output", "no/first.toml"], &["there is no directory `no`"]);
        bad(&desk, &["demo", "--output", "no/page.html"], &["there is no directory `no`"]);
        bad(&desk, &["compare", "policy.toml", "--k", "2", "--html", "no/page.html"], &["there is no directory `no`"]);
        bad(&desk, &["generate", "adult", "--rows", "1", "--output", "no/a.csv"], &["there is no directory `no`"]);
        bad(
            &desk,
            &["hierarchy", "auto", "people.csv", "--column", "zip", "--output", "no/h.csv"],
            &["there is no directory `no`"],
        );
    }

    #[test]
    fn an_input_is_never_overwritten() {
        let desk = desk();
        std::fs::create_dir(desk.path("folder")).expect("a directory");
        desk.done("anonymize policy.toml --output out.csv --manifest m.json");
        #[cfg(unix)]
        std::os::unix::fs::symlink(desk.path("people.csv"), desk.path("link.csv")).expect("a link");
        let absolute = desk.path("people.csv");
        let absolute = absolute.to_str().expect("UTF-8");
        for output in
            ["people.csv", "./people.csv", "folder/../people.csv", absolute, "age.csv", "policy.toml", "link.csv"]
        {
            if cfg!(unix) || output != "link.csv" {
                for flag in ["--output", "--report", "--manifest"] {
                    bad(
                        &desk,
                        &["anonymize", "policy.toml", flag, output],
                        &["would be overwritten by an output; choose another path"],
                    );
                }
            }
        }
        let overwritten = &["would be overwritten by an output; choose another path"];
        bad(&desk, &["anonymize", "policy.toml", "--output", "x.csv", "--report", "folder/../x.csv"], overwritten);
        bad(&desk, &["compare", "policy.toml", "--k", "2", "--csv", "people.csv"], overwritten);
        bad(&desk, &["compare", "policy.toml", "--k", "2", "--html", "policy.toml"], overwritten);
        bad(&desk, &["compare", "policy.toml", "--k", "2", "--html", "x", "--csv", "x"], overwritten);
        bad(&desk, &["apply", "m.json", "people.csv", "--output", "people.csv"], overwritten);
        bad(&desk, &["apply", "m.json", "people.csv", "--output", "m.json"], overwritten);
        bad(&desk, &["hierarchy", "auto", "people.csv", "--column", "zip", "--output", "people.csv"], overwritten);
        bad(&desk, &["init", "people.csv", "--output", "people.csv", "--force"], overwritten);
        bad(
            &desk,
            &["init", "people.csv", "--output", "policy.toml"],
            &["policy.toml exists already; choose another --output or add --force"],
        );
        desk.write("saves.toml", format!("{INPUT}{ZIP}{K2}[output]\npath = \"people.csv\"\n"));
        bad(&desk, &["anonymize", "saves.toml"], overwritten);
    }
}

mod manifests {
    use super::*;

    #[test]
    fn manifests_that_are_none() {
        let desk = desk();
        bad(&desk, &["verify", "nowhere.json"], &["the manifest nowhere.json cannot be used: No such file"]);
        bad(
            &desk,
            &["verify", "policy.toml"],
            &["the manifest policy.toml cannot be used", "tamis anonymize --manifest"],
        );
        desk.write("empty.json", "{}");
        bad(&desk, &["verify", "empty.json"], &["missing field `tamis`", "tamis anonymize --manifest"]);
        bad(
            &desk,
            &["apply", "empty.json", "people.csv", "--output", "out.csv"],
            &["the manifest empty.json cannot be used"],
        );
    }

    #[test]
    fn manifests_someone_edited() {
        let desk = desk();
        desk.done("anonymize policy.toml --output out.csv --manifest m.json");
        let text = desk.read("m.json");
        let edited = |from: &str, to: &str| {
            assert!(text.contains(from), "{from} in {text}");
            desk.write("edited.json", text.replacen(from, to, 1));
        };
        edited("\"zip\": 0", "\"zip\": 7");
        bad(
            &desk,
            &["verify", "edited.json"],
            &["`zip`: levels 7 to 7 were asked for; its hierarchy has levels 0 to 1"],
        );
        edited("\"zip\": 0", "\"zap\": 0");
        bad(&desk, &["verify", "edited.json"], &["the manifest has no level for the quasi-identifier `zip`"]);
        edited("[input]", "[inputs]");
        bad(
            &desk,
            &["verify", "edited.json"],
            &["the policy of the manifest, line 1, column 2: unknown field `inputs`"],
        );
        edited("40-49", "30-39");
        let code = desk.tamis("verify edited.json").code;
        assert!(code == 1 || code == 2, "{code}");
    }

    #[test]
    fn new_rows_that_do_not_fit() {
        let desk = desk();
        desk.done("anonymize policy.toml --output out.csv --manifest m.json");
        desk.write("other.csv", "city,age\nMadrid,30\n");
        bad(
            &desk,
            &["apply", "m.json", "other.csv", "--output", "new.csv"],
            &["the policy names the column `zip`, which", "other.csv does not have; its columns are `city`, `age`"],
        );
        bad(&desk, &["apply", "m.json", "nowhere.csv", "--output", "new.csv"], &["cannot open", "nowhere.csv"]);
        desk.write("older.csv", "zip,age\n28001,30\n28001,99\n");
        bad(
            &desk,
            &["apply", "m.json", "older.csv", "--output", "new.csv"],
            &["of `age`: it does not list the value `99`"],
        );
    }
}

mod usage {
    use super::*;

    #[test]
    fn numbers_that_are_none() {
        let desk = desk();
        bad_usage(&desk, &["models", "--threads", "0"], &["invalid value '0' for '--threads <N>'", "1.."]);
        bad_usage(&desk, &["models", "--threads", "-1"], &["invalid value '-1' for '--threads <N>'"]);
        bad_usage(&desk, &["models", "--threads", "many"], &["invalid value 'many' for '--threads <N>'"]);
        bad_usage(&desk, &["models", "--seed", "-1"], &["invalid value '-1' for '--seed <N>'"]);
        bad_usage(&desk, &["models", "--seed", "18446744073709551616"], &["--seed"]);
        bad_usage(&desk, &["check", "people.csv", "--quasi", "zip", "--l", "0"], &["--l <L>"]);
        bad_usage(&desk, &["compare", "policy.toml", "--k", "two"], &["invalid value 'two' for '--k <K,...>'"]);
        bad_usage(&desk, &["compare", "policy.toml", "--k", "-2"], &["invalid value '-2' for '--k <K,...>'"]);
        bad_usage(&desk, &["generate", "adult", "--rows", "1.5"], &["invalid value '1.5' for '--rows <N>'"]);
        bad(
            &desk,
            &["generate", "adult", "--rows", "1", "--noise", "2", "--output", "x.csv"],
            &["--noise: the noise is 2;", "from 0 to 1"],
        );
        bad(&desk, &["generate", "adult", "--rows", "1", "--noise", "nan"], &["--noise: the noise is NaN;"]);
        let check = ["check", "people.csv", "--quasi", "zip"];
        bad(
            &desk,
            &[&check[..], &["--threshold", "2"]].concat(),
            &["--threshold is 2; expected a number between 0 and 1"],
        );
        bad(&desk, &[&check[..], &["--threshold", "nan"]].concat(), &["--threshold is NaN"]);
        bad(&desk, &["anonymize", "policy.toml", "--suppression-limit", "nan"], &["suppression_limit is NaN"]);
        bad(&desk, &["anonymize", "policy.toml", "--suppression-limit", "-1"], &["suppression_limit is -1"]);
        bad(&desk, &["anonymize", "policy.toml", "--time-limit", "0"], &["time_limit is 0"]);
    }

    #[test]
    fn comparisons_of_nothing_or_of_nonsense() {
        let desk = desk();
        bad(
            &desk,
            &["compare", "policy.toml"],
            &["nothing to compare; give at least one of --k, --l, --t and --model"],
        );
        bad(&desk, &["compare", "policy.toml", "--k", "0"], &["`k` is 0; expected a whole number of at least 1"]);
        bad(&desk, &["compare", "policy.toml", "--k", "2,5", "--csv", "x.csv"], &["k = 5 is more than the 4 rows"]);
        bad(&desk, &["compare", "policy.toml", "--t", "0.1"], &["needs a sensitive attribute"]);
        desk.write("policy.toml", format!("{INPUT}{ZIP}{AGE_SENSITIVE}{K2}"));
        bad(&desk, &["compare", "policy.toml", "--t", "1.5"], &["`t` is 1.5; expected a number between 0 and 1"]);
        bad(&desk, &["compare", "policy.toml", "--t", "-0.5"], &["`t` is -0.5; expected a number between 0 and 1"]);
        bad(&desk, &["compare", "policy.toml", "--t", "nan"], &["`t` is NaN"]);
        bad(&desk, &["compare", "policy.toml", "--l", "2", "--c", "0"], &["`c` is 0; expected a number"]);
        bad(&desk, &["compare", "policy.toml", "--t", "0.5", "--distance", "far"], &["`distance` is \"far\""]);
    }

    #[test]
    fn requirements_that_are_none() {
        let desk = desk();
        let require = |bounds: &str, parts: &[&str]| {
            bad(&desk, &["check", "people.csv", "--quasi", "zip", "--require", bounds], parts);
        };
        for nonsense in
            ["k", "k=", "k=x", "k=0", "k=-1", "k=1.5", "z=5", "", "k=2,", "k>2", "risk=2", "risk=nan", "t=1.5", "k==2"]
        {
            require(nonsense, &["is no requirement; expected k=NUMBER"]);
        }
        for bound in ["l=2", "entropy=1", "c=3", "t=0.5"] {
            require(bound, &["need a sensitive attribute; name one with --sensitive"]);
        }
        bad(
            &desk,
            &["check", "people.csv", "--quasi", "zip", "--sensitive", "age", "--distance", "far"],
            &["--distance is `far`; expected hierarchical, ordered or equal"],
        );
        bad(
            &desk,
            &["check", "people.csv", "--quasi", "zip", "--sensitive", "age", "--distance", "hierarchical"],
            &["the hierarchical distance needs a hierarchy of `age`", "--hierarchy age=FILE"],
        );
    }

    #[test]
    fn verbs_and_flags_that_do_not_exist() {
        let desk = desk();
        bad_usage(&desk, &["anonymise", "policy.toml"], &["unrecognized subcommand 'anonymise'", "anonymize"]);
        bad_usage(&desk, &["anonymize"], &["required arguments were not provided", "<POLICY>"]);
        bad_usage(&desk, &["anonymize", "policy.toml", "--ouput", "x"], &["unexpected argument '--ouput'", "--output"]);
        bad_usage(&desk, &["check", "people.csv"], &["--quasi"]);
        bad_usage(&desk, &["hierarchy", "check", "age.csv", "--data", "people.csv"], &["--column"]);
    }

    #[test]
    fn whoever_asks_for_json_gets_a_document_about_the_error() {
        let desk = desk();
        for arguments in [
            &["anonymize", "nowhere.toml", "--json"][..],
            &["anonymize", "policy.toml", "--threads", "0", "--json"],
            &["generate", "adult", "--rows", "2", "--json"],
            &["check", "people.csv", "--quasi", "town", "--json"],
        ] {
            let ran = refused(&desk, arguments, 2);
            assert!(ran.document()["error"].is_string(), "{ran:?}");
            assert!(ran.err.starts_with("error: "), "{ran:?}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_behind_standard_output_is_told() {
        let desk = desk();
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let output = desk.command(["models"]).stdout(full).stderr(Stdio::piped()).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
    }
}
