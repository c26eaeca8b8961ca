//! The known answers of the manual: a policy, its shares and a document, as another implementation would find them there.

use std::error::Error;
use std::num::NonZeroU8;

use jiff::Timestamp;
use tamis_ucrypt::key::{BareShare, Share};
use tamis_ucrypt::operation::{Form, Open, PolicyFile};
use tamis_ucrypt::policy::{Offer, Policy};
use zeroize::Zeroizing;

const PAGE: &str = include_str!("../../../docs/ucrypt/format.md");

/// A figure of the page: what stands behind `name = `.
fn figure(name: &str) -> &'static str {
    let start = format!("    {name} = ");
    PAGE.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("the page has no {name}"))
}

/// The fenced block of this language below the heading.
fn block(language: &str) -> &'static str {
    let (_, section) = PAGE.split_once("\n## Known answers\n").expect("the heading");
    let (_, rest) = section.split_once(&format!("```{language}\n")).expect("the block");
    rest.split_once("```").expect("its end").0
}

fn share(policy: &Policy, number: u8) -> BareShare {
    let mut value = Zeroizing::new([0; 32]);
    base16ct::lower::decode(figure(&format!("share {number}")), value.as_mut()).expect("32 bytes");
    let number = NonZeroU8::new(number).expect("a number");
    let holder = policy.holders.iter().find(|holder| holder.number == number).expect("a holder").name.clone();
    BareShare { holder, policy: policy.id.clone(), generation: policy.generation, share: Share::new(number, value) }
}

#[test]
fn any_two_shares_of_the_page_open_its_document_with_its_policy() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let [policy, document, opened] =
        ["known.upolicy", "known.xml", "opened.xml"].map(|name| directory.path().join(name));
    std::fs::write(&policy, block("toml"))?;
    std::fs::write(&document, block("xml"))?;
    let file = PolicyFile::read(&policy)?;
    let form = Form::of(&document, None)?;
    for pair in [[1, 2], [1, 3], [2, 3]] {
        let shares = pair.map(|number| share(&file.policy, number));
        let offers = [Offer::Share(&shares[0]), Offer::Share(&shares[1])];
        Open::new(&file, &form).run(&offers, &document, &opened, Timestamp::now())?;
        let text = std::fs::read_to_string(&opened)?;
        assert!(text.contains("<d:Choroba>AIDS</d:Choroba>"), "{text}");
    }
    Ok(())
}

#[test]
fn the_policy_of_the_page_is_vouched_for_as_it_stands() -> Result<(), Box<dyn Error>> {
    let policy = Policy::from_file(block("toml"))?;
    let shares = [1, 2].map(|number| share(&policy, number));
    let offers = [Offer::Share(&shares[0]), Offer::Share(&shares[1])];
    assert!(policy.unlock(&offers, Timestamp::now()).is_ok());
    for (from, to) in
        [("pad = 32", "pad = 64"), ("\"urn:c\"", "\"urn:d\""), ("2199-12-31", "2200-12-31"), ("\"Id\"", "\"Nr\"")]
    {
        let edited = Policy::from_file(&block("toml").replacen(from, to, 1))?;
        assert!(edited.unlock(&offers, Timestamp::now()).is_err(), "{from}");
    }
    Ok(())
}

#[test]
fn the_words_of_the_page_are_those_of_its_share() -> Result<(), Box<dyn Error>> {
    let policy = Policy::from_file(block("toml"))?;
    assert_eq!(*share(&policy, 2).words(), figure("words 2"));
    Ok(())
}
