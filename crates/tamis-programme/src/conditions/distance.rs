//! People only go to slots within so many kilometres.

use super::Restriction;
use crate::sheet::{Sheet, number_rows};
use crate::{People, ProgrammeError, Slots};
use std::collections::HashMap;
use std::str::FromStr;
use tamis_appointments::Allowed;

/// How far people may be sent, and which columns say where people and slots are.
#[derive(Debug, Clone, PartialEq)]
pub struct Distance {
    /// The greatest distance, along a great circle.
    pub kilometres: f64,
    /// Where people live.
    pub people: Location,
    /// Where slots are.
    pub slots: Location,
}

/// The columns of a latitude and a longitude in degrees: `LAT,LON`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The column with degrees north, from -90 to 90.
    pub latitude: String,
    /// The column with degrees east, from -180 to 180.
    pub longitude: String,
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(',') {
            Some((latitude, longitude))
                if ![latitude, longitude].iter().any(|name| name.is_empty() || name.contains(',')) =>
            {
                Ok(Self { latitude: latitude.to_owned(), longitude: longitude.to_owned() })
            }
            _ => Err(format!("`{text}` is not a pair of columns; write LATITUDE,LONGITUDE")),
        }
    }
}

/// The mean radius of the Earth.
const EARTH_KILOMETRES: f64 = 6371.0088;

/// A place as a point on the unit sphere: comparing straight lines between points spares trigonometry for every pair of places, and
/// is exact for neighbours where the arc cosine is not.
#[derive(Debug, Clone, Copy)]
struct Point([f64; 3]);

impl Point {
    fn of_degrees(latitude: f64, longitude: f64) -> Self {
        let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
        Self([latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()])
    }

    /// The square of the straight line to another point.
    fn line_squared(self, other: Self) -> f64 {
        self.0.iter().zip(other.0).map(|(a, b)| (a - b) * (a - b)).sum()
    }
}

/// The square of the straight line between points that are so many kilometres apart on the sphere.
fn line_squared_of(kilometres: f64) -> f64 {
    let angle = (kilometres / EARTH_KILOMETRES).min(std::f64::consts::PI);
    // A nanometre of tolerance, so that a distance that is exactly the limit is within it.
    let line = 2.0 * (angle / 2.0).sin() + 1e-16;
    line * line
}

impl Distance {
    /// Slots nearby. Linear in people, times the number of different places that slots have.
    pub(super) fn restrict(&self, people: &People, slots: &Slots) -> Result<Restriction, ProgrammeError> {
        if !(0.0..=f64::MAX).contains(&self.kilometres) {
            return Err(ProgrammeError::Invalid(format!(
                "--max-distance is {}; expected kilometres, 0 or more",
                self.kilometres
            )));
        }
        let homes = Places::read(&people.sheet, &self.people)?;
        let centres = Places::read(&slots.sheet, &self.slots)?;
        let limit = line_squared_of(self.kilometres);
        let mut class_of_centres: HashMap<Vec<bool>, u32> = HashMap::new();
        let mut slots_of_class = Vec::new();
        let mut is_near = vec![false; centres.points.len()];
        let mut class_of_home = Vec::with_capacity(homes.points.len());
        for home in &homes.points {
            for (is_near, centre) in is_near.iter_mut().zip(&centres.points) {
                *is_near = home.line_squared(*centre) <= limit;
            }
            let class = class_of_centres.get(&is_near).copied().unwrap_or_else(|| {
                let near = (0..slots.count()).filter(|&slot| is_near[centres.place_of_row[slot] as usize]);
                slots_of_class.push(Allowed::Only(near.collect()));
                class_of_centres.insert(is_near.clone(), slots_of_class.len() as u32 - 1);
                slots_of_class.len() as u32 - 1
            });
            class_of_home.push(class);
        }
        let class_of_row = homes.place_of_row.iter().map(|&place| class_of_home[place as usize]).collect();
        Ok(Restriction { name: format!("--max-distance {}", self.kilometres), class_of_row, slots_of_class })
    }
}

/// The different places of a file.
struct Places {
    place_of_row: Vec<u32>,
    points: Vec<Point>,
}

impl Places {
    fn read(sheet: &Sheet, location: &Location) -> Result<Self, ProgrammeError> {
        let columns = [sheet.column(&location.latitude)?, sheet.column(&location.longitude)?];
        let (place_of_row, first_rows) = number_rows(sheet.rows(), &columns);
        let degrees = |row: usize, at: usize, limit: f64| {
            let text = columns[at].text(row);
            let number = text.trim().parse().ok().filter(|degrees: &f64| degrees.abs() <= limit);
            number.ok_or_else(|| {
                ProgrammeError::Invalid(format!(
                    "{}: `{}` is `{text}`; expected degrees from -{limit} to {limit} with a decimal point",
                    sheet.place(row),
                    columns[at].name()
                ))
            })
        };
        let point = |&row: &u32| {
            let row = row as usize;
            Ok(Point::of_degrees(degrees(row, 0, 90.0)?, degrees(row, 1, 180.0)?))
        };
        let points = first_rows.iter().map(point).collect::<Result<_, ProgrammeError>>()?;
        Ok(Self { place_of_row, points })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The haversine formula, as textbooks give it.
    fn haversine([from_lat, from_lon]: [f64; 2], [to_lat, to_lon]: [f64; 2]) -> f64 {
        let half = |a: f64, b: f64| ((b - a).to_radians() / 2.0).sin().powi(2);
        let chord =
            half(from_lat, to_lat) + from_lat.to_radians().cos() * to_lat.to_radians().cos() * half(from_lon, to_lon);
        2.0 * EARTH_KILOMETRES * chord.sqrt().min(1.0).asin()
    }

    proptest! {
        #[test]
        fn near_is_what_the_haversine_formula_says(
            from in (-90.0..90.0_f64, -180.0..180.0_f64),
            to in (-90.0..90.0_f64, -180.0..180.0_f64),
            kilometres in 0.0..25_000.0_f64,
        ) {
            let distance = haversine(from.into(), to.into());
            prop_assume!((distance - kilometres).abs() > 1e-3);
            let line = Point::of_degrees(from.0, from.1).line_squared(Point::of_degrees(to.0, to.1));
            prop_assert_eq!(line <= line_squared_of(kilometres), distance <= kilometres);
        }
    }

    #[test]
    fn oslo_is_305_kilometres_from_bergen() {
        let (oslo, bergen) = (Point::of_degrees(59.9139, 10.7522), Point::of_degrees(60.3913, 5.3221));
        let line = oslo.line_squared(bergen);
        assert!(line > line_squared_of(304.0) && line < line_squared_of(307.0));
        assert!(oslo.line_squared(oslo) <= line_squared_of(0.0));
    }
}
