//! Hierarchy builders: the examples of the source documents, every parameter, and every way to get them wrong.

use tamis_table::hierarchy::builders::Builder;
use tamis_table::{DataType, Hierarchy};

/// A builder as a policy writes it.
fn builder(toml: &str) -> Builder {
    #[derive(serde::Deserialize)]
    struct Attribute {
        hierarchy: Builder,
    }
    match toml::from_str::<Attribute>(&format!("hierarchy = {{ {toml} }}")) {
        Ok(attribute) => attribute.hierarchy,
        Err(error) => panic!("{toml}: {error}"),
    }
}

/// The rows as lines of a file.
fn lines(toml: &str, values: &[&str]) -> Vec<String> {
    match builder(toml).build(values) {
        Ok(rows) => {
            assert!(Hierarchy::from_rows(&rows).is_ok());
            rows.iter().map(|row| row.labels.join(";")).collect()
        }
        Err(error) => panic!("{toml}: {error}"),
    }
}

/// What is wrong, in the builder's words.
fn complaint(toml: &str, values: &[&str]) -> String {
    match builder(toml).build(values) {
        Ok(rows) => panic!("{toml} built {rows:?}"),
        Err(error) => error.to_string(),
    }
}

/// What is wrong with the policy itself.
fn policy_error(toml: &str) -> String {
    match toml::from_str::<std::collections::BTreeMap<String, Builder>>(&format!("hierarchy = {{ {toml} }}")) {
        Ok(built) => panic!("{toml} is {built:?}"),
        Err(error) => error.to_string(),
    }
}

mod documents {
    use super::*;

    #[test]
    fn thesis_figure_15_age_in_listed_intervals() {
        let ages = ["29", "22", "27", "43", "52", "32", "36", "30", "47"];
        let expected = [
            "29;[20, 30[;*",
            "22;[20, 30[;*",
            "27;[20, 30[;*",
            "43;[40, 60[;*",
            "52;[40, 60[;*",
            "32;[30, 40[;*",
            "36;[30, 40[;*",
            "30;[30, 40[;*",
            "47;[40, 60[;*",
        ];
        assert_eq!(lines("interval = { bins = [20, 30, 40, 60] }", &ages), expected);
        assert_eq!(lines("interval = { bins = [[20, 30], [30, 40], [40, 60]] }", &ages), expected);
    }

    /// The figure prints one star too many from level 2 on; a mask keeps the length, as the figure's level 1 does.
    #[test]
    fn thesis_figure_16_zip_masked_from_the_right() {
        let zips = ["47677", "47602", "47678", "47905", "47909", "47607", "47673", "47605", "47906"];
        let rows = lines("mask = { top = '*****' }", &zips);
        assert_eq!(rows[0], "47677;4767*;476**;47***;4****;*****");
        assert_eq!(rows[1], "47602;4760*;476**;47***;4****;*****");
        assert_eq!(rows[3], "47905;4790*;479**;47***;4****;*****");
        assert_eq!(rows.len(), zips.len());
        assert_eq!(lines("mask = {}", &["47677"]), ["47677;4767*;476**;47***;4****;*"]);
    }

    #[test]
    fn thesis_table_3_zip_by_zeros() {
        let rows = lines("mask = { character = '0', levels = 2 }", &["05345", "05349", "05352", "05356"]);
        assert_eq!(rows, ["05345;05340;05300;*", "05349;05340;05300;*", "05352;05350;05300;*", "05356;05350;05300;*"]);
    }

    #[test]
    fn thesis_table_3_ethnicity_is_one_person() {
        let tree = "tree = { children = { persona = ['rapanui', 'mapuche', 'atacameño'] } }";
        assert_eq!(
            lines(tree, &["mapuche", "atacameño"]),
            ["mapuche;persona;*", "atacameño;persona;*", "rapanui;persona;*"]
        );
    }

    #[test]
    fn thesis_figure_6_dates_of_birth_with_two_digit_years() {
        let dates = ["19/08/63", "07/02/62", "10/06/60"];
        let spelled = "date = { format = '%d/%m/%y', latest_year = 2019, levels = [
            { unit = 'month', format = '%m/%y' }, { unit = 'year', format = '%y' }, { unit = 'five-years', format = '%y' }] }";
        assert_eq!(lines(spelled, &dates)[0], "19/08/63;08/63;63;60-64;*");
        let iso = "date = { latest_year = 2019, levels = ['month', 'year', 'five-years'] }";
        assert_eq!(
            lines(iso, &dates),
            [
                "19/08/63;1963-08;1963;1960-1964;*",
                "07/02/62;1962-02;1962;1960-1964;*",
                "10/06/60;1960-06;1960;1960-1964;*"
            ]
        );
    }

    #[test]
    fn seed_004_texts_by_longest_common_subsequence() {
        let rows = lines("patterns = { similarity = [0.7] }", &["Hauptstrasse 12", "Hauptstrasse 7", "Marktplatz 1"]);
        assert_eq!(
            rows,
            ["Hauptstrasse 12;Hauptstrasse *;*", "Hauptstrasse 7;Hauptstrasse *;*", "Marktplatz 1;Marktplatz 1;*"]
        );
    }
}

mod interval {
    use super::*;

    #[test]
    fn levels_join_neighbours() {
        let age = "interval = { start = 0, width = 5, factors = [2, 5] }";
        assert_eq!(
            lines(age, &["-3", "0", "49", "50"]),
            [
                "-3;[-5, 0[;[-10, 0[;[-50, 0[;*",
                "0;[0, 5[;[0, 10[;[0, 50[;*",
                "49;[45, 50[;[40, 50[;[0, 50[;*",
                "50;[50, 55[;[50, 60[;[50, 100[;*"
            ]
        );
    }

    #[test]
    fn listed_bins_join_too_and_the_last_may_be_alone() {
        let bins = "interval = { bins = [0, 1, 5, 20], factors = [2] }";
        assert_eq!(lines(bins, &["0", "4", "19"]), ["0;[0, 1[;[0, 5[;*", "4;[1, 5[;[0, 5[;*", "19;[5, 20[;[5, 20[;*"]);
    }

    #[test]
    fn open_ends_cut_the_bins_they_fall_in() {
        let age = "interval = { width = 10, min = 18, max = 85, factors = [2] }";
        assert_eq!(
            lines(age, &["17.9", "18", "84", "85"]),
            ["17.9;<18;<18;*", "18;[18, 20[;[18, 20[;*", "84;[80, 85[;[80, 85[;*", "85;>=85;>=85;*"]
        );
    }

    #[test]
    fn decimals_are_exact() {
        let tenths = "interval = { width = 0.1, factors = [2] }";
        assert_eq!(
            lines(tenths, &["0.3", "0.29", "0.2999999999999999999999", "1e-1"]),
            [
                "0.3;[0.3, 0.4[;[0.2, 0.4[;*",
                "0.29;[0.2, 0.3[;[0.2, 0.4[;*",
                "0.2999999999999999999999;[0.2, 0.3[;[0.2, 0.4[;*",
                "1e-1;[0.1, 0.2[;[0, 0.2[;*"
            ]
        );
    }

    #[test]
    fn whole_numbers_can_be_written_as_ranges() {
        let range = "interval = { width = 10, max = 80, labels = 'range' }";
        assert_eq!(lines(range, &["20", "-4", "80"]), ["20;20-29;*", "-4;-10 to -1;*", "80;>=80;*"]);
        assert_eq!(lines("interval = { width = 1, labels = 'range' }", &["7"]), ["7;7;*"]);
        assert_eq!(
            complaint(range, &["20.5"]),
            "`labels = \"range\"` is for whole numbers and 20.5 is none; leave it out to get labels like [0.5, 1["
        );
    }

    #[test]
    fn the_width_follows_the_values() {
        assert_eq!(lines("interval = {}", &["17", "90"])[0], "17;[15, 20[;*");
        assert_eq!(lines("interval = {}", &["0", "1000000"])[1], "1000000;[1000000, 1050000[;*");
        assert_eq!(lines("interval = {}", &["4"]), ["4;[4, 5[;*"]);
        assert_eq!(lines("interval = {}", &["0.01", "0.05"])[0], "0.01;[0.01, 0.02[;*");
    }

    #[test]
    fn missing_values_keep_to_themselves() {
        assert_eq!(lines("interval = { width = 10, factors = [3] }", &["", "5"]), ["5;[0, 10[;[0, 30[;*", ";;;*"]);
        assert_eq!(lines("interval = { width = 10 }", &[""]), [";*"]);
    }

    #[test]
    fn far_apart_numbers_cost_nothing() {
        let narrow = "interval = { width = 1 }";
        let rows = lines(narrow, &["-1000000000000000000", "1000000000000000000"]);
        assert_eq!(rows[1], "1000000000000000000;[1000000000000000000, 1000000000000000001[;*");
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            complaint("interval = {}", &["12", "twelve"]),
            "`twelve` is no number, so it fits no interval; correct it, or declare it as missing, or use another hierarchy"
        );
        for number in ["nan", "inf", "-", ".", "1e", "0x10", "1 000", "--1"] {
            assert!(complaint("interval = {}", &[number]).contains("is no number"), "{number}");
        }
        assert_eq!(
            complaint("interval = {}", &["1e300"]),
            "`1e300` takes too many digits to be placed exactly; round it"
        );
        assert_eq!(
            complaint("interval = {}", &["1e30", "0.000000000000001"]),
            "`1000000000000000000000000000000` and the 15 decimals of other numbers take too many digits to be placed \
             exactly; round them"
        );
        assert_eq!(complaint("interval = { width = 0 }", &["1"]), "the `width` of intervals must be above 0");
        assert_eq!(complaint("interval = { width = -2.5 }", &["1"]), "the `width` of intervals must be above 0");
        assert_eq!(complaint("interval = { min = 5, max = 5 }", &["1"]), "`min` (5) must lie below `max` (5)");
        assert_eq!(
            complaint("interval = { bins = [20, 30, 40, 60] }", &["65"]),
            "`65` lies in none of the `bins`; add one for it, or set `min` or `max` for an open end"
        );
        assert_eq!(
            complaint("interval = { bins = [1, 2], width = 3 }", &["1"]),
            "give an interval hierarchy either `bins` or `start` and `width`, not both"
        );
        assert_eq!(complaint("interval = { bins = [1] }", &["1"]), "`bins` needs at least two cut points or one range");
        assert_eq!(
            complaint("interval = { bins = [3, 2] }", &["1"]),
            "the bin from 3 to 2 is empty; list `bins` upwards"
        );
        assert_eq!(
            complaint("interval = { bins = [[0, 5], [4, 9]] }", &["1"]),
            "the bin from 4 on starts before the one from 0 on ends; list `bins` upwards without overlap"
        );
        assert_eq!(
            complaint("interval = { factors = [1] }", &["1"]),
            "`factors` of `interval` holds 1; a level must join at least 2 groups of the level below"
        );
        assert_eq!(
            complaint("interval = { width = '1e30', factors = [4000000000] }", &["1"]),
            "the interval around `1` is too wide to count; use smaller `factors` or `width`"
        );
        assert!(policy_error("interval = { width = nan }").contains("`NaN` is no number"));
        assert!(policy_error("interval = { widht = 5 }").contains("unknown field `widht`"));
        assert!(policy_error("interval = { bins = 5 }").contains("`bins` must be cut points"));
        assert!(policy_error("intervals = {}").contains("unknown variant `intervals`"));
    }
}

mod order {
    use super::*;

    #[test]
    fn values_are_grouped_by_rank_in_the_order_of_their_type() {
        assert_eq!(
            lines("order = { group = 2, factors = [2] }", &["10", "9", "100", "8", "7"]),
            [
                "10;9 .. 10;7 .. 10;*",
                "9;9 .. 10;7 .. 10;*",
                "100;100;100;*",
                "8;7 .. 8;7 .. 10;*",
                "7;7 .. 8;7 .. 10;*"
            ]
        );
        assert_eq!(lines("order = { group = 2 }", &["b", "a"]), ["b;a .. b;*", "a;a .. b;*"]);
    }

    #[test]
    fn a_given_order_is_listed_whole() {
        let size = "order = { order = ['low', 'mid', 'high'], group = 2 }";
        assert_eq!(lines(size, &["high", ""]), ["low;low .. mid;*", "mid;low .. mid;*", "high;high;*", ";;*"]);
        assert_eq!(complaint(size, &["huge"]), "`order` does not list the value `huge`; add it where it belongs");
        assert_eq!(complaint("order = { order = ['a', 'a'] }", &["a"]), "`order` lists `a` twice; keep one of the two");
        assert_eq!(complaint("order = { group = 0 }", &["a"]), "`group` is 0; a group must join at least 2 values");
    }

    #[test]
    fn groups_larger_than_the_column_hold_everything() {
        let all = "order = { group = 9000000000000000000, factors = [4000000000] }";
        assert_eq!(lines(all, &["a", "b"]), ["a;a .. b;a .. b;*", "b;a .. b;a .. b;*"]);
    }
}

mod mask {
    use super::*;

    #[test]
    fn from_the_left_in_steps() {
        assert_eq!(
            lines("mask = { from = 'left', character = '#', step = 2 }", &["123456"]),
            ["123456;##3456;####56;*"]
        );
    }

    #[test]
    fn unequal_lengths_stay_unless_padded() {
        assert_eq!(lines("mask = {}", &["1234", "12"]), ["1234;123*;12**;1***;*", "12;1*;**;**;*"]);
        assert_eq!(lines("mask = { pad = '0' }", &["123", "12", ""]), ["123;12*;1**;*", "12;01*;0**;*", ";;;*"]);
        assert_eq!(lines("mask = { pad = ' ', pad_side = 'right' }", &["123", "1"])[1], "1;1 *;1**;*");
    }

    #[test]
    fn characters_count_not_bytes() {
        assert_eq!(lines("mask = {}", &["ñandú"]), ["ñandú;ñand*;ñan**;ña***;ñ****;*"]);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(complaint("mask = { step = 0 }", &["1"]), "the `step` of a mask must hide at least 1 character");
        let long = "x".repeat(1000);
        assert_eq!(
            complaint("mask = {}", &[&long]),
            "hiding 1 of up to 1000 characters at a time makes 999 levels, more than 64; give a larger `step` or fewer `levels`"
        );
        assert!(policy_error("mask = { step = -1 }").contains("step"));
        assert!(policy_error("mask = { character = 'xx' }").contains("character"));
    }
}

mod date {
    use super::*;

    #[test]
    fn every_unit_has_its_spelling() {
        let all = "date = { levels = ['day', 'month', 'quarter', 'year', 'five-years', 'decade', 'century'] }";
        assert_eq!(
            lines(all, &["15/03/2024"]),
            ["15/03/2024;2024-03-15;2024-03;2024-Q1;2024;2020-2024;2020s;2000-2099;*"]
        );
    }

    /// 30 December 2024 is a Monday in the week of 2 January 2025.
    #[test]
    fn longer_spans_count_whole_weeks_where_there_are_weeks() {
        let weeks = "date = { levels = ['week', 'month', 'year'] }";
        assert_eq!(
            lines(weeks, &["2024-12-30", "2025-01-02", ""]),
            ["2024-12-30;2025-W01;2025-01;2025;*", "2025-01-02;2025-W01;2025-01;2025;*", ";;;;*"]
        );
        assert_eq!(lines("date = { levels = ['year'] }", &["2024-12-30"]), ["2024-12-30;2024;*"]);
    }

    #[test]
    fn formats_can_be_given() {
        let compact = "date = { format = '%Y%m%d', levels = ['month'] }";
        assert_eq!(lines(compact, &["20240315"]), ["20240315;2024-03;*"]);
        let time = "date = { format = '%Y-%m-%d %H:%M', levels = ['day'] }";
        assert_eq!(lines(time, &["2024-03-15 23:59"]), ["2024-03-15 23:59;2024-03-15;*"]);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            complaint("date = {}", &["2024-03-15", "soon"]),
            "`soon` is no date in a known spelling; give the `format`, such as \"%d/%m/%Y\""
        );
        assert_eq!(
            complaint("date = {}", &["2024-03-15", "15.03.2024"]),
            "no one format reads all the dates, such as `2024-03-15` and `15.03.2024`; spell them alike or give the `format`"
        );
        assert_eq!(
            complaint("date = { format = '%Y-%m-%d' }", &["2024-02-30"]),
            "`2024-02-30` is no date in the format `%Y-%m-%d`; correct it or the `format`"
        );
        assert_eq!(
            complaint("date = { levels = ['year', 'month'] }", &["2024-02-03"]),
            "the levels of a date hierarchy must grow, but `month` follows `year`"
        );
        assert_eq!(
            complaint("date = { levels = [] }", &["2024-02-03"]),
            "`levels` of a date hierarchy is empty; list some, such as [\"month\", \"year\"]"
        );
        assert_eq!(
            complaint("date = { format = '%d/%m/%y', latest_year = 1999 }", &["29/02/00"]),
            "`29/02/00` is no date if two-digit years end with 1999; correct `latest_year`"
        );
        assert!(
            complaint("date = { levels = [{ unit = 'year', format = '%' }] }", &["2024-02-03"])
                .starts_with("the format `%` cannot spell a date: ")
        );
        assert_eq!(
            complaint("date = { levels = [{ unit = 'month', format = '%m' }, 'year'] }", &["2024-02-03", "2023-02-03"]),
            "two groups are both called `02` on level 1 and part as `2024` and `2023` on level 2; spell them so that they differ"
        );
        assert!(policy_error("date = { levels = ['months'] }").contains("a level must be \"day\""));
        assert!(policy_error("date = { levels = [{ unit = 'year', fromat = '%Y' }] }").contains("a level must be"));
    }
}

mod tree {
    use super::*;

    #[test]
    fn uneven_branches_repeat_the_nearest_ancestor() {
        let tree =
            "tree = { children = { World = ['Europe', 'Oceania'], Europe = ['Iberia', 'Malta'], Iberia = ['Spain'] } }";
        assert_eq!(
            lines(tree, &["Spain", "Europe", ""]),
            [
                "Spain;Iberia;Europe;World;*",
                "Europe;Europe;Europe;World;*",
                "Malta;Europe;Europe;World;*",
                "Oceania;World;World;World;*",
                ";;;;*"
            ]
        );
    }

    #[test]
    fn parents_can_be_written_from_below_and_the_top_may_be_named() {
        let tree = "tree = { parents = { Lima = 'Peru', Cusco = 'Peru', Peru = '*' } }";
        assert_eq!(lines(tree, &["Lima"]), ["Lima;Peru;*", "Cusco;Peru;*"]);
        assert_eq!(lines("tree = { parents = { Lima = '*' } }", &["Lima"]), ["Lima;*"]);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            complaint("tree = { children = { a = ['x'], b = ['x'] } }", &["x"]),
            "`x` has two parents, `a` and `b`; keep one of them"
        );
        assert_eq!(
            complaint("tree = { parents = { a = 'b', b = 'c', c = 'a' } }", &[]),
            "`a` lies under itself; one of the nodes of that circle must be the topmost"
        );
        assert_eq!(
            complaint("tree = { parents = { a = 'a' } }", &["a"]),
            "`a` lies under itself; one of the nodes of that circle must be the topmost"
        );
        assert_eq!(
            complaint("tree = { parents = { a = 'b' } }", &["x", "y", "z"]),
            "the tree has no node for the value `x` (nor 2 more); add it under its parent"
        );
        assert_eq!(
            complaint("tree = { parents = { '*' = 'a' } }", &["a"]),
            "`*` is the top of every tree and cannot lie under `a`"
        );
        assert_eq!(complaint("tree = {}", &["a"]), "the tree is empty; give it `children` or `parents`");
        let chain: Vec<String> = (0..500).map(|node| format!("n{node} = 'n{}'", node + 1)).collect();
        let chain = format!("tree = {{ parents = {{ {} }} }}", chain.join(", "));
        assert_eq!(
            complaint(&chain, &["n0"]),
            "`n0` lies more than 64 levels deep; leave out some of the nodes above it"
        );
    }
}

mod patterns {
    use super::*;

    #[test]
    fn levels_loosen() {
        let streets = ["Hauptstrasse 12", "Hauptstrasse 7", "Bahnhofstrasse 3", "Bahnhofstrasse 41"];
        assert_eq!(
            lines("patterns = { similarity = [0.7, 0.4] }", &streets),
            [
                "Hauptstrasse 12;Hauptstrasse *;*strasse *;*",
                "Hauptstrasse 7;Hauptstrasse *;*strasse *;*",
                "Bahnhofstrasse 3;Bahnhofstrasse *;*strasse *;*",
                "Bahnhofstrasse 41;Bahnhofstrasse *;*strasse *;*"
            ]
        );
    }

    #[test]
    fn the_order_of_the_values_does_not_matter() {
        let values = ["anna", "anne", "hanna", "johanna", "otto", "ottilie", "", "an*a"];
        let mut forwards = lines("patterns = {}", &values);
        let mut reversed = values;
        reversed.reverse();
        let mut backwards = lines("patterns = {}", &reversed);
        forwards.sort();
        backwards.sort();
        assert_eq!(forwards, backwards);
    }

    #[test]
    fn many_values_are_joined_in_blocks() {
        let values: Vec<String> = (0..2_500).map(|number| format!("Calle {} {}", number % 7, number)).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let rows = lines("patterns = { similarity = [0.5] }", &values);
        assert!(rows.iter().all(|row| row.ends_with(";Calle *;*")), "{}", rows[0]);
    }

    #[test]
    fn mistakes_are_named() {
        let many: Vec<String> = (0..20_001).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(
            complaint("patterns = {}", &many),
            "20001 different texts are too many to compare (20000 at most); use `mask` or `rare`, or a hierarchy file"
        );
        let long: Vec<String> = (0..500).map(|number| format!("{number}{}", "x".repeat(5_000))).collect();
        let long: Vec<&str> = long.iter().map(String::as_str).collect();
        assert_eq!(
            complaint("patterns = {}", &long),
            "500 different texts of up to 5003 characters take too long to compare; shorten them, or use `mask` or `rare`"
        );
        assert_eq!(
            complaint("patterns = { similarity = [] }", &["a"]),
            "`similarity` is empty; give at least one, such as [0.7]"
        );
        assert_eq!(
            complaint("patterns = { similarity = [nan] }", &["a"]),
            "a `similarity` of NaN is out of range; it must be above 0 and at most 1"
        );
        assert_eq!(
            complaint("patterns = { similarity = [0.4, 0.7] }", &["a"]),
            "`similarity` must fall from level to level, but 0.7 follows 0.4"
        );
    }
}

mod rare {
    use super::*;

    #[test]
    fn repeated_values_count() {
        let values = ["a", "b", "a", "a", "", "c"];
        assert_eq!(lines("rare = { minimum = 2, other = 'rest' }", &values), ["a;a;*", "b;rest;*", "c;rest;*", ";;*"]);
    }

    #[test]
    fn a_value_called_other_joins_the_others() {
        let rows = builder("rare = { minimum = [2, 9] }").build_with_counts(&[("other", 5), ("x", 1), ("y", 10)]);
        let rows: Vec<String> = rows.unwrap_or_default().iter().map(|row| row.labels.join(";")).collect();
        assert_eq!(rows, ["other;other;other;*", "x;other;other;*", "y;y;y;*"]);
    }

    #[test]
    fn mistakes_are_named() {
        let too_few = "`minimum` must be at least 2 rows; every value occurs in one";
        assert_eq!(complaint("rare = { minimum = 1 }", &["a"]), too_few);
        assert_eq!(complaint("rare = { minimum = [] }", &["a"]), too_few);
        assert_eq!(
            complaint("rare = { minimum = [5, 5] }", &["a"]),
            "`minimum` must grow from level to level, but 5 follows 5"
        );
        assert!(policy_error("rare = { minimum = 'few' }").contains("`minimum` must be a number of rows"));
    }
}

#[test]
fn no_values_make_no_hierarchy() {
    for name in ["interval", "order", "mask", "date", "patterns", "rare"] {
        assert_eq!(
            complaint(&format!("{name} = {{}}"), &[]),
            "it is empty; expected lines `value;level 1;...;*`",
            "{name}"
        );
    }
}

mod suggestions {
    use super::*;

    fn suggest(values: &[&str]) -> String {
        let counted: Vec<(&str, u64)> = values.iter().map(|&value| (value, 3)).collect();
        let present = values.iter().copied().filter(|value| !value.is_empty());
        let builder = Builder::suggest(DataType::of(present), &counted);
        assert!(builder.build_with_counts(&counted).is_ok());
        match toml::to_string(&builder) {
            Ok(text) => text,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn follow_the_values() {
        let wages: Vec<String> = (0..200).map(|number| (1000 + 13 * number).to_string()).collect();
        let mut wages: Vec<&str> = wages.iter().map(String::as_str).collect();
        assert_eq!(suggest(&wages), "[interval]\nwidth = 200\nfactors = [2, 2]\nlabels = \"half-open\"\n");
        wages.push("9000000");
        assert_eq!(suggest(&wages), "[interval]\nwidth = 200\nfactors = [2, 2]\nmax = 4000\nlabels = \"half-open\"\n");
        assert!(
            suggest(&["15/03/1961", "01/12/1970", ""])
                .starts_with("[date]\nformat = \"%d/%m/%Y\"\nlevels = [\"month\"")
        );
        assert!(suggest(&["05345", "05349", "K1A0B"]).starts_with("[mask]"));
        assert!(suggest(&["Male", "Female"]).starts_with("[rare]"));
        let streets: Vec<String> = (0..50).map(|number| format!("Hauptstrasse {number}")).collect();
        let streets: Vec<&str> = streets.iter().map(String::as_str).collect();
        assert!(suggest(&streets).starts_with("[patterns]"));
    }

    #[test]
    fn build_on_awkward_columns() {
        assert!(suggest(&["1e300", "1e-300", "5.5"]).starts_with("[rare]"));
        assert!(suggest(&[""]).starts_with("[rare]"));
        assert!(Builder::suggest(DataType::Integer, &[]).build(&[]).is_err());
        assert!(suggest(&["0", "1"]).starts_with("[rare]"));
    }
}
