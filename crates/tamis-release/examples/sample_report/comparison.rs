//! The 24 settings of the Adult study, with the losses that were published for them.

use tamis_release::report::{CompareReport, CompareRow, Figure, Published};

const ROWS: &str = include_str!("adult.csv");

pub(crate) fn adult() -> CompareReport {
    CompareReport {
        title: "Adult census: k-anonymity, l-diversity and t-closeness".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        attributes: crate::release::QUASI.map(Into::into).to_vec(),
        rows: ROWS.lines().skip(1).map(row).collect(),
        reference: "the Adult census study; a loss agrees if it differs by less than 0.00005 percentage points (some were printed in single precision).".into(),
        notes: vec!["l-diversity is recursive (c, l)-diversity of occupation with c = 4; t-closeness of occupation uses the hierarchical distance. Both ask for k = 5 as well.".into()],
    }
}

fn row(line: &str) -> CompareRow {
    let fields: Vec<&str> = line.split(',').collect();
    let number = |i: usize| fields[i].parse::<f64>().unwrap_or(f64::NAN);
    let whole = |i: usize| fields[i].parse::<u64>().unwrap_or(0);
    let (family, parameter) = (fields[0], fields[1]);
    let loss = number(3);
    let published = number(2) / 100.0;
    CompareRow {
        setting: match family {
            "k" => format!("k = {parameter}"),
            "l" => format!("k = 5, c = 4, l = {parameter}"),
            _ => format!("k = 5, t = {parameter}"),
        },
        family: family.into(),
        parameter: number(1),
        loss,
        risk_average: number(4),
        risk_max: number(5),
        at_risk: number(6),
        classes: whole(7),
        average: number(8),
        kept: whole(9),
        suppressed: whole(10),
        levels: fields[11].into(),
        // Made up: the sample shows the layout, it measures nothing.
        seconds: 0.02 + loss / 10.0,
        published: vec![Published { figure: Figure::Loss, value: published, agrees: (loss - published).abs() < 5e-7 }],
    }
}
