//! Sealed values outside records in documents of more than a megabyte, which are read in pieces.

use super::super::limits::LONGEST_RECORD;
use super::*;

fn cell(length: usize) -> String {
    format!("<UCRYPT cipher='c' v='1' pol='p' ep='1' kid='k' bind='n'>{}</UCRYPT>", "A".repeat(length))
}

/// How many values are sealed and how many are damaged.
fn counted(document: &str) -> (u64, u64) {
    let (output, tally) = rewrite(document.as_bytes(), &selectors(&["a"]), &Leave, 2).unwrap();
    assert!(output == document.as_bytes());
    (tally.sealed, tally.damaged)
}

#[test]
fn a_sealed_value_beside_others_does_not_let_pieces_end_inside_others() {
    let old = "<UCRYPT cipher='old'>x</UCRYPT>";
    // Pieces would end everywhere in a cell.
    for length in [24, 25, 26, 28, 31, 40] {
        let many = format!("<m>{}</m>\n", cell(length)).repeat(30_000);
        assert_eq!(counted(&format!("<r><q/>{old}{many}</r>")), (30_001, 0), "{length}");
        assert_eq!(counted(&format!("<r>{old}{many}<p id='1'/>{many}</r>")), (60_001, 0), "{length}");
        assert_eq!(counted(&format!("<r><q>{old}text{many}</q>{old}{many}</r>")), (60_002, 0), "{length}");
    }
}

#[test]
fn a_long_sealed_value_is_in_one_piece() {
    let comment = format!("<!--{}-->", "x".repeat(1_100_000));
    let long = cell(900_000);
    for element in [format!("<z>{comment}{long}</z>"), format!("<z>{long}{comment}</z>"), format!("<z>{long}</z>")] {
        assert_eq!(counted(&format!("<r>{element}</r>")), (1, 0));
        assert_eq!(counted(&format!("<r><q/>{element}{element}</r>")), (2, 0));
    }
    let edited = cell(10).replace('>', &format!(">{comment}<b/>{comment}"));
    let edited = edited.strip_suffix(&format!("{comment}<b/>{comment}")).unwrap();
    assert_eq!(counted(&format!("<r><q/><z>{edited}</z></r>")), (0, 1));
}

#[test]
fn an_element_outside_records_that_is_too_long_is_refused() {
    let comment = format!("<!--{}-->", "x".repeat(LONGEST_RECORD / 2));
    assert_eq!(problem(&format!("<r><q/><z>{comment}{comment}{comment}</z></r>")), Problem::LongRecord);
    assert_eq!(problem(&format!("<r><q/><z>{}{comment}{comment}</z></r>", cell(9))), Problem::LongRecord);
    // Where nothing is in one piece, length does not matter.
    assert_eq!(counted(&format!("<r><q/>{comment}{comment}text{comment}</r>")), (0, 0));
    assert_eq!(counted(&format!("<r><p id='1'/>{comment}{comment}text{comment}</r>")), (0, 0));
}

#[test]
fn a_long_key_is_read_once_for_all_damaged_values() {
    let damaged = "<a>x<UCRYPT v='1' pol='p'>AA</UCRYPT></a>".repeat(20_000);
    // Reading it for every value would take minutes.
    for key in ["&amp;".repeat(1 << 20), " ".repeat(5 << 20)] {
        assert_eq!(counted(&format!("<r><p id='{key}'>{damaged}</p></r>")), (0, 20_000));
    }
}

#[test]
fn long_names_around_many_sealed_values_are_told_by_their_end() {
    let name = "n".repeat(900_000);
    let cells = format!("<m>{}</m>", cell(9)).repeat(5_000);
    let document = format!("<r><{name}>{cells}</{name}></r>");
    let seen = seen(&document, &selectors(&["a"]));
    assert_eq!(seen.len(), 5_000);
    let ends = |(place, _): &(String, String)| place.starts_with("  /.../nn") && place.ends_with("n/m");
    assert!(seen.iter().all(|one| ends(one) && one.0.len() < 600), "{:?}", seen[0]);
}
