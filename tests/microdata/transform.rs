//! `tamis transform` as a user runs it: files appear together or not at all, secrets stay private, mistakes are told.

use crate::program::{Desk, Ran, repository, sorted_rows};
use std::fs;

type Failure = Box<dyn std::error::Error>;

/// Table T of figure 6 of Liber (2014), its generalization T' and the synonyms of figure 2, with the words in English.
fn desk() -> Desk {
    let desk = Desk::new();
    for name in ["ward.csv", "ward_generalized.csv", "synonyms.csv", "people.csv"] {
        let content = fs::read(repository().join("docs/guide/examples").join(name)).expect("an example");
        desk.write(name, content);
    }
    desk
}

/// Runs a command that must be refused with `code`, writing nothing; what it says.
fn refused(desk: &Desk, arguments: &str, code: i32) -> Ran {
    let before = desk.listing();
    let ran = desk.tamis(arguments);
    assert_eq!(ran.code, code, "{arguments}: {ran:?}");
    assert_eq!(desk.listing(), before, "{arguments} leaves files behind");
    ran
}

fn bad(desk: &Desk, arguments: &str, parts: &[&str]) {
    let ran = refused(desk, &format!("transform {arguments}"), 2);
    assert_eq!(ran.out, "", "{arguments}");
    for part in parts {
        assert!(ran.err.contains(part), "{arguments} does not say `{part}`: {}", ran.err);
    }
}

#[cfg(unix)]
fn mode(desk: &Desk, name: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(desk.path(name)).expect("a file").permissions().mode() & 0o777
}

#[test]
fn several_tables_go_beside_each_other() {
    let desk = desk();
    let document = desk.json(
        "transform anatomize ward.csv --sensitive disease --groups-from ward_generalized.csv \
         --group-by sex,job,province --output out.csv --figures figures.json",
        0,
    );
    assert_eq!(
        desk.read("out.sensitive.csv"),
        "group,disease,count\n1,AIDS,3\n1,flu,1\n2,AIDS,2\n2,cancer,2\n2,flu,1\n"
    );
    assert_eq!(desk.read("out.quasi.csv").lines().nth(5), Some("M,painter,Opole,2"));
    assert_eq!(document["kind"], "anatomize");
    assert_eq!(document["rows"], 9);
    let [quasi, sensitive] = [0, 1].map(|at| &document["tables"][at]);
    assert_eq!((&quasi["name"], &quasi["path"], &quasi["rows"]), (&"quasi".into(), &"out.quasi.csv".into(), &9.into()));
    assert_eq!(sensitive["columns"], serde_json::json!(["group", "disease", "count"]));
    assert_eq!(sensitive["secret"], false);
    assert_eq!(document["figures"]["only_before"], serde_json::json!(["disease"]));
    #[cfg(unix)]
    assert_eq!(mode(&desk, "figures.json"), 0o600);
    let figures: serde_json::Value = serde_json::from_str(&desk.read("figures.json")).expect("JSON");
    assert_eq!(figures, document["figures"]);
    assert!(!desk.path("out.csv").exists());
}

#[test]
fn the_link_is_private_and_joins_what_was_split() {
    let desk = desk();
    let ran = desk.done("transform link ward.csv --sensitive disease --output out.csv --table link=secret.csv");
    assert!(ran.err.contains("keep it secret"), "{}", ran.err);
    assert!(ran.out.contains("link (secret)"), "{}", ran.out);
    #[cfg(unix)]
    assert_eq!(mode(&desk, "secret.csv"), 0o600);
    desk.done(
        "transform join out.quasi.csv --link secret.csv --sensitive out.sensitive.csv \
         --columns sex,job,city,disease --output back.csv",
    );
    assert_eq!(desk.read("back.csv"), desk.read("ward.csv"));
}

#[cfg(unix)]
#[test]
fn a_link_that_takes_the_place_of_a_public_file_is_private_too() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    desk.write("out.link.csv", "old\n");
    fs::set_permissions(desk.path("out.link.csv"), fs::Permissions::from_mode(0o644)).expect("permissions");
    desk.done("transform link ward.csv --sensitive disease --output out.csv");
    assert_eq!(mode(&desk, "out.link.csv"), 0o600);
}

#[test]
fn a_seed_repeats_and_no_seed_does_not() {
    let desk = desk();
    let made = |seed: &str, name: &str| {
        desk.done(&format!("transform noise people.csv --columns age --scale 9 {seed} --output {name}"));
        desk.read(name)
    };
    assert_eq!(made("--seed 7 --threads 1", "a.csv"), made("--seed 7 --threads 2", "b.csv"));
    assert_ne!(made("--seed 7", "a.csv"), made("--seed 8", "b.csv"));
    assert_ne!(made("", "a.csv"), made("", "b.csv"));
    let warned = desk.done("transform noise people.csv --columns age --scale 9 --seed 7 --output a.csv");
    assert!(warned.err.contains("keep the seed secret"), "{}", warned.err);
    let quiet = desk.done("transform code people.csv --columns age --top 60 --seed 7 --output a.csv");
    assert!(!quiet.err.contains("seed"), "{}", quiet.err);
}

#[test]
fn pseudonyms_are_the_same_in_every_file_under_one_key() {
    let desk = desk();
    let ran = desk.done("transform new-key key.txt");
    assert!(!ran.out.contains(desk.read("key.txt").trim()), "the key is not printed");
    assert_eq!(desk.read("key.txt").trim().len(), 64);
    #[cfg(unix)]
    assert_eq!(mode(&desk, "key.txt"), 0o600);
    desk.write("a.csv", "patient,x\nAda,1\nBob,2\n").write("b.csv", "x;who\n3;Bob\n4;Zoë\n");
    desk.done("transform pseudonymize a.csv --columns patient --key-file key.txt --context person --output pa.csv");
    desk.done("transform pseudonymize b.csv --columns who --key-file key.txt --context person --output pb.csv");
    let cell = |name: &str, line: usize, delimiter: char, at: usize| {
        desk.read(name)
            .lines()
            .nth(line)
            .and_then(|row| row.split(delimiter).nth(at).map(str::to_owned))
            .expect("a cell")
    };
    let bob = cell("pa.csv", 2, ',', 0);
    assert_eq!((bob.len(), &bob), (16, &cell("pb.csv", 1, ';', 1)));
    assert_ne!(bob, cell("pa.csv", 1, ',', 0));
    let listing = desk.listing();
    bad(&desk, "new-key key.txt", &["key.txt is already there and is not overwritten"]);
    assert_eq!(desk.listing(), listing);
}

#[cfg(unix)]
#[test]
fn a_key_that_others_can_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    desk.done("transform new-key key.txt");
    let command = "transform pseudonymize people.csv --columns name --key-file key.txt --output out.csv";
    assert!(!desk.done(command).err.contains("chmod"));
    fs::set_permissions(desk.path("key.txt"), fs::Permissions::from_mode(0o644)).expect("permissions");
    assert!(desk.done(command).err.contains("chmod 600 key.txt"));
}

#[test]
fn every_kind_writes_what_it_says() {
    let desk = desk();
    desk.done("transform new-key key.txt");
    let rows = |name: &str| desk.read(name).lines().count() - 1;
    for (arguments, expected) in [
        ("code people.csv --columns age --top-share 0.05 --replace label", 60),
        ("condense people.csv --columns age --k 5", 60),
        ("microaggregate people.csv --columns age --k 5", 60),
        ("noise people.csv --columns age --relative 0.2 --keep-moments --min 18 --bounds reflect", 60),
        ("permute people.csv --columns diagnosis --group-by sex", 60),
        ("permute people.csv --by age --k 4 --e 3", 60),
        ("pseudonymize people.csv --columns name --key-file key.txt --alphabet hex --length 12", 60),
        (
            "rotate-synonyms ward.csv --column disease --synonyms-from synonyms.csv --groups-from ward_generalized.csv --group-by job",
            9,
        ),
        ("sample people.csv --rows 20", 20),
        ("suppress-cells people.csv --columns zip,sex --k 3", 60),
        ("swap people.csv --columns zip --probability 0.5 --within sex", 60),
        ("swap people.csv --columns age --rank 10", 60),
        ("synthesize people.csv --columns age,sex,diagnosis --rows 30", 30),
    ] {
        desk.done(&format!("transform {arguments} --seed 1 --output out.csv"));
        assert_eq!(rows("out.csv"), expected, "{arguments}");
    }
}

#[test]
fn tables_keep_their_delimiter_compress_and_may_be_tab_separated() {
    let desk = desk();
    desk.write("semicolons.csv", "a;b\n1;x\n2;y\n");
    desk.done("transform swap semicolons.csv --columns a --probability 1 --output out.csv");
    assert_eq!(sorted_rows(&desk.read("out.csv")), ["1;y", "2;x"]);
    desk.done("transform swap semicolons.csv --columns a --probability 1 --output out.tsv");
    assert_eq!(sorted_rows(&desk.read("out.tsv")), ["1\ty", "2\tx"]);
    desk.done("transform link semicolons.csv --sensitive b --output out.csv.gz");
    assert_eq!(desk.bytes("out.quasi.csv.gz")[..2], [0x1f, 0x8b]);
    desk.done("transform code out.quasi.csv.gz --columns a --top 2 --output plain.csv");
    assert_eq!(desk.read("plain.csv"), "ID;a\n1;1\n2;2\n");
}

#[test]
fn missing_values_are_those_the_flags_name() {
    let desk = desk();
    desk.write("ages.csv", "age\n30\nNA\n91\n");
    bad(&desk, "code ages.csv --columns age --top 90 --output out.csv", &["row 2 of `age` is `NA`"]);
    desk.done("transform code ages.csv --columns age --top 90 --missing NA --output out.csv");
    assert_eq!(desk.read("out.csv"), "age\n30\nNA\n90\n");
}

#[test]
fn rows_keep_their_spelling_of_a_missing_value() {
    let desk = desk();
    desk.write("t.csv", "q;s;i\n1;x;NA\n1;x;?\nNA;y;n/a\n?;y;v\n3;z;v\n");
    for step in ["code --columns q --top 3", "sample --share 1", "noise --columns q --scale 0.0001 --seed 1"] {
        let (kind, rest) = step.split_once(' ').expect("a kind");
        desk.done(&format!("transform {kind} t.csv {rest} --missing NA --missing ? --missing n/a --output x.csv"));
        let written = desk.read("x.csv");
        let cell = |row: usize, column: usize| {
            written.lines().nth(row + 1).and_then(|line| line.split(';').nth(column)).unwrap_or_default().to_owned()
        };
        let spelled = [cell(0, 2), cell(1, 2), cell(2, 2), cell(2, 0), cell(3, 0)];
        assert_eq!(spelled, ["NA", "?", "n/a", "NA", "?"], "{kind}: {written}");
    }
}

#[test]
fn what_cannot_be_done_is_exit_code_1() {
    let desk = desk();
    let ran = refused(&desk, "transform anatomize ward.csv --sensitive disease --l 2 --output out.csv", 1);
    assert!(ran.err.contains("`AIDS` is in 5 of 9 rows, which is more than one in 2"), "{}", ran.err);
    let ran = refused(&desk, "transform permute people.csv --by age --k 4 --e 500 --output out.csv --json", 1);
    assert!(ran.document()["error"].as_str().is_some_and(|error| error.contains("cannot be done")), "{}", ran.out);
}

#[test]
fn conditions_are_separated_by_commas_or_repeated() {
    let desk = desk();
    let step = "transform suppress-cells ward.csv --columns disease --quiet";
    let ran = desk.tamis(&format!("{step} --where sex=M,city=Opole --output commas.csv"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = desk.tamis(&format!("{step} --where sex=M --where city=Opole --output repeated.csv"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let commas = desk.read("commas.csv");
    assert_eq!(commas, desk.read("repeated.csv"));
    let starred = |line: &&str| line.ends_with(",*");
    assert!(commas.lines().any(|line| starred(&line)), "{commas}");
    assert!(commas.lines().filter(starred).all(|line| line.starts_with("M,") && line.contains("Opole")), "{commas}");
    let step = "suppress-cells ward.csv --columns disease --output out.csv";
    bad(&desk, &format!("{step} --where sex=M,city=Opel"), &["`where` is `city=Opel`"]);
    bad(&desk, &format!("{step} --values AIDS,flue"), &["`flue`", "values that occur in disease"]);
}

#[test]
fn bad_input_is_exit_code_2_and_leaves_nothing() {
    let desk = desk();
    desk.write("short.txt", "password").write("other.csv", "q\n1\n");
    let noise = "noise people.csv --columns age --scale 2";
    bad(&desk, noise, &["--output"]);
    bad(&desk, &format!("{noise} --output people.csv"), &["people.csv would be overwritten"]);
    bad(&desk, &format!("{noise} --output nowhere/out.csv"), &["there is no directory `nowhere`"]);
    bad(&desk, &format!("{noise} --output out.csv --figures out.csv"), &["out.csv would be overwritten"]);
    bad(&desk, &format!("{noise} --output out.csv --table link=x.csv"), &["`noise` makes one table"]);
    bad(&desk, "noise people.csv --columns age --scale -2 --output out.csv", &["`scale` is -2"]);
    bad(&desk, "noise people.csv --columns name --scale 2 --output out.csv", &["row 1 of `name` is `Mario Fuentes`"]);
    bad(&desk, "noise people.csv --columns wage --scale 2 --output out.csv", &["there is no column `wage`"]);
    bad(&desk, "noise nobody.csv --columns age --scale 2 --output out.csv", &["cannot open `nobody.csv`"]);
    bad(&desk, "nonsense people.csv --output out.csv", &["unrecognized subcommand"]);
    let link = "link ward.csv --sensitive disease --output out.csv";
    bad(&desk, &format!("{link} --table links=x.csv"), &["`link` makes quasi, sensitive, link"]);
    bad(&desk, &format!("{link} --table link"), &["expected NAME=FILE"]);
    bad(&desk, &format!("{link} --table link=out.quasi.csv"), &["out.quasi.csv would be overwritten"]);
    bad(&desk, &format!("{link} --table sensitive=ward.csv"), &["ward.csv would be overwritten"]);
    bad(&desk, "link ward.csv --sensitive disease --id job --output out.csv", &["both have `engineer` as `job`"]);
    let anatomize = "anatomize ward.csv --sensitive disease --output out.csv";
    bad(&desk, anatomize, &["`group_by` is not given"]);
    bad(
        &desk,
        &format!("{anatomize} --groups-from other.csv --group-by q"),
        &["other.csv has 1 rows where the table has 9"],
    );
    bad(
        &desk,
        &format!("{anatomize} --groups-from ward_generalized.csv --group-by q"),
        &["ward_generalized.csv: there is no column `q`"],
    );
    let join = "join ward.csv --link other.csv --sensitive other.csv";
    bad(&desk, &format!("{join} --output other.csv"), &["other.csv would be overwritten"]);
    let pseudonymize = "pseudonymize people.csv --columns name --output out.csv";
    bad(&desk, &format!("{pseudonymize} --key-file short.txt"), &["has 8 bytes; expected 16 or more"]);
    bad(&desk, &format!("{pseudonymize} --key-file none.txt"), &["cannot read the key none.txt", "new-key"]);
    bad(
        &desk,
        "pseudonymize people.csv --columns name --key-file short.txt --output short.txt",
        &["would be overwritten"],
    );
    bad(&desk, "new-key nowhere/key.txt", &["cannot write nowhere/key.txt"]);
}

#[cfg(unix)]
#[test]
fn a_key_that_others_can_read_is_remarked_on() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    desk.done("transform new-key key.txt");
    let pseudonymize = "transform pseudonymize people.csv --columns name --key-file key.txt --output out.csv";
    assert!(!desk.done(pseudonymize).err.contains("others can read"));
    fs::set_permissions(desk.path("key.txt"), fs::Permissions::from_mode(0o644)).expect("permissions");
    assert!(desk.done(pseudonymize).err.contains("others can read the key key.txt"));
    desk.write("key.txt", vec![b'x'; 1 << 17]);
    bad(&desk, &pseudonymize["transform ".len()..], &["key.txt is too large for a key"]);
}

#[test]
fn no_message_has_a_number_of_300_digits() {
    let desk = desk();
    desk.write("huge.csv", "x,s\n1e308,a\n-1e308,b\n5,a\n1e308,b\n");
    let is_short = |text: &str| text.split(|c: char| !c.is_ascii_digit()).all(|digits| digits.len() < 50);
    for (arguments, code) in [
        ("transform code huge.csv --columns x --top 1e300 --output out.csv", 0),
        ("transform noise huge.csv --columns x --scale 1 --output out.csv", 0),
        ("transform noise huge.csv --columns x --scale 1 --min 1e308 --max 5 --output out.csv", 2),
        ("transform swap huge.csv --columns x --rank 1e308 --output out.csv", 2),
        ("transform sample huge.csv --share 1e308 --output out.csv", 2),
        ("risk huge.csv --quasi s --fraction 1e308", 2),
        ("risk huge.csv --quasi s --threshold 1e308", 2),
        ("attack homogeneity huge.csv --quasi s --sensitive x --share 1e308", 2),
        ("attack homogeneity huge.csv --quasi s --sensitive x --bound 1e308", 2),
        ("attack background huge.csv --quasi s --sensitive x --power 1 --confidence 1e308", 2),
        ("attack skewness huge.csv --quasi s --sensitive x --factor 1e308", 0),
    ] {
        let ran = desk.tamis(arguments);
        assert_eq!(ran.code, code, "{arguments}: {ran:?}");
        assert!(is_short(&ran.out) && is_short(&ran.err), "{arguments}: {ran:?}");
    }
}

#[test]
fn numbers_too_large_to_calculate_with_write_nothing() {
    let desk = desk();
    desk.write("huge.csv", "x,y\n1e308,1\n-1e308,2\n1e308,3\n-1e308,4\n");
    let before = desk.listing();
    for step in ["noise --columns x --relative 0.1 --keep-moments", "condense --columns x,y --k 2"] {
        let (kind, flags) = step.split_once(' ').expect("flags");
        let ran = desk.tamis(&format!("transform {kind} huge.csv {flags} --output out.csv --figures figures.json"));
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.err.contains("the numbers of `x` are too large to calculate with"), "{ran:?}");
        assert_eq!(desk.listing(), before);
    }
}

#[cfg(unix)]
#[test]
fn tables_appear_together_or_not_at_all() {
    let desk = desk();
    // A directory in the place of the last table: nothing of the first two may appear.
    fs::create_dir(desk.path("out.link.csv")).expect("a directory");
    bad(&desk, "link ward.csv --sensitive disease --output out.csv", &["out.link.csv", "a directory"]);
}

/// The page explains every kind with every parameter, and no test has to be changed for a new one.
#[test]
fn every_kind_and_parameter_is_explained() -> Result<(), Failure> {
    let desk = Desk::new();
    let page = fs::read_to_string(repository().join("docs/reference/transformations.md"))?;
    let help = desk.done("transform --help").out;
    let listed =
        help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1).take_while(|line| !line.is_empty());
    let kinds: Vec<&str> = listed
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|kind| *kind != "help")
        .collect();
    assert!(kinds.len() > 10, "{kinds:?}");
    let everywhere = [
        "output",
        "table",
        "figures",
        "delimiter",
        "encoding",
        "missing",
        "json",
        "threads",
        "seed",
        "quiet",
        "help",
        "version",
    ];
    for kind in kinds {
        let section = page.split_once(&format!("\n## {kind}\n")).ok_or_else(|| format!("no section {kind}"))?.1;
        let section = section.split("\n## ").next().unwrap_or(section);
        let help = desk.done(&format!("transform {kind} --help")).out;
        let flags = help.lines().filter_map(|line| {
            line.trim_start().strip_prefix("--").or_else(|| line.split_once(", --").map(|(_, flag)| flag))
        });
        for flag in
            flags.map(|flag| flag.split([' ', '<']).next().unwrap_or(flag)).filter(|flag| !everywhere.contains(flag))
        {
            let parameter = flag.replace('-', "_");
            assert!(section.contains(&format!("| `{parameter}` |")), "{kind} does not explain {parameter}");
        }
    }
    Ok(())
}
