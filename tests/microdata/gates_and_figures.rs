//! What a gate answers about orders and suppressed rows, and what the figures of a release say.

use crate::program::Desk;
use serde_json::Value;

/// The salaries of Li, Li and Venkatasubramanian (2007): 3 to 11 thousand in three classes, 12/72 from the whole at most.
fn salaries(spelled: impl Fn(u32) -> String) -> Desk {
    let desk = Desk::new();
    let rows = [("a", [3, 5, 9]), ("b", [6, 8, 11]), ("c", [4, 7, 10])];
    let line = |(class, pay): (&str, [u32; 3])| pay.map(|pay| format!("{class};{}\n", spelled(pay))).concat();
    desk.write("pay.csv", format!("zip;pay\n{}", rows.map(line).concat()));
    let order: Vec<String> = (3..12).map(|pay| format!("{};*\n", spelled(pay))).collect();
    desk.write("order.csv", order.concat());
    desk
}

const GATE: &str = "check pay.csv --delimiter ; --quasi zip --sensitive pay --distance ordered --require t=0.13";

#[test]
fn an_ordered_distance_over_text_that_nothing_ranks_is_refused() {
    let spellings: [fn(u32) -> String; 5] = [
        |pay| format!("{pay}K"),
        |pay| format!("{pay},5"),
        |pay| format!("{pay} EUR"),
        |pay| format!("{pay:02}"),
        |pay| if pay == 3 { "low".to_owned() } else { pay.to_string() },
    ];
    for spelled in spellings {
        let desk = salaries(spelled);
        let by_model =
            "check pay.csv --delimiter ; --quasi zip --sensitive pay --model t-closeness:t=0.13,distance=ordered";
        for command in [GATE, by_model] {
            let ran = desk.tamis(command);
            assert_eq!(ran.code, 2, "{ran:?}");
            assert!(ran.err.contains("neither a number nor a date") && ran.err.contains("hierarchy file"), "{ran:?}");
        }
    }
}

#[test]
fn a_policy_with_an_ordered_distance_over_text_that_nothing_ranks_is_refused_unless_it_lists_them() {
    let desk = salaries(|pay| format!("{pay}K"));
    let policy = |hierarchy: &str| {
        format!(
            "[input]\npath = \"pay.csv\"\ndelimiter = \";\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n\
            [attributes.pay]\nrole = \"sensitive\"\n{hierarchy}[[models]]\nkind = \"t-closeness\"\nt = 0.13\n\
            distance = \"ordered\"\n[search]\nsuppression_limit = 1.0\n"
        )
    };
    let grouped = "hierarchy = { mask = { levels = 1 } }\n";
    for hierarchy in ["", grouped, "hierarchy = \"order.csv\"\n"] {
        desk.write("policy.toml", policy(hierarchy));
        let ran = desk.tamis("anonymize policy.toml --quiet --output out.csv");
        assert_eq!((ran.code, desk.path("out.csv").exists()), (2, false), "{ran:?}");
    }
    let listed: Vec<String> = (3..12).map(|pay| format!("\"{pay}K\"")).collect();
    let listed = format!("hierarchy = {{ order = {{ order = [{}] }} }}\n", listed.join(", "));
    let by_lines = policy("hierarchy = \"order.csv\"\n").replace("\"ordered\"", "\"listed\"");
    for policy in [by_lines, policy(&listed)] {
        desk.write("policy.toml", policy);
        let document = desk.json("anonymize policy.toml --quiet --output out.csv --manifest manifest.json", 0);
        // Only the class of 4, 7 and 10 is within 0.13.
        assert_eq!(document["rows"]["kept"], 3, "{document}");
        desk.done("verify manifest.json");
    }
}

fn t_of_pay(document: &Value) -> f64 {
    document["sensitive"]["pay"]["t"].as_f64().unwrap_or_default()
}

#[test]
fn the_lines_of_a_hierarchy_file_order_nothing_unless_somebody_says_so() {
    for spelled in [|pay: u32| format!("{pay}K"), |pay: u32| format!("{pay},5"), |pay: u32| pay.to_string()] {
        let desk = salaries(spelled);
        let listed = GATE.replace("ordered", "listed");
        let document = desk.json(&format!("{listed} --hierarchy pay=order.csv"), 1);
        assert!((t_of_pay(&document) - 12.0 / 72.0).abs() < 1e-15, "{document}");
        assert_eq!(document["sensitive"]["pay"]["distance"], "listed");
        let ran = desk.tamis(&listed);
        assert!(ran.code == 2 && ran.err.contains("needs a hierarchy file of `pay`"), "{ran:?}");
    }
    // Builders write the lines in the order in which the values appear.
    let desk = salaries(|pay| format!("{pay}K"));
    for kind in ["mask", "rare", "patterns", "order"] {
        desk.done(&format!("hierarchy {kind} pay.csv --column pay --delimiter ; --output built.csv"));
        let ran = desk.tamis(&format!("{GATE} --hierarchy pay=built.csv"));
        assert!(ran.code == 2 && ran.err.contains("the distance `listed`"), "{kind}: {ran:?}");
    }
}

#[test]
fn dates_that_may_be_day_or_month_first_have_no_order_unless_their_format_is_named() {
    let unsure = salaries(|pay| format!("{pay:02}/{:02}/2020", 14 - pay));
    let ran = unsure.tamis(GATE);
    assert!(ran.code == 2 && ran.err.contains("day first or month first") && ran.err.contains("2020-03-01"), "{ran:?}");
    for format in ["%d/%m/%Y", "%m/%d/%Y"] {
        let policy = format!(
            "[input]\npath = \"pay.csv\"\ndelimiter = \";\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n\
             [attributes.pay]\nrole = \"sensitive\"\nhierarchy = {{ date = {{ format = \"{format}\" }} }}\n[[models]]\n\
             kind = \"t-closeness\"\nt = 0.13\ndistance = \"ordered\"\n[search]\nsuppression_limit = 1.0\n"
        );
        unsure.write("policy.toml", policy);
        let document = unsure.json("anonymize policy.toml --quiet --output out.csv --manifest manifest.json", 0);
        assert_eq!(document["rows"]["kept"], 3, "{format}: {document}");
        unsure.done("verify manifest.json");
    }
    // A value that decides, a spelling that leaves no doubt, and an order that both readings give.
    let spellings: [fn(u32) -> String; 3] = [
        |pay| format!("{:02}/01/2020", pay + 5),
        |pay| format!("2020-{:02}-{pay:02}", 14 - pay),
        |pay| format!("{pay:02}/{pay:02}/2020"),
    ];
    for spelled in spellings {
        let document = salaries(spelled).json(GATE, 1);
        assert!((t_of_pay(&document) - 12.0 / 72.0).abs() < 1e-15, "{document}");
    }
}

/// Six numbers in three classes, ordered 700 < 800 < 900 < 1000 < 1100 < 1200: the first and the last class are at 2/5 of the whole.
fn thousands(spelled: [&str; 6]) -> Desk {
    let desk = Desk::new();
    let lines = ["a", "a", "b", "b", "c", "c"].iter().zip(spelled).map(|(zip, pay)| format!("{zip};{pay}\n"));
    desk.write("pay.csv", format!("zip;pay\n{}", lines.collect::<String>()));
    desk
}

#[test]
fn numbers_whose_dots_may_separate_thousands_have_no_order_until_they_are_written_otherwise() {
    let unsure = ["700", "800", "1.000", "900", "1.100", "1.200"];
    let desk = thousands(unsure);
    let ran = desk.tamis(GATE);
    assert!(ran.code == 2 && ran.err.contains("the dot in `1.000` may separate thousands or decimals"), "{ran:?}");
    assert!(ran.err.contains("write `1000`") && ran.err.contains("such as `1.0000`"), "{ran:?}");
    // Whoever does what the sentence says has an order: the numbers as thousands, or one of them as a decimal, or a list.
    let whole = thousands(["700", "800", "1000", "900", "1100", "1200"]);
    assert!((t_of_pay(&whole.json(GATE, 1)) - 0.4).abs() < 1e-15);
    let decimal = thousands(unsure.map(|pay| if pay == "1.000" { "1.0000" } else { pay }));
    // 1.0000 < 1.100 < 1.200 < 700 < 800 < 900: the class of 1.100 and 1.200 has |0 - 1/6| + |1/2 - 2/6| + |1 - 3/6| + 2/6 + 1/6 fifths.
    assert!((t_of_pay(&decimal.json(GATE, 1)) - 4.0 / 15.0).abs() < 1e-15);
    desk.write("order.csv", "700;*\n800;*\n900;*\n1.000;*\n1.100;*\n1.200;*\n");
    let listed = format!("{} --hierarchy pay=order.csv", GATE.replace("ordered", "listed"));
    assert!((t_of_pay(&desk.json(&listed, 1)) - 0.4).abs() < 1e-15);
    // The order of a policy's own list decides too.
    let order = "\"700\", \"800\", \"900\", \"1.000\", \"1.100\", \"1.200\"";
    for (hierarchy, code) in [(String::new(), 2), (format!("hierarchy = {{ order = {{ order = [{order}] }} }}\n"), 0)] {
        desk.write(
            "policy.toml",
            format!(
                "[input]\npath = \"pay.csv\"\ndelimiter = \";\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n\
                 [attributes.pay]\nrole = \"sensitive\"\n{hierarchy}[[models]]\nkind = \"t-closeness\"\nt = 0.4\n\
                 distance = \"ordered\"\n[search]\nsuppression_limit = 1.0\n"
            ),
        );
        assert_eq!(desk.tamis("anonymize policy.toml --quiet").code, code, "{hierarchy}");
    }
}

#[test]
fn a_dot_that_orders_the_numbers_alike_however_it_is_read_is_no_doubt() {
    for spelled in [
        ["7.000", "8.000", "10.000", "9.000", "11.000", "12.000"],
        ["0.700", "0.800", "1.000", "0.900", "1.100", "1.200"],
        ["0.7", "0.8", "1.000", "0.9", "1.100", "1.200"],
        ["-12.5", "-11", "1.000", "-9", "1.100", "1.200"],
        ["1", "2", "4.000", "3", "5.000", "6.000"],
    ] {
        let document = thousands(spelled).json(GATE, 1);
        assert!((t_of_pay(&document) - 0.4).abs() < 1e-15, "{spelled:?}: {document}");
    }
}

#[test]
fn models_that_measure_how_far_apart_numbers_are_refuse_dots_that_may_separate_thousands() {
    let desk = thousands(["700", "800", "1.000", "900", "1.100", "1.200"]);
    let by_span = "check pay.csv --delimiter ; --quasi zip --sensitive pay --model k-e-anonymity:k=2,e=100";
    let by_place = "check pay.csv --delimiter ; --quasi pay --model ct-isolation:c=1,t=2";
    for command in [by_span, by_place] {
        let ran = desk.tamis(command);
        assert!(ran.code == 2 && ran.err.contains("write `1000`"), "{ran:?}");
    }
    for spelled in [["700", "800", "1000", "900", "1100", "1200"], ["700.5", "800", "1.000", "900", "1.100", "1.200"]] {
        for command in [by_span, by_place] {
            assert_ne!(thousands(spelled).tamis(command).code, 2, "{spelled:?}: {command}");
        }
    }
}

#[test]
fn dates_without_leading_zeros_are_dates() {
    let dates = |text: &str| {
        let desk = Desk::new();
        desk.write("pay.csv", text.replace(' ', "\n")).tamis(&GATE.replace(" --delimiter ;", " --delimiter ,"))
    };
    for unsure in ["zip,pay a,3/4/2020 a,5/1/2020 b,7/8/2020", "zip,pay a,3.4.2020 a,5.1.2020 b,7.8.2020"] {
        let ran = dates(unsure);
        assert!(ran.code == 2 && ran.err.contains("day first or month first"), "{ran:?}");
        assert!(!ran.err.contains("neither a number nor a date"), "{ran:?}");
    }
    // Both readings order these alike, or a value decides.
    for sure in [
        "zip,pay a,3/4/2020 a,5/6/2020 b,7/8/2020",
        "zip,pay a,3/4/2020 a,5/1/2020 b,27/8/2020",
        "zip,pay a,2020-3-4 a,2020-5-1",
    ] {
        let ran = dates(sure);
        assert!(ran.code != 2, "{sure}: {ran:?}");
    }
}

#[test]
fn suppressed_rows_form_no_class_whatever_else_is_asked() {
    let desk = Desk::new();
    desk.write("table.csv", "a,s\nx,1\nx,2\nx,1\n*,2\n");
    let base = "check table.csv --quasi a --require k=3";
    let more = ["", " --sensitive s", " --sensitive s --distance ordered", " --sensitive s --model k-anonymity:k=3"];
    for more in more {
        let document = desk.json(&format!("{base}{more}"), 0);
        let told = ["k", "rows", "suppressed"].map(|name| document[name].as_u64());
        assert_eq!(told, [Some(3), Some(3), Some(1)], "{more}");
    }
    let document = desk.json(&format!("{base} --sensitive s --count-suppressed"), 1);
    assert_eq!(document["k"], 1);
}

fn release(rows: &str, hierarchy: &str, quality: &str) -> Value {
    let desk = Desk::new();
    desk.write("table.csv", format!("n\n{rows}"));
    desk.write(
        "policy.toml",
        format!(
            "[input]\npath = \"table.csv\"\n[attributes.n]\nrole = \"quasi-identifying\"\nhierarchy = {hierarchy}\n\
            [[models]]\nkind = \"k-anonymity\"\nk = 3\n[quality]\n{quality}"
        ),
    );
    desk.json("anonymize policy.toml --quiet", 0)
}

#[test]
fn codes_released_as_text_have_no_figures() {
    let document = release("1211\n1212\n1213\n4711\n4712\n4713\n", "{ mask = { levels = 3 } }", "");
    assert_eq!(document["solution"]["levels"]["n"], 1, "{document}");
    assert!(document["figures"].get("n").is_none(), "{document}");
}

#[test]
fn the_mode_is_the_label_that_is_released() {
    let document = release("31\n32\n33\n34\n41\n42\n43\n", "{ interval = { width = 10, factors = [2] } }", "");
    let figures = &document["figures"]["n"];
    assert_eq!((&figures["mode"], &figures["mode_count"]), (&Value::from("[30, 40["), &Value::from(4)), "{document}");
}

#[test]
fn a_loss_is_never_above_one() {
    for columns in 1..12 {
        let desk = Desk::new();
        let names: Vec<String> = (0..columns).map(|j| format!("c{j}")).collect();
        let row = |value: u32| vec![value.to_string(); columns].join(",");
        desk.write("table.csv", format!("{}\n{}\n{}\n", names.join(","), row(1), row(2)));
        let attributes = names.iter().map(|name| format!("[attributes.{name}]\nrole = \"quasi-identifying\"\n"));
        let models = "[[models]]\nkind = \"k-anonymity\"\nk = 2\n[search]\nsuppression_limit = 1.0\n";
        let attributes: String = attributes.collect();
        desk.write("policy.toml", format!("[input]\npath = \"table.csv\"\n{attributes}{models}"));
        let document = desk.json("anonymize policy.toml --quiet", 0);
        assert_eq!(document["quality"]["loss"], 1.0, "{columns} columns");
    }
}

/// Of two transformations of height 1, making `b` coarser comes first by its levels, and making `a` coarser loses less.
#[test]
fn of_equal_heights_the_one_with_the_least_loss_is_the_best() {
    let desk = Desk::new();
    desk.write("table.csv", "a,b\n1,x\n2,x\n1,y\n2,y\n").write("a.csv", "1;1-2;*\n2;1-2;*\n3;3-4;*\n4;3-4;*\n");
    desk.write(
        "policy.toml",
        "[input]\npath = \"table.csv\"\n[attributes.a]\nrole = \"quasi-identifying\"\nhierarchy = \"a.csv\"\n\
         [attributes.b]\nrole = \"quasi-identifying\"\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n[quality]\nmeasure = \"height\"\n",
    );
    for algorithm in ["optimal", "heuristic"] {
        let policy = format!("{}[search]\nalgorithm = \"{algorithm}\"\n", desk.read("policy.toml"));
        desk.write("asked.toml", policy);
        let document = desk.json("anonymize asked.toml --quiet", 0);
        assert_eq!(document["solution"]["levels"], serde_json::json!({"a": 1, "b": 0}), "{algorithm}: {document}");
        assert_eq!(document["quality"]["height"], 1.0, "{algorithm}");
    }
}

/// One column of three values, none of them generalized: the loss is the share of suppressed rows.
#[test]
fn a_loss_of_few_decimals_has_few_decimals() {
    for (rows, k, loss) in [([2, 1, 1], 2, 0.5), ([2, 2, 1], 2, 0.2), ([5, 4, 1], 2, 0.1), ([11, 5, 0], 6, 0.3125)] {
        let desk = Desk::new();
        let table: String = ["u\n", "v\n", "w\n"].iter().zip(rows).map(|(value, rows)| value.repeat(rows)).collect();
        desk.write("levels.csv", "u;*\nv;*\nw;*\n").write("table.csv", format!("a\n{table}"));
        desk.write(
            "policy.toml",
            format!(
                "[input]\npath = \"table.csv\"\n[attributes.a]\nrole = \"quasi-identifying\"\nhierarchy = \"levels.csv\"\n\
                 max_level = 0\n[[models]]\nkind = \"k-anonymity\"\nk = {k}\n[search]\nsuppression_limit = 1.0\n"
            ),
        );
        let document = desk.json("anonymize policy.toml --quiet", 0);
        // Put together from its one column, 0.2 is 1.2 - 1.
        let found = document["quality"]["loss"].as_f64().unwrap_or_default();
        assert!((found - loss).abs() < 1e-15, "{rows:?}: {found}");
    }
}

/// As in the peer that the published figures come from: nothing is lost by generalization, so that only suppressed rows are left to count.
#[test]
fn a_hierarchy_of_one_line_counts_suppressed_rows_only_where_they_count_more() {
    for (factor, score) in [(0.5, 0.0), (0.25, 0.0), (0.75, 0.25), (1.0, 0.25)] {
        let desk = Desk::new();
        desk.write("a.csv", "v;*\n").write("table.csv", "a,b\nv,1\nv,1\nv,1\nv,2\n");
        desk.write(
            "policy.toml",
            format!(
                "[input]\npath = \"table.csv\"\n[attributes.a]\nrole = \"quasi-identifying\"\nhierarchy = \"a.csv\"\nmax_level = 0\n\
                 [attributes.b]\nrole = \"quasi-identifying\"\nmax_level = 0\nweight = 0\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n\
                 [search]\nsuppression_limit = 1.0\n[quality]\nfactor = {factor}\naggregate = \"max\"\n"
            ),
        );
        let document = desk.json("anonymize policy.toml --quiet", 0);
        assert_eq!(document["quality"]["score"].as_f64().unwrap_or_default(), score, "{factor}: {document}");
    }
}

fn with_output(output: &str) -> Desk {
    let desk = Desk::new();
    desk.write("table.csv", "n,z\n1,x\n1,x\n2,x\n2,x\n,x\n,x\n");
    desk.write(
        "policy.toml",
        format!(
            "[input]\npath = \"table.csv\"\n[attributes.n]\nrole = \"quasi-identifying\"\n[attributes.z]\n\
             role = \"insensitive\"\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n[output]\n{output}\n"
        ),
    );
    desk
}

#[test]
fn a_missing_value_is_not_written_like_a_suppressed_one() {
    for written in ["*", " *"] {
        let desk = with_output(&format!("missing = \"{written}\""));
        let ran = desk.tamis("anonymize policy.toml --output out.csv");
        assert_eq!((ran.code, desk.path("out.csv").exists()), (2, false), "{ran:?}");
        assert!(ran.err.contains("marks what is suppressed"), "{ran:?}");
    }
}

#[test]
fn a_missing_value_is_not_written_like_another_spelling_of_a_number_of_its_column() {
    for written in ["1", "1.0", "2e0", " 2"] {
        let ran = with_output(&format!("missing = \"{written}\"")).tamis("anonymize policy.toml --output out.csv");
        assert!(ran.code == 2 && ran.err.contains("a value of `n`"), "{written}: {ran:?}");
    }
    for written in ["3", "10", "NA", "?"] {
        let desk = with_output(&format!("missing = \"{written}\""));
        desk.done("anonymize policy.toml --output out.csv");
        assert!(desk.read("out.csv").contains(&format!("{written},x")), "{written}");
    }
}

#[test]
fn a_column_without_values_can_be_released_whatever_builds_its_hierarchy() {
    for builder in [
        "{ interval = { width = 10, factors = [2] } }",
        "{ interval = {} }",
        "{ mask = {} }",
        "{ date = {} }",
        "{ order = {} }",
        "{ rare = {} }",
        "{ patterns = {} }",
        "{ tree = { children = { all = [\"a\", \"b\"] } } }",
    ] {
        for bounds in ["", "max_level = 2\n", "min_level = 1\n"] {
            let desk = Desk::new();
            desk.write("table.csv", "age,zip\n,1\n,1\n,2\n,2\n");
            desk.write(
                "policy.toml",
                format!(
                    "[input]\npath = \"table.csv\"\n[attributes.age]\nrole = \"quasi-identifying\"\nhierarchy = {builder}\n{bounds}\
                     [attributes.zip]\nrole = \"quasi-identifying\"\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n"
                ),
            );
            let document = desk.json("anonymize policy.toml --quiet --output out.csv --manifest manifest.json", 0);
            assert_eq!(document["rows"]["kept"], 4, "{builder} {bounds}: {document}");
            desk.done("verify manifest.json");
        }
    }
    let desk = Desk::new();
    desk.write("table.csv", "age,zip\n,1\n,1\n");
    let ran = desk.tamis("hierarchy interval table.csv --column age --width 10 --output age.csv");
    assert!(ran.code == 2 && ran.err.contains("`age` has no values") && !desk.path("age.csv").exists(), "{ran:?}");
}

#[test]
fn the_rank_aggregate_is_a_list_however_many_columns_there_are() {
    for (columns, measure) in [(1, "loss"), (2, "loss"), (1, "precision"), (2, "precision"), (1, "non-uniform-entropy")]
    {
        let desk = Desk::new();
        let names: Vec<String> = (0..columns).map(|j| format!("c{j}")).collect();
        let row = |value: u32| vec![value.to_string(); columns].join(",");
        desk.write("table.csv", format!("{}\n{}\n{}\n{}\n", names.join(","), row(1), row(1), row(2)));
        let attributes = names.iter().map(|name| format!("[attributes.{name}]\nrole = \"quasi-identifying\"\n"));
        let attributes: String = attributes.collect();
        desk.write(
            "policy.toml",
            format!(
                "[input]\npath = \"table.csv\"\n{attributes}[[models]]\nkind = \"k-anonymity\"\nk = 2\n\
                 [quality]\nmeasure = \"{measure}\"\naggregate = \"rank\"\n[search]\nsuppression_limit = 0.5\n"
            ),
        );
        let document = desk.json("anonymize policy.toml --quiet", 0);
        let name = if measure == "loss" { "score" } else { measure };
        assert_eq!(document["quality"][name].as_array().map(Vec::len), Some(columns), "{measure}: {document}");
        let lattice = desk.json("lattice policy.toml", 0);
        let first = &lattice["transformations"][0][measure];
        assert_eq!(first.as_array().map(Vec::len), Some(columns), "{measure}: {lattice}");
    }
}
