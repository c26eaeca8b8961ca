//! No message repeats the password of an address, whatever its characters, its form and the command.

use crate::program::Desk;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const POLICY: &str = "[input]\npath = \"people.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n\
     [[models]]\nkind = \"k-anonymity\"\nk = 2\n";

/// Arguments with an address for `@`; every one of these commands repeats it.
const COMMANDS: [&str; 19] = [
    "anonymize @ --output out.csv",
    "verify @",
    "compare @ --k 2",
    "lattice @",
    "budget show @",
    "budget @",
    "ucrypt inspect @",
    "cells audit table.csv --pattern @",
    "cells protect table.csv --safety 1 --hide @",
    "cells protect table.csv --safety 1 --equations @",
    "cells protect @ --safety 1",
    "check people.csv --quasi @",
    "check people.csv --quasi zip --require @",
    "check people.csv --quasi zip --model @",
    "check @ --quasi zip",
    "risk @ --quasi zip",
    "init @",
    "models --threads @",
    "apply @ people.csv --output out.csv",
];

/// Addresses with a password for `@`.
const FORMS: [&str; 18] = [
    "postgres://bob:@@host/db",
    "postgres://bob:@",
    "mysql:bob:@@host",
    "jdbc:mysql://bob:@@host:3306/db?x=1",
    "host=h password='@' port=5",
    "host=h password=@",
    "jdbc:sqlserver://host;user=u;Password=@;x=1",
    "https://host/file?sig=@",
    "https://host/file?a=1&key=@",
    "https://host/file?token=@&a=1",
    "//bob:@@host",
    "//bob:@@host/share",
    "bob:@@host:/file",
    "folder/postgres://bob:@@host/db",
    "NAME=postgres://bob:@@host/db",
    "https://host/file?passwort=@",
    "host=h user=u password:@",
    "{\"user\": \"u\", \"password\":\"@\"}",
];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("people.csv", "zip,dx\n1,flu\n1,flu\n2,hiv\n2,flu\n").write("policy.toml", POLICY);
    desk.write("table.csv", "a,b,value\nx,p,1\nx,q,2\ny,p,3\ny,q,4\n");
    desk
}

/// A form with this password in its place.
fn address(form: &str, password: &str) -> String {
    // The first `@` is the password's; the next one may be the address's own.
    form.replacen('@', password, 1)
}

fn assert_silent(desk: &Desk, command: &str, address: &str, password: &str) {
    let arguments: Vec<&str> = command.split(' ').map(|word| if word == "@" { address } else { word }).collect();
    for arguments in [arguments.clone(), [arguments, vec!["--json"]].concat()] {
        let ran = desk.tamis_with(&arguments);
        assert_ne!(ran.code, 0, "{arguments:?}: {ran:?}");
        let escaped = password.escape_default().to_string();
        let quoted = serde_json::Value::from(password).to_string();
        for spelling in [password, &escaped, &quoted[1..quoted.len() - 1]] {
            assert!(!ran.err.contains(spelling) && !ran.out.contains(spelling), "{arguments:?}: {ran:?}");
        }
    }
}

#[test]
fn no_command_repeats_a_password_of_any_form() {
    let desk = desk();
    for (at, command) in COMMANDS.into_iter().enumerate() {
        for (form, password) in
            FORMS.into_iter().skip(at % 3).step_by(3).zip(["hunter2", "hun ter2", "hun\nter2"].into_iter().cycle())
        {
            assert_silent(&desk, command, &address(form, password), password);
        }
    }
}

#[test]
fn no_command_repeats_a_random_password() {
    let desk = desk();
    let mut random = ChaCha8Rng::seed_from_u64(16);
    let letters: Vec<char> = "abzXY059 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\n\t\u{1b}éżß患".chars().collect();
    for form in FORMS {
        for _ in 0..6 {
            let length = random.random_range(5..14);
            let password: String = (0..length).map(|_| letters[random.random_range(0..letters.len())]).collect();
            // A letter at either end, so that no part of the address itself or of a sentence is meant.
            let password = format!("q{password}Q");
            let command = COMMANDS[random.random_range(0..COMMANDS.len())];
            assert_silent(&desk, command, &address(form, &password), &password);
        }
    }
}

#[test]
fn a_password_in_a_policy_is_not_repeated() {
    let desk = desk();
    for form in FORMS {
        for password in ["hunter2", "hun ter2"] {
            let path = address(form, password);
            desk.write("secret.toml", POLICY.replace("people.csv", &path));
            for command in
                ["anonymize secret.toml --output out.csv", "lattice secret.toml", "compare secret.toml --k 2"]
            {
                let ran = desk.tamis(&format!("{command} --json"));
                assert_eq!(ran.code, 2, "{command}: {ran:?}");
                assert!(!ran.err.contains("ter2") && !ran.out.contains("ter2"), "{path}: {ran:?}");
            }
        }
    }
}

/// Commands that write to `@`, whatever comes before.
const OUTPUTS: [&str; 11] = [
    "anonymize policy.toml --output @",
    "anonymize policy.toml --report @",
    "anonymize policy.toml --output out.csv --manifest @",
    "init people.csv --output @",
    "hierarchy mask people.csv --column zip --output @",
    "transform noise people.csv --column zip --output @",
    "transform new-key @",
    "risk people.csv --quasi zip --report @",
    "compare policy.toml --k 2 --report @",
    "lattice policy.toml --report @",
    "generate people --rows 5 --output @",
];

#[test]
fn an_output_that_is_the_address_of_a_database_is_refused_without_its_password() {
    let desk = desk();
    let files = || std::fs::read_dir(desk.path("")).expect("a folder").count();
    let before = files();
    for address in ["mysql:u:hunter2@h", "MariaDB:u:hunter2@h", "./postgres:u:hunter2@h", "host=h password=hunter2"] {
        for command in OUTPUTS {
            assert_silent(&desk, command, address, "hunter2");
        }
        desk.write("saves.toml", format!("{POLICY}[output]\npath = \"{address}\"\n"));
        for json in ["", " --json"] {
            let ran = desk.tamis(&format!("anonymize saves.toml{json}"));
            assert!(ran.code == 2 && ran.err.contains("is the address of a database"), "{address}: {ran:?}");
            assert!(!ran.err.contains("hunter2") && !ran.out.contains("hunter2"), "{address}: {ran:?}");
        }
        let ran = desk.tamis_with(&["anonymize", "policy.toml", "--output", address]);
        assert!(ran.err.contains("databases are not written to; name a file"), "{address}: {ran:?}");
    }
    // Nothing but the policy was written.
    assert_eq!(files(), before + 1);
    let ran = desk.tamis("anonymize policy.toml --output sqlite:people.db");
    assert!(ran.code == 2 && ran.err.contains("`sqlite:`"), "{ran:?}");
}

#[test]
fn a_file_with_a_colon_in_its_name_is_written() {
    let desk = desk();
    for name in ["run:3.csv", "bob@home:3.csv", "12:30.csv", "mysql.csv"] {
        let ran = desk.tamis(&format!("anonymize policy.toml --output {name}"));
        assert!(ran.code == 0 && desk.path(name).exists() && ran.out.contains(name), "{ran:?}");
    }
}

#[test]
fn ordinary_texts_stay_readable() {
    let desk = desk();
    for text in
        ["folder/people@home.csv", "C:\\data\\x.csv", "12:30.csv", "ana@example.org", "3:1", "/data/run:3/ana@home.csv"]
    {
        for command in ["lattice", "ucrypt inspect", "verify"] {
            let arguments: Vec<&str> = command.split(' ').chain([text]).collect();
            let ran = desk.tamis_with(&arguments);
            assert!(ran.code == 2 && ran.err.contains(text), "{arguments:?}: {ran:?}");
        }
    }
}
