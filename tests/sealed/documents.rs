//! Documents as they are found in the wild, sealed and opened from the command line: only what is sealed changes, and opening gives every byte back.

use crate::holders::*;
use crate::program::Desk;

/// A character set, written out for the letters that these documents use.
#[derive(Debug, Clone, Copy)]
enum Charset {
    Utf8,
    Utf8WithMark,
    Latin2,
    Windows1250,
    Utf16 { is_big: bool },
}

const CHARSETS: [Charset; 6] = [
    Charset::Utf8,
    Charset::Utf8WithMark,
    Charset::Latin2,
    Charset::Windows1250,
    Charset::Utf16 { is_big: false },
    Charset::Utf16 { is_big: true },
];

/// Polish letters in ISO 8859-2 and in windows-1250, as the standards list them.
const LETTERS: [(char, u8, u8); 10] = [
    ('ą', 0xB1, 0xB9),
    ('ę', 0xEA, 0xEA),
    ('ł', 0xB3, 0xB3),
    ('Ł', 0xA3, 0xA3),
    ('ó', 0xF3, 0xF3),
    ('ś', 0xB6, 0x9C),
    ('ź', 0xBC, 0x9F),
    ('ż', 0xBF, 0xBF),
    ('ć', 0xE6, 0xE6),
    ('ń', 0xF1, 0xF1),
];

impl Charset {
    fn name(self) -> &'static str {
        match self {
            Self::Utf8 | Self::Utf8WithMark => "UTF-8",
            Self::Latin2 => "ISO-8859-2",
            Self::Windows1250 => "windows-1250",
            Self::Utf16 { .. } => "UTF-16",
        }
    }

    fn encode(self, text: &str) -> Vec<u8> {
        let single = |byte: fn(&(char, u8, u8)) -> u8| {
            let of = |letter: char| LETTERS.iter().find(|known| known.0 == letter).map(byte);
            text.chars().map(|c| if c.is_ascii() { c as u8 } else { of(c).expect("a letter of the list") }).collect()
        };
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8WithMark => format!("\u{FEFF}{text}").into_bytes(),
            Self::Latin2 => single(|known| known.1),
            Self::Windows1250 => single(|known| known.2),
            Self::Utf16 { is_big } => {
                let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                format!("\u{FEFF}{text}").encode_utf16().flat_map(bytes).collect()
            }
        }
    }

    fn decode(self, bytes: &[u8]) -> String {
        let single = |byte: fn(&(char, u8, u8)) -> u8| {
            let of = |found: u8| LETTERS.iter().find(|known| byte(known) == found).map(|known| known.0);
            bytes.iter().map(|b| if b.is_ascii() { char::from(*b) } else { of(*b).expect("a letter") }).collect()
        };
        let text: String = match self {
            Self::Utf8 | Self::Utf8WithMark => String::from_utf8(bytes.to_vec()).expect("UTF-8"),
            Self::Latin2 => single(|known| known.1),
            Self::Windows1250 => single(|known| known.2),
            Self::Utf16 { is_big } => {
                let unit = |pair: &[u8]| {
                    let pair = [pair[0], pair[1]];
                    if is_big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
                };
                String::from_utf16(&bytes.chunks(2).map(unit).collect::<Vec<_>>()).expect("UTF-16")
            }
        };
        text.trim_start_matches('\u{FEFF}').to_owned()
    }
}

/// A document in which what is going to be sealed stands between `«` and `»`.
struct Template(String);

impl Template {
    fn plain(&self) -> String {
        self.0.replace(['«', '»'], "")
    }

    /// Asserts that a sealed document is this one with a cell in the place of each marked value, and nothing else changed.
    fn assert_only_marked_values_are_sealed(&self, sealed: &str, what: &str) {
        let mut rest = sealed;
        for (number, part) in self.0.split(['«', '»']).enumerate() {
            let is_kept = number % 2 == 0;
            if is_kept && number == 0 {
                rest = rest.strip_prefix(part).unwrap_or_else(|| panic!("{what}: the beginning differs: {sealed}"));
            } else if is_kept {
                let at = rest.find(part).unwrap_or_else(|| panic!("{what}: {part:?} is not in {rest}"));
                let cell = &rest[..at];
                assert_eq!(cell.matches("UCRYPT ").count(), 1, "{what}: {cell}");
                rest = &rest[at + part.len()..];
            }
        }
        assert_eq!(rest, "", "{what}");
    }
}

/// A document without the instructions that carry data keys.
fn without_keys(text: &str) -> String {
    let Some(start) = text.find("<?ucrypt-key ") else { return text.to_owned() };
    let end = start + text[start..].find("?>").expect("an end") + 2;
    let after = text[end..].strip_prefix('\n').unwrap_or(&text[end..]);
    format!("{}{}", &text[..start], without_keys(after))
}

const CLINIC: &str = r#"[namespaces]
k = "urn:klinika"

[[table]]
name = "pacjenci"
record = "/k:klinika/k:pacjent"
record_key = "@nr"
[[table.field]]
name = "kod"
path = "@kod"
[[table.field]]
name = "nazwisko"
path = "k:nazwisko"
[[table.field]]
name = "opis"
path = "k:opis"
[[table.field]]
name = "choroba"
path = "k:choroba"
[[table.field]]
name = "miasto"
path = "k:adres/k:miasto"
[[table.field]]
name = "uwagi"
path = "k:uwagi"
"#;

fn clinic(charset: Charset) -> Template {
    let record = |number: &str, fields: [&str; 7]| {
        let [code, name, note, drug, disease, city, remark] = fields;
        format!(
            "  <k:pacjent nr=\"{number}\"  kod='{code}'><k:nazwisko>{name}</k:nazwisko >\n    <nazwisko>Łoś, nie klinika</nazwisko><k:opis>{note}</k:opis>\
            <?druk strona?><k:choroba lek=\"{drug}\">{disease}</k:choroba><!-- żółć --><k:adres><k:miasto>{city}</k:miasto></k:adres><k:uwagi{remark}</k:pacjent>\r\n"
        )
    };
    let fourth = record("4", ["A1", "Pyc &amp; Syn", "<![CDATA[<UCRYPT]]>", "1", "nic", "Łódź", "/>"]);
    let fifth = record(
        "5",
        [
            "«B\"2 &amp; ćma»",
            "«Zag&#322;oba &amp; c&#xF3;rka &lt;x&gt;»",
            "«<![CDATA[a < b && źdźbło]]>»",
            "«1»",
            "«choruje na <b>podagrę</b>, od <i>dawna</i>»",
            "«Zbaraż<!-- twierdza -->»",
            "«/>»",
        ],
    );
    Template(format!(
        "<?xml version=\"1.0\" encoding=\"{}\"?>\n<!-- ani <UCRYPT>, ani ń -->\n<k:klinika xmlns:k=\"urn:klinika\" xmlns=\"urn:inne\">\r\n{fourth}{fifth}</k:klinika>\n<!-- koniec -->\n",
        charset.name()
    ))
}

fn clinic_desk() -> Desk {
    let desk = desk();
    desk.write("clinic.toml", CLINIC);
    new_policy(&desk, "c.upolicy", "clinic.toml");
    desk
}

#[test]
fn xml_with_all_its_forms_comes_back_byte_for_byte_in_every_encoding() {
    let desk = clinic_desk();
    for charset in CHARSETS {
        let template = clinic(charset);
        let plain = charset.encode(&template.plain());
        desk.write("clinic.xml", &plain);
        desk.done("ucrypt seal c.upolicy clinic.xml -o clinic-sealed.xml --record 5");
        let sealed = charset.decode(&desk.bytes("clinic-sealed.xml"));
        template.assert_only_marked_values_are_sealed(&without_keys(&sealed), &format!("{charset:?}"));
        for [one, other] in PAIRS {
            let ran = open(&desk, "c.upolicy", "clinic-sealed.xml", &[one, other]);
            assert_eq!(ran.code, 0, "{charset:?}: {ran:?}");
            assert!(desk.bytes("opened.xml") == plain, "{charset:?} by {one} and {other}");
        }
        assert_eq!(desk.json("ucrypt inspect clinic-sealed.xml --policy c.upolicy", 0)["sealed"], 7, "{charset:?}");
        desk.done("ucrypt filter clinic-sealed.xml --drop --policy c.upolicy -o rest.xml");
        let rest = charset.decode(&desk.bytes("rest.xml"));
        assert!(rest.contains("Pyc &amp; Syn") && !rest.contains("nr=\"5\""), "{rest}");
    }
}

#[test]
fn ordinary_writers_of_xml_escape_cells_and_they_open_all_the_same() {
    let desk = sealed_desk();
    let sealed = desk.read("sealed.xml");
    let start = sealed.find("<UCRYPT ").expect("a cell");
    let end = start + sealed[start..].find("</UCRYPT>").expect("an end") + "</UCRYPT>".len();
    let cell = &sealed[start..end];
    let escaped = cell.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    for form in [escaped, format!("<![CDATA[{cell}]]>"), format!("\n   {cell}\t")] {
        desk.write("written.xml", sealed.replace(cell, &form));
        let ran = open(&desk, "p.upolicy", "written.xml", &["doctor", "payer"]);
        assert_eq!(ran.code, 0, "{form}: {ran:?}");
        let opened = desk.read("opened.xml");
        assert!(opened.contains("Zagłoba") && !opened.contains("UCRYPT "), "{form}: {opened}");
    }
}

#[test]
fn csv_with_quotes_line_breaks_and_any_delimiter_comes_back_byte_for_byte() {
    let desk = desk();
    let table = "Id,Nazwisko,Zawód,Miasto,Choroba\r\n4,Pyc,\"Malarz, zły\",Opole,\"a\"\"b\"\r\n\
        5,\"«Zagłoba, \"\"mały\"\"\r\nrycerz»\",«»,«\"Zbaraż\"»,« Podagra »\r\n6,,,,\r\n";
    for (delimiter, name) in [(',', ","), (';', ";"), ('\t', "tab"), ('|', "|"), ('^', "^")] {
        for charset in &CHARSETS[..4] {
            // What separates is quoted where it stands in a value, so exchanging the two keeps the table the same.
            let exchanged = table.chars().map(|c| match c {
                ',' => delimiter,
                c if c == delimiter => ',',
                c => c,
            });
            let template = Template(exchanged.collect());
            let plain = charset.encode(&template.plain());
            desk.write("wild.csv", &plain);
            let options = format!("--delimiter {name} --encoding {} --table pacjenci", charset.name());
            desk.done(&format!("ucrypt seal p.upolicy wild.csv -o wild-sealed.csv --record 5 {options}"));
            let sealed = charset.decode(&desk.bytes("wild-sealed.csv"));
            assert_eq!(sealed.matches("</UCRYPT>").count(), 4, "{sealed}");
            let lines: Vec<&str> = sealed.split("\r\n").collect();
            let before = template.plain();
            assert!(before.starts_with(&format!("{}\r\n{}\r\n", lines[0], lines[1])), "{sealed}");
            assert!(before.ends_with(&format!("\r\n{}\r\n", lines[3])), "{sealed}");
            for pair in PAIRS {
                let by = with(&pair);
                desk.done(&format!("ucrypt open p.upolicy wild-sealed.csv -o wild-opened.csv {options}{by}"));
                assert!(desk.bytes("wild-opened.csv") == plain, "{charset:?}, {delimiter:?}");
            }
        }
    }
    desk.write("wild.csv", Charset::Utf16 { is_big: false }.encode("Id\n5\n"));
    assert_refused(&desk, "ucrypt seal p.upolicy wild.csv -o out.csv --all --encoding UTF-32", 2, &["UTF-32", "UTF-8"]);
}

#[test]
fn a_dump_in_an_old_encoding_comes_back_byte_for_byte() {
    let desk = desk();
    let dump = "-- zrzut źródła\nCREATE TABLE pacjenci (Id INTEGER, Nazwisko TEXT, \"Zawód\" TEXT, Miasto TEXT, Choroba TEXT);\n\
        INSERT INTO pacjenci VALUES (4, 'Pyc''a', NULL, 'Łódź', 'ból'),\n(5, «'Zagłoba'», «NULL», «'Zbaraż; -- nie'», «17»);\n";
    let template = Template(dump.to_owned());
    for charset in [Charset::Utf8, Charset::Latin2, Charset::Windows1250] {
        let plain = charset.encode(&template.plain());
        desk.write("old.sql", &plain);
        let options = format!("--encoding {} --dialect sqlite", charset.name());
        desk.done(&format!("ucrypt seal p.upolicy old.sql -o old-sealed.sql --record 5 {options}"));
        let sealed = charset.decode(&desk.bytes("old-sealed.sql"));
        let at = sealed.find("-- zrzut").expect("the first line");
        template.assert_only_marked_values_are_sealed(&sealed[at..], &format!("{charset:?}"));
        for pair in PAIRS {
            desk.done(&format!("ucrypt open p.upolicy old-sealed.sql -o old-opened.sql {options}{}", with(&pair)));
            let opened = charset.decode(&desk.bytes("old-opened.sql"));
            assert!(opened.ends_with(&template.plain()), "{charset:?}: {opened}");
        }
    }
}

#[test]
fn names_with_blanks_and_letters_of_any_language() {
    let desk = Desk::new();
    let run = |arguments: &[&str], code: i32| {
        let ran = desk.tamis_with(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {ran:?}");
        ran
    };
    for holder in ["Señora Núñez", "Dr. Żółć", "płatnik"] {
        run(&["ucrypt", "keygen", holder], 0);
    }
    desk.write("mis campos.toml", "[[table]]\nname = \"año clínico\"\nkey = \"número de póliza\"\n[[table.field]]\nname = \"diagnóstico\"\n[[table.field]]\nname = \"dirección (calle)\"\n");
    let plain = "número de póliza;diagnóstico;dirección (calle)\nAB 1;gota;Calle Mayor\nAB 2;gripe;Plaza España\n";
    desk.write("los pacientes.csv", plain);
    let holders = ["--holder", "Señora Núñez.upub", "--holder", "Dr. Żółć.upub", "--holder", "płatnik.upub"];
    run(
        &[&["ucrypt", "policy", "new", "mi póliza.upolicy", "-p", "2", "--fields", "mis campos.toml"][..], &holders]
            .concat(),
        0,
    );
    run(
        &[
            "ucrypt",
            "seal",
            "mi póliza.upolicy",
            "los pacientes.csv",
            "-o",
            "sellados ñ.csv",
            "--record",
            "AB 1",
            "--field",
            "diagnóstico",
        ],
        0,
    );
    let refused =
        run(&["ucrypt", "open", "mi póliza.upolicy", "sellados ñ.csv", "-o", "x.csv", "--with", "Dr. Żółć.ukey"], 3);
    assert!(refused.err.contains("\"Señora Núñez\" or \"płatnik\""), "{refused:?}");
    run(
        &[
            "ucrypt",
            "open",
            "mi póliza.upolicy",
            "sellados ñ.csv",
            "-o",
            "abiertos.csv",
            "--with",
            "Dr. Żółć.ukey",
            "--with",
            "Señora Núñez.ukey",
        ],
        0,
    );
    assert_eq!(desk.read("abiertos.csv"), plain);
}

/// A character set that was named when the document was sealed must not be mixed with another one when it is opened.
#[test]
fn what_is_opened_is_not_written_in_another_encoding_than_the_rest() {
    let desk = desk();
    let polish = |text: &str| {
        let bytes = |one: char| match one {
            'ó' => 0xf3,
            'ż' => 0xbf,
            'ł' => 0xb3,
            one => u8::try_from(u32::from(one)).expect("one byte"),
        };
        text.chars().map(bytes).collect::<Vec<u8>>()
    };
    let ascii = |text: String| text.replace("Zawód", "Zawod");
    desk.write("names.toml", ascii(FIELDS.to_owned()));
    new_policy(&desk, "n.upolicy", "names.toml");
    desk.write("old.csv", polish(&ascii(csv()))).write("old.sql", polish(&ascii(sql())));
    for kind in ["csv", "sql"] {
        let encoding = "--encoding windows-1250";
        desk.done(&format!("ucrypt seal n.upolicy old.{kind} -o old-sealed.{kind} --record 5 {encoding}"));
        let open = format!("ucrypt open n.upolicy old-sealed.{kind} -o opened.{kind}{}", with(&["doctor", "payer"]));
        assert_refused(&desk, &open, 2, &["line ", "not text in UTF-8", "--encoding"]);
        desk.done(&format!("{open} {encoding}"));
        assert!(desk.bytes(&format!("opened.{kind}")) == desk.bytes(&format!("old.{kind}")), "{kind}");
        // Whoever insists gets it; fields without such characters open in any case.
        desk.done(&format!("{open} --encoding utf-8"));
        desk.done(&format!("{open} --field Choroba"));
    }
    // A single slip of the pen in a document that is otherwise UTF-8 keeps nobody out.
    let mut slip = csv().into_bytes();
    slip.extend(b"10,Nowak,Malarz,Krak\xf3w,Grypa\n");
    desk.write("slip.csv", slip);
    desk.done("ucrypt seal p.upolicy slip.csv -o slip-sealed.csv --record 5");
    desk.done(&format!("ucrypt open p.upolicy slip-sealed.csv -o slip-opened.csv{}", with(&["doctor", "payer"])));
    assert!(desk.bytes("slip-opened.csv") == desk.bytes("slip.csv"));
}
