//! (c,t)-isolation: no released point singles out another by its distance.
//!
//! The released rows are points in the space of their numbers. A point x0 (c,t)-isolates another row x if the ball around x0 with
//! radius c |x0 - x| holds fewer than t rows, those at x0 itself among them (Chawla, Dwork, McSherry, Smith and Wee 2005; here x0 is one
//! of the points, as in Liber 2014). The requirement is that no row is isolated. c is a positive number, t a whole number from 1.
//!
//! A label stands for the middle of the numbers it covers. `attributes` are the quasi-identifiers that make up the space, all numeric
//! ones if left out; with `scale = "range"`, the default, each is divided by the range of its values, so that years do not outweigh
//! children; `"none"` takes the numbers as they are.
//!
//! For one x0 the nearest other row decides whether anything is isolated: the ball grows with the distance, so if it holds t rows for the
//! nearest it does for all. Two rows at one point are each other's nearest, at distance 0, so a point with 2 to t - 1 rows always isolates
//! its own, and one with t rows or more isolates nothing. In general, with r the radius around x0 that takes in t rows, exactly the
//! rows x with c |x0 - x| < r are isolated by x0. If fewer than t rows are left altogether none may be released, a single one included.
//!
//! What is suppressed are the isolated classes, again and again, for others may be isolated once they are gone. Neither monotone nor
//! hereditary: generalizing moves points apart as well as together. Microaggregation into groups of at least t reaches it at once.
//!
//! With a k-d tree, a round takes about n (t + log n) steps for n different points.
//!
//! Ages 30, 31, 32 and 80, with c = 2 and t = 3: 80 is nearest to 32, but the ball around 80 reaches far beyond; 31 is nearest to 30
//! and the ball of radius 2 holds three people. Around 80 nothing is isolated either, as radius 96 takes in all.
//!
//! ```
//! use tamis_privacy::{Classes, Parameters, QuasiFacts, TableFacts, bind};
//! let ages = vec![30.0, 31.0, 32.0, 80.0];
//! let age = QuasiFacts { name: "age".to_owned(), labels: vec![4], numbers: vec![ages] };
//! let facts = TableFacts { quasi: vec![age], ..TableFacts::of_rows(4) };
//! let classes = Classes { levels: vec![0], labels: vec![vec![0, 1, 2, 3]], rows: vec![1; 4], ..Classes::default() };
//! let failing = |c: f64, t: i64| {
//!     let bound = bind("ct-isolation", &Parameters::from([("c", c.into()), ("t", t.into())]), &facts)?;
//!     Ok::<_, tamis_privacy::ModelError>(bound.table[0].failing(&classes, &[true; 4]))
//! };
//! assert!(failing(2.0, 3)?.is_empty());
//! assert_eq!(failing(1.5, 3)?, [1], "30 isolates 31, and so does 32");
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

mod kd_tree;
mod places;

use crate::{
    Bind, Classes, ModelError, ModelKind, ParameterKind, Parameters, QuasiFacts, TableFacts, TableModel, Value,
};
use kd_tree::KdTree;
use places::places;

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "ct-isolation",
    promise: "no ball around a released point, c times as wide as the distance to another row, holds fewer than t rows",
    parameters: &[
        ParameterKind { name: "c", meaning: "how much wider than the distance the ball is, a positive number" },
        ParameterKind { name: "t", meaning: "least number of rows in the ball, a whole number from 1" },
        ParameterKind { name: "attributes", meaning: "the numeric quasi-identifiers; all of them if left out" },
        ParameterKind {
            name: "scale",
            meaning: "\"range\" divides each by the range of its values, \"none\" does not; range if left out",
        },
    ],
    bind: Bind::Table { joint: |_| Vec::new(), bind },
};

/// The k-d tree names an axis by a byte.
const MOST_ATTRIBUTES: usize = 255;

#[derive(Debug)]
struct Isolation {
    c: f64,
    t: u64,
    axes: Vec<Axis>,
}

/// A numeric quasi-identifier.
#[derive(Debug)]
struct Axis {
    name: String,
    quasi: usize,
    /// For each level the place of each label.
    places: Vec<Vec<f64>>,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError> {
    let c = parameters.number(KIND.kind, "c", KIND.parameters[0].meaning, (f64::MIN_POSITIVE, f64::MAX))?;
    let t = parameters.whole(KIND.kind, "t", KIND.parameters[1].meaning, 1)?;
    let is_scaled = match parameters.get("scale") {
        None => true,
        Some(Value::Text(scale)) if scale == "range" => true,
        Some(Value::Text(scale)) if scale == "none" => false,
        Some(other) => {
            let (found, expected) = (other.to_string(), "\"range\" or \"none\"".to_owned());
            return Err(ModelError::BadParameter { kind: KIND.kind, parameter: "scale", found, expected });
        }
    };
    if facts.has_entity {
        return Err(ModelError::RowsAreNotPeople { kind: KIND.kind });
    }
    if t > facts.rows {
        let reason = format!("t = {t} is more than the {} rows of the table; choose t between 1 and {0}", facts.rows);
        return Err(ModelError::Impossible { kind: KIND.kind, reason });
    }
    let numeric = || facts.quasi.iter().filter(|quasi| !quasi.numbers.is_empty()).map(|quasi| quasi.name.clone());
    let names = parameters.texts(KIND.kind, "attributes")?.unwrap_or_else(|| numeric().collect());
    if names.is_empty() || names.len() > MOST_ATTRIBUTES {
        let reason = "it is about points, but no quasi-identifier holds nothing but numbers; give one that does, or another model";
        return Err(ModelError::Impossible { kind: KIND.kind, reason: reason.to_owned() });
    }
    let mut chosen: Vec<(String, usize)> = Vec::new();
    for name in names {
        let known = numeric().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let quasi = facts.quasi(&name).filter(|&quasi| !facts.quasi[quasi].numbers.is_empty());
        let problem = if chosen.iter().any(|(other, _)| *other == name) {
            "is named twice".to_owned()
        } else {
            format!(
                "is no quasi-identifier that holds nothing but numbers; those are {}",
                if known.is_empty() { "none" } else { &known }
            )
        };
        let quasi = quasi.filter(|_| chosen.iter().all(|(other, _)| *other != name)).ok_or_else(|| {
            ModelError::UnusableColumn { kind: KIND.kind, parameter: "attributes", column: name.clone(), problem }
        })?;
        chosen.push((name, quasi));
    }
    let numbers: Vec<&QuasiFacts> = chosen.iter().map(|&(_, quasi)| &facts.quasi[quasi]).collect();
    let places = places(&numbers, is_scaled).map_err(|position| ModelError::UnusableColumn {
        kind: KIND.kind,
        parameter: "attributes",
        column: numbers[position].name.clone(),
        problem:
            "holds numbers that lie too close together beside others that lie too far apart to compare distances; \
                  recode or remove the extreme ones"
                .to_owned(),
    })?;
    let axes = chosen.into_iter().zip(places).map(|((name, quasi), places)| Axis { name, quasi, places }).collect();
    Ok(vec![Box::new(Isolation { c, t, axes })])
}

/// The different points of the kept classes.
struct Points {
    coordinates: Vec<f64>,
    rows: Vec<u64>,
    /// The classes at each point.
    classes: Vec<Vec<u32>>,
}

impl Isolation {
    fn points(&self, classes: &Classes, kept: &[bool]) -> Points {
        let place = |axis: &Axis, class: u32| {
            let label = classes.labels[axis.quasi][class as usize];
            axis.places[classes.levels[axis.quasi]][label as usize]
        };
        let is_released = |&class: &u32| kept[class as usize] && classes.rows[class as usize] > 0;
        let mut placed: Vec<(Vec<f64>, u32)> = (0..classes.len() as u32)
            .filter(is_released)
            .map(|class| (self.axes.iter().map(|axis| place(axis, class)).collect(), class))
            .collect();
        let compare = |left: &[f64], right: &[f64]| {
            left.iter().zip(right).map(|(left, right)| left.total_cmp(right)).find(|order| order.is_ne())
        };
        placed.sort_by(|left, right| compare(&left.0, &right.0).unwrap_or_else(|| left.1.cmp(&right.1)));
        let mut points = Points { coordinates: Vec::new(), rows: Vec::new(), classes: Vec::new() };
        for same in placed.chunk_by(|left, right| compare(&left.0, &right.0).is_none()) {
            points.coordinates.extend(&same[0].0);
            points.rows.push(same.iter().map(|&(_, class)| classes.rows[class as usize]).sum());
            points.classes.push(same.iter().map(|&(_, class)| class).collect());
        }
        points
    }
}

impl TableModel for Isolation {
    fn describe(&self) -> String {
        let names: Vec<&str> = self.axes.iter().map(|axis| axis.name.as_str()).collect();
        format!("no ({},{})-isolation by {}", Value::Number(self.c), self.t, names.join(", "))
    }

    fn failing(&self, classes: &Classes, kept: &[bool]) -> Vec<u32> {
        let points = self.points(classes, kept);
        let dimensions = self.axes.len();
        let tree = KdTree::new(dimensions, &points.coordinates, &points.rows);
        let mut is_isolated = vec![points.rows.iter().sum::<u64>() < self.t; points.rows.len()];
        for (x0, &rows) in points.rows.iter().enumerate().filter(|&(_, &rows)| rows < self.t) {
            let centre = &points.coordinates[x0 * dimensions..][..dimensions];
            let radius = tree.squared_radius(centre, self.t);
            // A point with a single row does not isolate itself: there is no other row at distance 0.
            let itself = is_isolated[x0] || rows > 1;
            tree.within(centre, (self.c * self.c).min(f64::MAX), radius, |x| is_isolated[x as usize] = true);
            is_isolated[x0] = itself;
        }
        let isolated = points.classes.iter().zip(&is_isolated).filter(|&(_, &isolated)| isolated);
        let mut failing: Vec<u32> = isolated.flat_map(|(classes, _)| classes.iter().copied()).collect();
        failing.sort_unstable();
        failing
    }
}
