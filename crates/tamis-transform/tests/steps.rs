//! Steps as a policy writes them.

use crate::desk;

use desk::{lines, names, rows};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use tamis_transform::kinds::link::Link;
use tamis_transform::kinds::noise::{Bounds, Distribution, Noise};
use tamis_transform::kinds::rotate_synonyms::RotateSynonyms;
use tamis_transform::kinds::suppress_cells::SuppressCells;
use tamis_transform::{Input, NoFiles, Step};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Steps {
    steps: Vec<Step>,
}

fn parse(text: &str) -> Result<Vec<Step>, String> {
    toml::from_str::<Steps>(text).map(|steps| steps.steps).map_err(|error| error.to_string())
}

const EVERY_KIND: &str = r#"
[[steps]]
kind = "anatomize"
sensitive = "disease"
l = 2
[[steps]]
kind = "code"
columns = ["age"]
top = 90
replace = "label"
[[steps]]
kind = "join"
link = "link.csv"
sensitive = "sensitive.csv"
[[steps]]
kind = "link"
sensitive = ["disease"]
[[steps]]
kind = "noise"
columns = ["age"]
scale = 2.0
distribution = "laplace"
min = 0
bounds = "reflect"
[[steps]]
kind = "permute"
by = "pay"
k = 3
e = 100.0
[[steps]]
kind = "pseudonymize"
columns = ["name"]
key_file = "key.txt"
alphabet = "hex"
[[steps]]
kind = "rotate-synonyms"
column = "disease"
synonyms = [["AIDS", "A"], ["flu", "F"]]
group_by = ["sex"]
[[steps]]
kind = "sample"
share = 0.5
[[steps]]
kind = "suppress-cells"
columns = ["zip"]
where = ["sex=F"]
k = 2
[[steps]]
kind = "swap"
columns = ["pay"]
probability = 0.1
within = ["sex"]
"#;

#[test]
fn every_kind_can_be_a_step_of_a_policy() {
    let steps = parse(EVERY_KIND).expect("steps");
    let listed: Vec<&str> =
        EVERY_KIND.lines().filter_map(|line| line.strip_prefix("kind = ")).map(|kind| kind.trim_matches('"')).collect();
    assert_eq!(steps.iter().map(Step::kind).collect::<Vec<_>>(), listed);
    let link = Link { sensitive: names(&["disease"]), id: None, new_id: "ID".to_owned(), secret_id: "IDP".to_owned() };
    assert_eq!(steps[3], Step::Link(link));
    let noise = Noise {
        columns: names(&["age"]),
        scale: Some(2.0),
        distribution: Distribution::Laplace,
        min: Some(0.0),
        bounds: Bounds::Reflect,
        ..Noise::default()
    };
    assert_eq!(steps[4], Step::Noise(noise));
    let rotate = RotateSynonyms {
        column: "disease".to_owned(),
        synonyms: vec![names(&["AIDS", "A"]), names(&["flu", "F"])],
        group_by: names(&["sex"]),
        ..RotateSynonyms::default()
    };
    assert_eq!(steps[7], Step::RotateSynonyms(rotate));
    let suppress = SuppressCells {
        columns: names(&["zip"]),
        conditions: names(&["sex=F"]),
        k: Some(2),
        ..SuppressCells::default()
    };
    assert_eq!(steps[9], Step::SuppressCells(suppress));
}

#[test]
fn steps_written_down_are_the_steps_read() {
    let steps = Steps { steps: parse(EVERY_KIND).expect("steps") };
    let text = toml::to_string(&steps).expect("TOML");
    assert_eq!(parse(&text), Ok(steps.steps));
}

#[test]
fn unknown_kinds_and_parameters_are_refused() {
    let said = |text: &str| parse(&format!("[[steps]]\n{text}")).expect_err("a refusal");
    assert!(said("kind = \"noice\"").contains("unknown variant `noice`"));
    assert!(said("columns = [\"age\"]").contains("missing field `kind`"));
    for kind in EVERY_KIND.lines().filter(|line| line.starts_with("kind")) {
        let error = said(&format!("{kind}\nsurprise = 1"));
        assert!(error.contains("unknown field `surprise`"), "{kind}: {error}");
    }
    assert!(
        said("kind = \"noise\"\ncolumns = [\"age\"]\ndistribution = \"cauchy\"").contains("unknown variant `cauchy`")
    );
    assert!(said("kind = \"sample\"\nrows = -1").contains("invalid value"));
}

#[test]
fn tables_and_files_of_a_step_are_known_beforehand() {
    let steps = parse(EVERY_KIND).expect("steps");
    let tables: Vec<usize> = steps.iter().map(|step| step.tables().len()).collect();
    assert_eq!(tables, [2, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(steps[2].files(), ["link.csv", "sensitive.csv"]);
    assert_eq!(steps[6].files(), ["key.txt"]);
    assert!(steps[4].files().is_empty());
}

#[test]
fn the_same_seed_gives_the_same_table_and_another_seed_another() {
    let people: Vec<String> = (0..50).map(|n| format!("{},{},{}", n % 3, n, n % 7)).collect();
    let table = lines("sex,pay,disease", &people);
    let steps = "[[steps]]\nkind = \"noise\"\ncolumns = [\"pay\"]\nscale = 9.5\n\
                 [[steps]]\nkind = \"permute\"\ncolumns = [\"pay\"]\ngroup_by = [\"sex\"]\n\
                 [[steps]]\nkind = \"swap\"\ncolumns = [\"pay\"]\nrank = 20.0\n\
                 [[steps]]\nkind = \"link\"\nsensitive = [\"disease\"]\n\
                 [[steps]]\nkind = \"anatomize\"\nsensitive = \"disease\"\nl = 2\n\
                 [[steps]]\nkind = \"sample\"\nrows = 20\n";
    for step in parse(steps).expect("steps") {
        let made = |seed| -> Vec<Vec<String>> {
            let mut dice = ChaCha20Rng::seed_from_u64(seed);
            let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles });
            output.expect("a result").tables.iter().map(|made| rows(&made.table)).collect()
        };
        assert_eq!(made(1), made(1), "{}", step.kind());
        assert_ne!(made(1), made(2), "{}", step.kind());
    }
}
