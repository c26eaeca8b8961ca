use super::*;

fn bare() -> BareShare {
    let mut value = Zeroizing::new([0; 32]);
    for (index, byte) in value.iter_mut().enumerate() {
        *byte = (index * 7) as u8;
    }
    BareShare {
        holder: "executor".into(),
        policy: "p7Q2".into(),
        generation: 3,
        share: Share::new(NonZeroU8::new(200).unwrap(), value),
    }
}

fn refusal(file: &str, passphrase: Option<&Passphrase>) -> ShareError {
    match BareShare::from_file("executor", file, passphrase) {
        Ok(_) => panic!("the file is not refused"),
        Err(error) => error,
    }
}

fn cheap(text: &str) -> Passphrase {
    Passphrase::new(text.into()).with_cost(1)
}

#[test]
fn a_file_under_a_passphrase_gives_the_share_back() {
    let passphrase = cheap("correct horse");
    let file = bare().to_file(Protection::Passphrase(&passphrase)).unwrap();
    assert!(BareShare::needs_passphrase(&file));
    let again = BareShare::from_file("x", &file, Some(&passphrase)).unwrap();
    assert_eq!(again.share.value(), bare().share.value());
    assert_eq!(again.share.number(), bare().share.number());
    assert_eq!((again.holder.as_str(), again.label()), ("executor", bare().label()));

    assert_eq!(refusal(&file, None).refusal, ShareRefusal::PassphraseNeeded);
    assert_eq!(refusal(&file, Some(&cheap("wrong horse"))), ShareRefusal::Passphrase.of("executor"));
}

#[test]
fn a_file_that_asks_for_too_much_work_is_refused_at_once() {
    let file = bare().to_file(Protection::Passphrase(&cheap("x"))).unwrap();
    let armoured: String = file.split("\"\"\"").nth(1).unwrap().to_owned();
    // The work factor stands in the first line of the age header, behind the salt.
    let body: String = armoured.lines().filter(|line| !line.starts_with("---")).collect();
    let mut bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, body).unwrap();
    let newline = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0;
    bytes.splice(newline - 1..newline, *b"40");
    let body = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, bytes);
    let lines: Vec<&str> = body.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
    let hostile = format!(
        "policy = \"p\"\ngen = 1\nholder = \"executor\"\nx = 1\nsealed = \"\"\"\n-----BEGIN AGE ENCRYPTED FILE-----\n{}\n-----END AGE ENCRYPTED FILE-----\n\"\"\"\n",
        lines.join("\n")
    );
    assert_eq!(
        refusal(&hostile, Some(&cheap("x"))).refusal,
        ShareRefusal::Corrupted("its passphrase asks for more work than is reasonable")
    );
}

#[test]
fn paper_words_give_the_share_back_however_they_are_typed() {
    let words = bare().words();
    assert_eq!(words.split(' ').count(), 24);
    let typed = words.to_uppercase().replace(' ', "\n\t ");
    let label = ShareLabel { policy: "p7Q2", generation: 3 };
    let again = BareShare::from_words("executor", label, bare().share.number(), &typed).unwrap();
    assert_eq!(again.share.value(), bare().share.value());
    let file = bare().to_file(Protection::Paper).unwrap();
    let again = BareShare::from_file("x", &file, None).unwrap();
    assert_eq!(again.share.value(), bare().share.value());
}

#[test]
fn words_are_those_of_bip_39() {
    let zero = BareShare { share: Share::new(NonZeroU8::MIN, Zeroizing::new([0; 32])), ..bare() };
    let expected = format!("{}art", "abandon ".repeat(23));
    assert_eq!(*zero.words(), expected);
}

#[test]
fn wrong_words_are_refused_with_the_holder_named_and_never_quoted() {
    let words = bare().words();
    let mut list: Vec<&str> = words.split(' ').collect();
    let label = ShareLabel { policy: "p7Q2", generation: 3 };
    let refused = |words: &str| {
        let read = BareShare::from_words("executor", label, NonZeroU8::MIN, words);
        let error = read.map(|_| ()).unwrap_err();
        assert_eq!(error.holder, "executor");
        for word in words.split(' ') {
            assert!(!error.to_string().contains(word) || word.len() < 5 || word == "share", "{error}");
        }
        error.refusal
    };
    assert_eq!(refused(&list[1..].join(" ")), ShareRefusal::Words(23));
    assert_eq!(refused(""), ShareRefusal::Words(0));
    list[5] = "Nowotwór";
    assert_eq!(refused(&list.join(" ")), ShareRefusal::UnknownWord(6));
    list[5] = words.split(' ').nth(6).unwrap();
    assert!(matches!(refused(&list.join(" ")), ShareRefusal::Corrupted(why) if why.ends_with("the checksum fails")));
}

#[test]
fn broken_files_name_the_holder_that_was_asked() {
    let file = bare().to_file(Protection::Paper).unwrap();
    for broken in [
        "",
        "x",
        &file.replace("x = 200", "x = 0"),
        &file.replace("x = 200", "x = 256"),
        &file.replace("gen = 3", "gen = -3"),
        &file[..file.len() - 5],
        &format!("{}extra = 1\n", *file),
    ] {
        let error = refusal(broken, None);
        assert_eq!(error, ShareRefusal::Corrupted("it is no share file").of("executor"), "{broken}");
    }
    let both = format!("{}sealed = \"\"\n", *file);
    assert!(matches!(refusal(&both, None).refusal, ShareRefusal::Corrupted(_)));
}
