//! What a gate answers about orders and suppressed rows, and what the figures of a release say.

mod program;

use program::Desk;
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
    for hierarchy in ["", grouped] {
        desk.write("policy.toml", policy(hierarchy));
        let ran = desk.tamis("anonymize policy.toml --quiet --output out.csv");
        assert_eq!((ran.code, desk.path("out.csv").exists()), (2, false), "{ran:?}");
    }
    let listed: Vec<String> = (3..12).map(|pay| format!("\"{pay}K\"")).collect();
    let listed = format!("hierarchy = {{ order = {{ order = [{}] }} }}\n", listed.join(", "));
    for hierarchy in ["hierarchy = \"order.csv\"\n", &listed] {
        desk.write("policy.toml", policy(hierarchy));
        let document = desk.json("anonymize policy.toml --quiet", 0);
        // Only the class of 4, 7 and 10 is within 0.13.
        assert_eq!(document["rows"]["kept"], 3, "{document}");
    }
}

#[test]
fn the_lines_of_a_hierarchy_file_order_what_their_type_does_not() {
    for spelled in [|pay: u32| format!("{pay}K"), |pay: u32| format!("{pay},5"), |pay: u32| pay.to_string()] {
        let desk = salaries(spelled);
        let document = desk.json(&format!("{GATE} --hierarchy pay=order.csv"), 1);
        let t = document["sensitive"]["pay"]["t"].as_f64().unwrap_or_default();
        assert!((t - 12.0 / 72.0).abs() < 1e-15, "{document}");
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
