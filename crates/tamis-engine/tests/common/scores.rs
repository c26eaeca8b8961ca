//! Every measure from its definition, row by row.

use super::oracle::Lines;
use super::sample::Sample;
use std::collections::BTreeMap;
use tamis_engine::Aggregate;

/// The score of a transformation; several numbers for the rank aggregate.
pub(crate) fn scores(
    sample: &Sample,
    levels: &[usize],
    hierarchies: &[Lines],
    is_kept: &[bool],
    kept_sizes: &[u64],
    all_sizes: &[u64],
) -> Vec<f64> {
    let n: u64 = all_sizes.iter().sum();
    let suppressed = n - kept_sizes.iter().sum::<u64>();
    let squares = |sizes: &[u64]| sizes.iter().map(|size| size * size).sum::<u64>();
    let quality = &sample.quality;
    let own = |default: Aggregate| quality.aggregate.unwrap_or(default);
    match (quality.measure, quality.variant) {
        ("discernibility", Some("monotone")) => vec![squares(all_sizes) as f64],
        ("discernibility", _) => vec![(squares(kept_sizes) + n * suppressed) as f64],
        ("average-class-size", _) => vec![n as f64 / (kept_sizes.len() as f64 + f64::from(u8::from(suppressed > 0)))],
        ("height", _) => vec![levels.iter().sum::<usize>() as f64],
        ("precision", _) => {
            let part = |j: usize| {
                let climbed =
                    if hierarchies[j].height() == 0 { 0.0 } else { levels[j] as f64 / hierarchies[j].height() as f64 };
                ((n - suppressed) as f64 * climbed + suppressed as f64) / n as f64
            };
            combine(own(Aggregate::Arithmetic), levels.len(), &quality.weights, part)
        }
        ("loss", _) => {
            let part = |j: usize| loss(sample, j, levels[j], &hierarchies[j], is_kept);
            combine(own(Aggregate::Geometric), levels.len(), &quality.weights, part)
        }
        ("non-uniform-entropy", variant) => {
            let part = |j: usize| entropy(sample, j, levels[j], &hierarchies[j], is_kept, variant);
            combine(own(Aggregate::Sum), levels.len(), &quality.weights, part)
        }
        (other, _) => panic!("no measure {other}"),
    }
}

fn combine(aggregate: Aggregate, attributes: usize, weights: &[f64], part: impl Fn(usize) -> f64) -> Vec<f64> {
    let heaviest = weights.iter().copied().fold(0.0, f64::max);
    let parts: Vec<f64> = (0..attributes).map(|j| weights[j] / heaviest * part(j)).collect();
    match aggregate {
        Aggregate::Geometric => {
            let product: f64 = parts.iter().map(|part| (part + 1.0).powf(1.0 / attributes as f64)).product();
            vec![product - 1.0]
        }
        Aggregate::Arithmetic => vec![parts.iter().sum::<f64>() / attributes as f64],
        Aggregate::Sum => vec![parts.iter().sum()],
        Aggregate::Max => vec![parts.iter().copied().fold(0.0, f64::max)],
        Aggregate::Rank => {
            let mut ranked = parts;
            ranked.sort_by(|a, b| b.total_cmp(a));
            ranked
        }
    }
}

/// Rounding may leave a value just below ten decimals that it has.
fn floor_to_ten_decimals(value: f64) -> f64 {
    let nearest = (value * 1e10).round() / 1e10;
    if (value - nearest).abs() <= 4e-15 * value.max(1.0) { nearest } else { (value * 1e10).floor() / 1e10 }
}

fn loss(sample: &Sample, j: usize, level: usize, lines: &Lines, is_kept: &[bool]) -> f64 {
    let g = sample.quality.tenths as f64 / 10.0;
    let generalization = if g <= 0.5 { 1.0 } else { 1.0 - 2.0 * (g - 0.5) };
    let suppression = if g < 0.5 { 2.0 * g } else { 1.0 };
    let (mut amount, mut n) = (0.0, 0.0);
    for (row, &kept) in sample.rows.iter().zip(is_kept).filter(|(row, _)| row.is_released) {
        let (covered, all) = lines.share(lines.label(&row.quasi[j], level), level);
        let share = covered as f64 / all as f64;
        n += 1.0;
        amount += match kept {
            true => share * generalization,
            false if suppression == 1.0 => 1.0,
            false => share + suppression * (1.0 - share),
        };
    }
    let least = generalization * n / lines.share("", 0).1 as f64;
    let range = n - least;
    // A hierarchy of one line has nothing to lose.
    if range == 0.0 { 0.0 } else { floor_to_ten_decimals(((amount - least) / range).max(0.0)) }
}

fn entropy(sample: &Sample, j: usize, level: usize, lines: &Lines, is_kept: &[bool], variant: Option<&str>) -> f64 {
    let mut of_value: BTreeMap<&str, f64> = BTreeMap::new();
    let mut of_label: BTreeMap<&str, f64> = BTreeMap::new();
    let mut of_suppressed: BTreeMap<&str, f64> = BTreeMap::new();
    let released = sample.rows.iter().zip(is_kept).filter(|(row, _)| row.is_released);
    for (row, &kept) in released.clone() {
        let (value, label) = (row.quasi[j].as_str(), lines.label(&row.quasi[j], level));
        *of_value.entry(value).or_default() += 1.0;
        *of_label.entry(label).or_default() += 1.0;
        if !kept {
            *of_suppressed.entry(label).or_default() += 1.0;
        }
    }
    let bits = |(row, _): (&super::Row, &bool)| {
        let value = row.quasi[j].as_str();
        -(of_value[value] / of_label[lines.label(value, level)]).log2()
    };
    let mut sum: f64 = released.clone().map(bits).sum();
    if variant != Some("monotone") {
        let suppressed: f64 = of_suppressed.values().sum();
        sum += of_suppressed.values().map(|count| -count * (count / suppressed).log2()).sum::<f64>();
    }
    if variant == Some("normalized") {
        let n: f64 = of_value.values().sum();
        let whole: f64 = of_value.values().map(|count| -count * (count / n).log2()).sum();
        // A column of one value has no bits to lose.
        return floor_to_ten_decimals(sum) / if whole > 0.0 { whole } else { 1.0 };
    }
    floor_to_ten_decimals(sum)
}
