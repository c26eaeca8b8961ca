use super::*;

#[test]
fn a_password_is_never_shown_however_the_address_is_written() {
    for address in [
        "mysql://user:hunter2@host/db",
        "MySQL:user:hunter2@host/db",
        "postgres:/user:hunter2@host/db",
        "dir/postgresql://user:hunter2@host:5432/db",
        "jdbc:mysql://user:hunter2@host/db",
        "postgres://user:hun/hunter2@er@host/db",
        "postgres://:hunter2@host/db",
        "mysql://host/db?user=u&password=hunter2",
        "jdbc:sqlserver://host;user=u;Password=hunter2;x=1",
        "postgres://bob:hunter2",
        "postgres://bob:a b hunter2@host/db",
        "postgres://bob:a\nhunter2@host/db",
        "host=h password='hunter2'",
        "host=h password=\"a hunter2\" port=5",
        "host=h password = 'hunter2'",
        "https://h/x?sig=hunter2",
        "https://h/x?a=1&key=hunter2",
        "https://h/x?token=hunter2&b=1",
        "https://h/x?X-Amz-Signature=hunter2",
        "AccountName=a;AccountKey=hunter2==",
        "//u:hunter2@h",
        "//u:hunter2@h/share",
        "bob:hunter2@h:/x",
        "bob:a/hunter2@h:/x",
        "https://h/x?passwort=hunter2",
        "host=h user=u password:hunter2",
        "host=h contraseña=hunter2",
        "mot_de_passe=hunter2",
        "{\"password\":\"hunter2\"}",
        "{\"user\": \"u\", \"password\": \"hunter2\"}",
        "dir/bob:hunter2@h:/x",
        "dir/bob:a/hunter2@h:/x",
        "postgres%3A%2F%2Fbob%3Ahunter2%40host%2Fdb",
        "postgres%253A%252F%252Fbob%253Ahunter2%2540host%252Fdb",
        "postgres://bob%3Ahunter2@host/db",
        "https://h/x?pass%77ord=hunter2",
        "https://h/x?password%3Dhunter2",
        "https://h/x?user[password]=hunter2",
        "https://h/x?password1=hunter2",
        "https://h/x?a=1&code=hunter2",
        "https://h/x?p=hunter2",
        "https://h/x?hunter2",
        "https://h/x#access=hunter2",
        "https://hunter2@h/x",
        "host=h pass=hunter2",
        "host=h user=u geheim=hunter2",
        "Server=h;Uid=u;Wachtwoord=hunter2",
        "DB_PASS=hunter2",
        "senha=hunter2",
        "bob/hunter2@host:1521/x",
        "bob/hunter2@//host/x",
        "bob/hunter2@orcl",
    ] {
        assert!(!shown(address).contains("hunter2"), "{}", shown(address));
        for sentence in [format!("cannot open `{address}`: why"), format!("invalid value '{address}' for '--x': why")] {
            let masked = without_passwords(&sentence);
            assert!(!masked.contains("hunter2") && masked.ends_with(": why"), "{masked}");
        }
        assert!(passwords_in(address).iter().any(|password| password.contains("hunter2")), "{address}");
        let masked = without_passwords(&format!("the file {address}: why"));
        assert!(!masked.contains("hunter2"), "{masked}");
        assert_eq!(without_passwords(&masked), masked);
    }
}

#[test]
fn an_address_of_a_database_is_known_by_its_scheme_or_its_password() {
    for (path, expected) in [
        ("mysql:u:hunter2@h", Some("mysql:")),
        ("out/PostgreSQL://u:hunter2@h/db", Some("PostgreSQL:")),
        ("sqlite:people.db", Some("sqlite:")),
        ("jdbc:mysql://u:hunter2@h", Some("jdbc:")),
        ("host=h password=hunter2", Some("password=")),
        ("C:\\out.csv", None),
        ("run:3.csv", None),
        ("mysql.csv", None),
        ("bob@home:out.csv", None),
    ] {
        assert_eq!(address_of_database(Path::new(path)).as_deref(), expected, "{path}");
    }
}

#[test]
fn other_texts_stay_as_they_are() {
    for text in [
        "C:\\a@b.csv",
        "C:/a@b.csv",
        "line 3: ana@example.org",
        "column mail: ana@example.org",
        "mailto:ana@example.org",
        "sqlite:people.db",
        "a.csv?x=1",
        "12:30",
        "at 12:30@home",
        "a ratio of 3:1",
        "é: a@b",
        "\u{fffd}:/",
        "/data/run:3/ana@home.csv",
        "it can't be `a` or 'b': say k=5, key=x",
        "see https://example.org/a/b",
        "KIND:NAME=VALUE,NAME=VALUE",
        "the passphrase: it is too short",
        "a%20b.csv",
        "100%",
        "data/ana@home.csv",
        "first pass: 3",
        "postgres://host/db?sslmode=on",
        "host=h port=5 user=u",
        "https://example.org/a#part",
        "a wrong password: give another",
    ] {
        assert_eq!((shown(text), without_passwords(text)), (text.to_owned(), text.to_owned()));
        assert!(passwords_in(text).is_empty(), "{text}");
    }
    for text in [
        "see https://example.org: it says more",
        "mysql: error: no table",
        "cannot read /data/run:3/ana@home.csv: no such file",
    ] {
        assert_eq!(without_passwords(text), text);
    }
}
