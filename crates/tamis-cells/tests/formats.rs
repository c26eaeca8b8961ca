//! Tables and patterns in files: what is read, what is written, and the sentence and line of everything that is wrong.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;
use tamis_cells::format::{Format, jj, json, read, read_pattern};
use tamis_cells::{Attacker, Cell, CellId, CellTable, Equation, Levels, Pattern, Status};

const JSON: &str = include_str!("files/two_by_two.json");
const JJ: &str = include_str!("files/two_by_two.jj");
const JJ_OF_A_PEER: &[u8] = include_bytes!("files/as_a_peer_lays_it_out.jj");

fn table(text: &str) -> CellTable {
    read(text.as_bytes(), "test").unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn error(text: &str) -> String {
    read(text.as_bytes(), "test").expect_err(text).to_string()
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory can be written");
    String::from_utf8(bytes).expect("formats are text")
}

mod round_trips {
    use super::*;

    /// Numbers as files have them and as computers have them.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            (-1000_i32..1000).prop_map(f64::from),
            (-100_000_i32..100_000).prop_map(|cents| f64::from(cents) / 100.0),
            -1e12..1e12,
            Just(1e-300),
            Just(0.0),
        ]
    }

    fn distance() -> impl Strategy<Value = f64> {
        prop_oneof![number().prop_map(f64::abs), Just(f64::INFINITY)]
    }

    fn levels() -> impl Strategy<Value = Levels> {
        [number(), number(), number()].prop_map(|[lower, upper, sliding]| Levels {
            lower: lower.abs(),
            upper: upper.abs(),
            sliding: sliding.abs(),
        })
    }

    fn status() -> impl Strategy<Value = Status> {
        prop_oneof![Just(Status::Primary), Just(Status::Free), Just(Status::Fixed), Just(Status::Hidden)]
    }

    fn some_cells(are_numbered: bool) -> impl Strategy<Value = Vec<Cell>> {
        let cell =
            (any::<i64>(), ".{0,6}", any::<bool>(), number(), number(), distance(), distance(), levels(), status());
        vec(cell, 1..12).prop_map(move |cells| {
            cells
                .into_iter()
                .enumerate()
                .map(|(k, (number, text, is_number, value, weight, down, up, levels, status))| Cell {
                    // The position makes ids differ.
                    id: if are_numbered || is_number {
                        CellId::Number(number / 16 * 16 + i64::try_from(k).unwrap_or(0))
                    } else {
                        CellId::Text(format!("{text}{k}"))
                    },
                    value,
                    weight: weight.abs(),
                    lower: value - down,
                    upper: value + up,
                    levels,
                    status,
                })
                .collect()
        })
    }

    fn a_table(are_numbered: bool) -> impl Strategy<Value = CellTable> {
        let term = (any::<prop::sample::Index>(), prop_oneof![Just(1.0), Just(-1.0), 0.1..9.0]);
        let known = (any::<prop::sample::Index>(), distance(), distance(), levels());
        let attacker = (".{0,6}", vec(known, 0..4));
        (some_cells(are_numbered), vec(vec(term, 1..6), 0..6), vec(attacker, 0..3)).prop_map(
            move |(cells, equations, attackers)| {
                let equations = equations
                    .into_iter()
                    .map(|terms| {
                        let mut terms: Vec<(usize, f64)> =
                            terms.into_iter().map(|(index, factor)| (index.index(cells.len()), factor)).collect();
                        terms.sort_unstable_by_key(|(cell, _)| *cell);
                        terms.dedup_by_key(|(cell, _)| *cell);
                        let rhs = terms.iter().map(|(cell, factor)| factor * cells[*cell].value).sum();
                        Equation { rhs, terms }
                    })
                    .collect();
                let attackers = attackers
                    .into_iter()
                    .filter(|_| !are_numbered)
                    .map(|(name, known)| {
                        let mut attacker = Attacker { name, ..Attacker::default() };
                        for (index, down, up, levels) in known {
                            let cell = index.index(cells.len());
                            attacker.bounds.push((cell, cells[cell].value - down, cells[cell].value + up));
                            attacker.levels.push((cell, levels));
                        }
                        attacker
                    })
                    .collect();
                CellTable::new(cells, equations, attackers).expect("made to be true")
            },
        )
    }

    proptest! {
        #[test]
        fn json_keeps_every_table(table in a_table(false)) {
            let text = written(|bytes| json::write(&table, bytes));
            prop_assert_eq!(Format::detect(text.as_bytes()), Some(Format::Json));
            prop_assert_eq!(read(text.as_bytes(), "x").map_err(|error| error.to_string()), Ok(table));
        }

        #[test]
        fn jj_keeps_every_table_with_numbers_for_ids_and_nobody_but_the_public(table in a_table(true)) {
            let text = written(|bytes| jj::write(&table, None, bytes));
            prop_assert_eq!(Format::detect(text.as_bytes()), Some(Format::Jj));
            prop_assert_eq!(read(text.as_bytes(), "x").map_err(|error| error.to_string()), Ok(table));
        }

        #[test]
        fn jj_and_json_say_the_same(table in a_table(true)) {
            let by_way_of_jj = read(written(|bytes| jj::write(&table, None, bytes)).as_bytes(), "x").unwrap();
            let by_way_of_json = read(written(|bytes| json::write(&table, bytes)).as_bytes(), "x").unwrap();
            prop_assert_eq!(by_way_of_jj, by_way_of_json);
        }

        #[test]
        fn a_pattern_is_read_from_every_kind_of_file(table in a_table(true), flags in vec(any::<bool>(), 12)) {
            let pattern = Pattern::new(flags[..table.cells().len()].to_vec());
            let ids: Vec<String> = pattern.cells().map(|cell| table.cells()[cell].id.to_string()).collect();
            let list = ids.join("\n");
            let csv = (0..table.cells().len()).fold("id;status\n".to_owned(), |mut text, cell| {
                let letter = if pattern.hides(cell) { 'm' } else { 's' };
                writeln!(text, "{};{letter}", table.cells()[cell].id).unwrap();
                text
            });
            let array = format!("[{}]", ids.join(", "));
            let answer = format!("{{ \"cost\": 1.5, \"suppressed\": {array}, \"primary\": [] }}");
            for text in [&list, &csv, &array, &answer] {
                prop_assert_eq!(read_pattern(text.as_bytes(), &table), Ok(pattern.clone()), "{}", text);
            }
        }

        #[test]
        fn nothing_makes_a_reader_fall(text in ".{0,200}", numbers in "[0-9 :().\n-]{0,200}") {
            let known = table(JJ);
            for text in [text, format!("0\n{numbers}"), format!("{{{numbers}")] {
                let _ = read(text.as_bytes(), "x");
                let _ = read_pattern(text.as_bytes(), &known);
            }
        }
    }
}

mod json_files {
    use super::*;

    #[test]
    fn are_written_as_they_are_read() {
        assert_eq!(written(|bytes| json::write(&table(JSON), bytes)), JSON);
    }

    #[test]
    fn hold_what_they_say() {
        let table = table(JSON);
        let [x, y, total, other] = table.cells() else { panic!("four cells") };
        assert_eq!((&x.id, x.value, x.status), (&CellId::Text("a|x".to_owned()), 4.0, Status::Primary));
        assert_eq!(x.levels, Levels { lower: 1.0, upper: 1.5, sliding: 0.0 });
        assert_eq!((x.lower, x.upper, y.upper), (0.0, f64::INFINITY, 40.0));
        assert_eq!((total.lower, total.status), (f64::NEG_INFINITY, Status::Fixed));
        assert_eq!((&other.id, other.value, other.status), (&CellId::Number(7), -2.5, Status::Hidden));
        assert_eq!(table.equations()[1], Equation { rhs: -5.0, terms: vec![(3, 2.0)] });
        assert_eq!(table.attackers()[0].bounds, [(0, 4.0, 4.0)]);
    }

    #[test]
    fn may_leave_out_what_goes_without_saying() {
        let table = table(
            r#"{ "cells": [ { "id": 1, "value": 3 }, { "id": 2, "value": -3 }, { "id": 3, "value": 0, "lb": null } ],
                 "equations": [ { "terms": [[1, 1], [2, 1]] } ],
                 "attackers": [ { "name": "a", "bounds": [ { "id": 1, "ub": 4 } ], "levels": [ { "id": 2 } ] } ] }"#,
        );
        let [three, minus_three, zero] = table.cells() else { panic!("three cells") };
        assert_eq!((three.weight, three.lower, three.upper), (3.0, 0.0, f64::INFINITY));
        assert_eq!((three.levels, three.status), (Levels::default(), Status::Free));
        assert_eq!((minus_three.weight, minus_three.lower), (3.0, f64::NEG_INFINITY));
        assert_eq!(zero.lower, f64::NEG_INFINITY);
        assert_eq!(table.equations()[0].rhs, 0.0);
        assert_eq!(table.attackers()[0].bounds, [(0, f64::NEG_INFINITY, 4.0)]);
        assert_eq!(table.attackers()[0].levels, [(1, Levels::default())]);
    }

    #[test]
    fn may_begin_with_a_byte_order_mark() {
        assert_eq!(read(format!("\u{feff}{JSON}").as_bytes(), "x"), Ok(table(JSON)));
        assert_eq!(read(format!("\u{feff}{JJ}").as_bytes(), "x"), Ok(table(JJ)));
    }

    #[test]
    fn that_are_wrong_are_told_where_and_why() {
        let with =
            |cells: &str, equations: &str| format!("{{ \"cells\": [\n{cells}\n], \"equations\": [\n{equations}\n] }}");
        for (text, expected) in [
            (
                "{ \"cells\": [] }".to_owned(),
                "line 1, column 15: missing field `equations`",
            ),
            (
                with("{ \"id\": 1, \"value\": 1 },\n{ \"id\": 2 }", ""),
                "line 3, column 11: cell number 2: missing field `value`",
            ),
            (
                with("{ \"id\": 1.5, \"value\": 1 }", ""),
                "line 2, column 11: cell number 1: invalid type: floating point `1.5`, expected an id: a whole number or a text",
            ),
            (
                with("{ \"id\": 18446744073709551615, \"value\": 1 }", ""),
                "line 2, column 28: cell number 1: the id 18446744073709551615 is too large",
            ),
            (
                with("{ \"id\": 1, \"value\": \"one\" }", ""),
                "line 2, column 25: cell number 1: invalid type: string \"one\", expected a number",
            ),
            (
                with("{ \"id\": 1, \"value\": 1, \"lower\": 0 }", ""),
                "line 2, column 30: cell number 1: unknown field `lower`, expected one of `id`, `value`, `weight`, `lb`, `ub`, \
                `lpl`, `upl`, `spl`, `status`",
            ),
            (
                with("{ \"id\": 1, \"value\": 1, \"status\": \"secret\" }", ""),
                "line 2, column 41: cell number 1: unknown variant `secret`, expected one of `primary`, `free`, `fixed`, \
                `hidden`",
            ),
            (
                with("{ \"id\": 1, \"value\": 1e999 }", ""),
                "line 2, column 25: cell number 1: number out of range",
            ),
            (
                with("{ \"id\": 1, \"value\": 1 }", "{ \"rhs\": 1, \"terms\": [[1, 1]] },\n{ \"terms\": [[1]] }"),
                "line 5, column 15: equation 2: invalid length 1, expected an id and a coefficient",
            ),
            (
                with("{ \"id\": 1, \"value\": 1 }", "{ \"rhs\": 1, \"terms\": [[\"1\", 1]] }"),
                "equation 1: there is no cell 1",
            ),
            (
                "{ \"cells\": [], \"equations\": [], \"bounds\": [] }".to_owned(),
                "line 1, column 40: unknown field `bounds`, expected one of `cells`, `equations`, `attackers`",
            ),
            (
                "{ \"cells\": [], \"equations\": [], \"attackers\": [ { \"name\": \"a\", \"levels\": [ { \"id\": 3 } ] } ] }"
                    .to_owned(),
                "attacker a: there is no cell 3",
            ),
            (
                with("{ \"id\": 1, \"value\": 1, \"ub\": 0.5 }", ""),
                "cell 1: its value 1 is outside its bounds, 0 to 0.5",
            ),
            (
                with("{ \"id\": 1, \"value\": 1 }, { \"id\": 1, \"value\": 1 }", ""),
                "cell 1 is given twice; ids must differ",
            ),
            (
                with("5", ""),
                "line 2, column 1: cell number 1: invalid type: integer `5`, expected a cell: an object with id and value",
            ),
            ("{ \"cells\": [".to_owned(), "line 1, column 12: cell number 1: the file ends within a list"),
            ("id,value\n1,2".to_owned(), "test is neither JSON (which starts with {) nor JJ (whose first line is 0)"),
            (String::new(), "test is neither JSON (which starts with {) nor JJ (whose first line is 0)"),
        ] {
            assert_eq!(error(&text), expected, "{text}");
        }
    }
}

mod jj_files {
    use super::*;

    #[test]
    fn are_written_as_they_are_read() {
        assert_eq!(written(|bytes| jj::write(&table(JJ), None, bytes)), JJ);
    }

    #[test]
    fn may_be_laid_out_as_peers_do() {
        assert_eq!(jj::read(JJ_OF_A_PEER).map_err(|error| error.to_string()), Ok(table(JJ)));
    }

    #[test]
    fn number_the_cells_of_a_table_with_other_ids() {
        let named = table(JSON);
        assert_eq!(written(|bytes| jj::write(&named, None, bytes)), JJ);
    }

    #[test]
    fn mark_what_a_pattern_hides() {
        let pattern = Pattern::new(vec![true, true, false, true]);
        let text = written(|bytes| jj::write(&table(JJ), Some(&pattern), bytes));
        let letters: Vec<&str> = text.lines().skip(2).take(4).filter_map(|line| line.split(' ').nth(3)).collect();
        assert_eq!(letters, ["u", "m", "z", "m"]);
        assert_eq!(read_pattern(text.as_bytes(), &table(JJ)), Ok(pattern));
    }

    /// One cell of JJ, then an equation.
    fn file(cell: &str, equations: &str) -> String {
        format!("0\n2\n{cell}\n5 2 2 s 0 9 0 0 0\n{equations}\n")
    }

    const GOOD: &str = "4 2 2 u 0 9 1 1 0";

    #[test]
    fn that_are_wrong_are_told_where_and_why() {
        for (text, expected) in [
            ("0".to_owned(), "line 1: the file ends, expected how many cells there are"),
            ("0\nmany".to_owned(), "line 2: found \"many\", expected how many cells there are, a whole number"),
            ("0\n-1".to_owned(), "line 2: found \"-1\", expected how many cells there are, a whole number"),
            (format!("0\n3\n{GOOD}\n"), "line 4: the file ends after 1 of the 3 cells promised in line 2"),
            (
                file("4 2 2 0 9 1 1 0", "0"),
                "line 3: a cell has 8 fields, expected 9: id value weight status lb ub lpl upl spl; where the status is left \
                out, add u, s or z behind the weight",
            ),
            (
                file("4 2 2 u 0 9 1 1", "0"),
                "line 3: a cell has 8 fields, expected 9: id value weight status lb ub lpl upl spl; where the status is left \
                out, add u, s or z behind the weight",
            ),
            (
                file("4 2 2 u 0 9 1 1 0 0", "0"),
                "line 3: a cell has 10 fields, expected 9: id value weight status lb ub lpl upl spl",
            ),
            (file("a 2 2 u 0 9 1 1 0", "0"), "line 3: found \"a\", expected the id of a cell, a whole number"),
            (file("4 2,5 2 u 0 9 1 1 0", "0"), "line 3: found \"2,5\", expected the value, a number"),
            (file("4 2 ? u 0 9 1 1 0", "0"), "line 3: found \"?\", expected the weight, a number"),
            (
                file("4 2 2 q 0 9 1 1 0", "0"),
                "line 3: found \"q\", expected the status: u (primary), s (may be hidden), z (must be published) or m (must \
                be hidden)",
            ),
            (file("4 2 2 u - 9 1 1 0", "0"), "line 3: found \"-\", expected the lower bound, a number"),
            (file("4 2 2 u 0 - 1 1 0", "0"), "line 3: found \"-\", expected the upper bound, a number"),
            (file("4 2 2 u 0 9 - 1 0", "0"), "line 3: found \"-\", expected the lower protection level, a number"),
            (file("4 2 2 u 0 9 1 - 0", "0"), "line 3: found \"-\", expected the upper protection level, a number"),
            (file("4 2 2 u 0 9 1 1 -", "0"), "line 3: found \"-\", expected the sliding protection level, a number"),
            (file("5 2 2 u 0 9 1 1 0", "0"), "line 4: cell 5 is given twice, before in line 3; ids must differ"),
            (file("4 NaN 2 u 0 9 1 1 0", "0"), "line 3: cell 4: value is NaN, expected a number"),
            (file("4 2 -2 u 0 9 1 1 0", "0"), "line 3: cell 4: weight is -2, expected a number that is not negative"),
            (file("4 12 2 u 0 9 1 1 0", "0"), "line 3: cell 4: its value 12 is outside its bounds, 0 to 9"),
            (file(GOOD, ""), "line 6: the file ends, expected how many equations there are"),
            (
                file(GOOD, "2\n0 2 : 4 (1) 5 (-1)"),
                "line 7: the file ends after 1 of the 2 equations promised in line 5",
            ),
            (
                file(GOOD, "1\nx 2 : 4 (1) 5 (-1)"),
                "line 6: found \"x\", expected the right side of equation 1, a number",
            ),
            (
                file(GOOD, "1\n0 : 4 (1) 5 (-1)"),
                "line 6: found \":\", expected how many terms equation 1 has, a whole number",
            ),
            (
                file(GOOD, "1\n0 2 4 (1) 5 (-1)"),
                "line 6: found \"4\", expected a colon behind the number of terms of equation 1",
            ),
            (file(GOOD, "1\n0 2 : 4 (1)\n 6 (-1)"), "line 7: equation 1: there is no cell 6"),
            (
                file(GOOD, "1\n0 2 : 4 1 5 (-1)"),
                "line 6: found \"1\", expected ( before the coefficient of cell 4 in equation 1",
            ),
            (
                file(GOOD, "1\n0 2 : 4 (one) 5 (-1)"),
                "line 6: found \"one\", expected the coefficient of cell 4 in equation 1, a number",
            ),
            (
                file(GOOD, "1\n0 2 : 4 (1 5 (-1)"),
                "line 6: found \"5\", expected ) behind the coefficient of cell 4 in equation 1",
            ),
            (file(GOOD, "1\n0 3 : 4 (1) 5 (-1)"), "line 7: the file ends, expected 3 terms in equation 1"),
            (
                file(GOOD, "1\n0 2 : 4 (1) 5 (-1)\n0 2 : 4 (1) 5 (-1)"),
                "line 7: found \"0\", expected nothing after the 1 equations promised",
            ),
            (
                file(GOOD, "2\n0 2 : 4 (1)\n 5 (-1)\n0 2 : 4 (0) 5 (-1)"),
                "line 8: equation 2: the coefficient of cell 4 is 0, expected a number other than 0",
            ),
            (file(GOOD, "1\n0 2 : 4 (1) 4 (-1)"), "line 6: equation 1: cell 4 occurs twice; add its coefficients"),
            (
                file(GOOD, "1\n1 2 : 4 (1) 5 (1)"),
                "line 6: equation 1 ([4] + [5] = 1) does not add up: the left side is 4, the right side 1, 3 apart; correct \
                the values, or leave out an equation that need not hold",
            ),
        ] {
            assert_eq!(error(&text), expected, "{text}");
        }
        assert_eq!(
            jj::read(b"1\n2").map_err(|error| error.to_string()),
            Err("line 1: found \"1\", expected 0, which every JJ file starts with".to_owned())
        );
    }

    /// A file of a few bytes may promise more cells than memory holds.
    #[test]
    fn promises_are_not_believed() {
        let most = u64::MAX;
        assert_eq!(
            error(&format!("0\n{most}\n{GOOD}")),
            format!("line 3: the file ends after 1 of the {most} cells promised in line 2")
        );
        assert!(error(&format!("0\n0\n1\n0 {most} : ")).starts_with("line 4: the file ends, expected"));
    }
}

mod patterns {
    use super::*;

    fn pattern(text: &str) -> Result<Vec<bool>, String> {
        let pattern = read_pattern(text.as_bytes(), &table(JSON));
        pattern.map(|pattern| pattern.flags().to_vec()).map_err(|error| error.to_string())
    }

    #[test]
    fn in_every_form() {
        let expected = Ok(vec![true, true, false, true]);
        for text in [
            "a|x\na|y\n7\n",
            "\n7\r\n  a|x\r\na|y",
            "id\na|x\na|y\n7",
            "status,value,id\nu,4,a|x\nx,16,\"a|y\"\nz,20,a|Total\nM,,7\n",
            "ID\tStatus\na|x\tprimary\na|y\thidden\na|Total\tpublished\n7\tsuppressed\n",
            "[\"a|x\", \"a|y\", 7]",
            "{ \"suppressed\": [\"a|x\", \"a|y\", \"7\"] }",
            "{ \"cost\": 3.5, \"suppressed\": [\"a|y\", 7], \"primary\": [\"a|x\"] }",
        ] {
            assert_eq!(pattern(text), expected, "{text}");
        }
        assert_eq!(pattern(""), Ok(vec![false; 4]), "nothing is hidden");
    }

    #[test]
    fn a_list_that_begins_with_cell_0_is_no_jj_file() {
        let found = read_pattern(b"0\n3\n1\n", &table(JJ)).map(|pattern| pattern.flags().to_vec());
        assert_eq!(found, Ok(vec![true, true, false, true]));
    }

    #[test]
    fn fields_in_quotes_hold_delimiters_and_quotes() {
        let text = r#"{ "cells": [ { "id": "a, \"b\"", "value": 1 }, { "id": "id", "value": 1 } ], "equations": [] }"#;
        let table = table(text);
        let flags = |text: &str| read_pattern(text.as_bytes(), &table).map(|pattern| pattern.flags().to_vec());
        assert_eq!(flags("id,status\n\"a, \"\"b\"\"\",m\n"), Ok(vec![true, false]));
        assert_eq!(flags("id\n"), Ok(vec![false, true]), "where a cell is called id, a list may begin with it");
    }

    #[test]
    fn that_are_wrong_are_told_where_and_why() {
        for (text, expected) in [
            ("a|x\nb|x\n", "line 2: there is no cell b|x in the table"),
            ("id,status\na|x,u\n\n8,s\n", "line 4: there is no cell 8 in the table"),
            (
                "id,status\na|x,q\n",
                "line 2: cell a|x: found the status `q`, expected u (primary), m, x or h (hidden), s or z (published)",
            ),
            ("id,status\na|x\n", "line 2: cell a|x: it has 1 fields, expected one in column 2"),
            ("[\"a|x\", 8]", "the list of hidden cells: there is no cell 8"),
            ("{ \"suppressed\": [8] }", "suppressed: there is no cell 8"),
            ("{ \"hidden\": [7] }", "line 1: expected a list of ids, or an object with a list of ids named suppressed"),
            ("[1, 2", "line 1, column 5: the file ends within a list"),
            ("0\n1\n9 2 2 u 0 9 1 1 0\n0\n", "the JJ file: there is no cell 9"),
        ] {
            assert_eq!(pattern(text), Err(expected.to_owned()), "{text}");
        }
        let bytes = b"7\n\xff\n";
        let error = read_pattern(bytes, &table(JSON)).expect_err("no text").to_string();
        assert_eq!(error, "line 2: it is not text in UTF-8");
    }
}

#[test]
fn released_tables_say_what_they_hide() {
    let text = r#"{ "cells": [ { "id": "N/a", "value": 10 }, { "id": "N/b", "value": 5 }, { "id": "N/Total", "value": 15 } ],
        "equations": [ { "terms": [["N/a", 1], ["N/b", 1], ["N/Total", -1]] } ] }"#;
    let table = tamis_cells::format::json::read(text.as_bytes()).expect("a table");
    let read = |text: &str| tamis_cells::format::read_pattern(text.as_bytes(), &table);
    let flags = |text: &str| read(text).expect("a pattern").flags().to_vec();
    assert_eq!(flags("id,value\nN/a,x\nN/b,5\n"), [true, false, false]);
    assert_eq!(flags("ID;sdcStatus\nN/a;u\nN/b;s\n"), [true, false, false]);
    assert_eq!(flags("id,suppressed\nN/a,1\nN/b,0\n"), [true, false, false]);
    assert_eq!(flags("id\nN/a\nN/b\n"), [true, true, false]);
    // Columns of labels that make ids.
    assert_eq!(flags("region,branch,value,status\nN,a,x,u\nN,b,x,m\nN,Total,15,s\n"), [true, true, false]);
    assert_eq!(flags("region,branch,turnover\nN,a,x\nN,b,5\n"), [true, false, false]);
    assert_eq!(flags("region,branch\nN,a\n"), [true, false, false]);
    let told = |text: &str| read(text).expect_err("no pattern").to_string();
    assert!(told("id,turnover\nN/a,x\n").starts_with("line 1: no column says which cells are hidden"));
    assert!(
        told("id,value,status\nN/a,x,u\nN/Total,99,s\n")
            .starts_with("line 3: cell N/Total: the cell is published as 99")
    );
    assert!(told("id,status\nN/a,q\n").starts_with("line 2: cell N/a: found the status `q`"));
    assert!(told("N/a\nN/c\n").starts_with("line 2: there is no cell N/c"));
    let header = told("branch,region,value\na,N,x\n");
    assert!(header.contains("names no column id") && header.contains("called like N/a"), "{header}");
}
