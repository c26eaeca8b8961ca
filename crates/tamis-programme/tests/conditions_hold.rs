//! Small programmes with every kind of condition: what is scheduled keeps them all, and what is refused has no schedule, both told by
//! looking at the people themselves and at every possible appointment.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use tamis_appointments::{AnonymityVector, Method, SolveOptions};
use tamis_programme::{
    AllowedPairs, ColumnPair, Conditions, Distance, Location, MixingText, People, Programme, ProgrammeError, Sheet,
    Slots,
};
use tamis_source::{ReadOptions, read_table};

#[derive(Debug, Clone)]
struct Person {
    age: u32,
    region: char,
    /// Degrees east on the equator; a degree is 111.195 km.
    east: u32,
    nation: char,
    family: Option<char>,
    /// Slots by the list, empty for people who are not mentioned.
    listed: BTreeSet<usize>,
    fixed: Option<usize>,
}

#[derive(Debug, Clone)]
struct Slot {
    region: char,
    east: u32,
    capacity: u64,
}

fn region() -> impl Strategy<Value = char> {
    prop::sample::select(vec!['N', 'N', 'S'])
}

fn person() -> impl Strategy<Value = Person> {
    let family = prop::option::weighted(0.4, prop::sample::select(vec!['p', 'q']));
    let company = (prop::sample::select(vec!['h', 'h', 'x', 'y']), family);
    let lists = (prop::collection::btree_set(0_usize..3, 0..3), prop::option::weighted(0.1, 0_usize..3));
    ((0_u32..2, region(), 0_u32..3), company, lists).prop_map(
        |((age, region, east), (nation, family), (listed, fixed))| Person {
            age,
            region,
            east,
            nation,
            family,
            listed,
            fixed,
        },
    )
}

fn slot() -> impl Strategy<Value = Slot> {
    (region(), 0_u32..3, 1_u64..5).prop_map(|(region, east, capacity)| Slot { region, east, capacity })
}

/// The conditions that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Region,
    Distance,
    Allowed,
    Fixed,
    Together,
    Share,
    Distinct,
}

const ALL: [Asked; 7] =
    [Asked::Region, Asked::Distance, Asked::Allowed, Asked::Fixed, Asked::Together, Asked::Share, Asked::Distinct];

/// Whether appointments keep everything that is asked, said as plainly as can be.
fn is_kept(asked: &[Asked], people: &[Person], slots: &[Slot], appointed: &[usize]) -> bool {
    let is_asked = |condition| asked.contains(&condition);
    let placed = || people.iter().zip(appointed);
    let goes_where_it_may = placed().all(|(person, &at)| {
        (!is_asked(Asked::Region) || person.region == slots[at].region)
            && (!is_asked(Asked::Distance) || person.east.abs_diff(slots[at].east) <= 1)
            && (!is_asked(Asked::Allowed) || person.listed.is_empty() || person.listed.contains(&at))
            && (!is_asked(Asked::Fixed) || person.fixed.is_none_or(|fixed| fixed == at))
    });
    let stays_together = !is_asked(Asked::Together)
        || placed().all(|(person, at)| {
            placed().all(|(other, there)| person.family.is_none() || person.family != other.family || at == there)
        });
    let meets = (0..slots.len()).all(|slot| {
        let nations: Vec<char> = placed().filter(|&(_, &at)| at == slot).map(|(person, _)| person.nation).collect();
        let foreign: Vec<char> = nations.iter().copied().filter(|&nation| nation != 'h').collect();
        let kinds: BTreeSet<char> = foreign.iter().copied().collect();
        nations.len() as u64 <= slots[slot].capacity
            && (!is_asked(Asked::Share) || foreign.len() * 2 <= nations.len())
            && (!is_asked(Asked::Distinct) || kinds.is_empty() || kinds.len() >= 2)
    });
    goes_where_it_may && stays_together && meets
}

/// All ways to appoint so many people to so many slots.
fn all_appointments(people: usize, slots: usize) -> impl Iterator<Item = Vec<usize>> {
    let ways = slots.pow(people as u32);
    (0..ways).map(move |number| (0..people).map(|at| number / slots.pow(at as u32) % slots).collect())
}

fn sheet(directory: &Path, name: &str, text: &str) -> Result<Sheet, ProgrammeError> {
    let path = directory.join(name);
    std::fs::write(&path, text).expect("a written file");
    Sheet::read(&path, &ReadOptions::default(), None)
}

fn programme(
    directory: &Path,
    asked: &[Asked],
    people: &[Person],
    slots: &[Slot],
) -> Result<Programme, ProgrammeError> {
    let is_asked = |condition| asked.contains(&condition);
    let mut listed = "id,slot\n".to_owned();
    let mut text = "id,age,home,lat,lon,nation,family,fixed\n".to_owned();
    for (id, one) in people.iter().enumerate() {
        let family = one.family.map(String::from).unwrap_or_default();
        let fixed = one.fixed.map(|slot| format!("s{slot}")).unwrap_or_default();
        let (age, region, east, nation) = (one.age, one.region, one.east, one.nation);
        let _ = writeln!(text, "p{id},{age},{region},0,{east},{nation},{family},{fixed}");
        listed.extend(one.listed.iter().map(|slot| format!("p{id},s{slot}\n")));
    }
    let people = People::new(sheet(directory, "people.csv", &text)?, &["age".to_owned()], Some("id"))?;
    let mut text = "slot,region,north,east,places\n".to_owned();
    for (number, slot) in slots.iter().enumerate() {
        let _ = writeln!(text, "s{number},{},0,{},{}", slot.region, slot.east, slot.capacity);
    }
    let slots = Slots::new(sheet(directory, "slots.csv", &text)?, "places", Some("slot"))?;
    let mut conditions = Conditions::default();
    if is_asked(Asked::Allowed) && listed.lines().count() > 1 {
        let sheet = sheet(directory, "allowed.csv", &listed)?;
        conditions.allowed = Some(AllowedPairs { sheet, unlisted_anywhere: true });
    }
    if is_asked(Asked::Region) {
        conditions.regions.extend("home=region".parse::<ColumnPair>());
    }
    if is_asked(Asked::Distance) {
        let location = |text: &str| text.parse::<Location>().expect("two columns");
        conditions.distance =
            Some(Distance { kilometres: 112.0, people: location("lat,lon"), slots: location("north,east") });
    }
    if is_asked(Asked::Share) {
        conditions.mixing.extend(MixingText::share("nation!=h:0.5"));
    }
    if is_asked(Asked::Distinct) {
        conditions.mixing.extend(MixingText::distinct("nation!=h:2"));
    }
    conditions.fixed = is_asked(Asked::Fixed).then(|| "fixed".to_owned());
    conditions.together = is_asked(Asked::Together).then(|| "family".to_owned());
    Programme::new(people, slots, conditions)
}

fn any_method() -> impl Strategy<Value = Method> {
    use Method::{Authors, Exact, Greatest, Half, Heuristic, Random};
    prop::sample::select(vec![Exact, Heuristic, Greatest, Half, Authors, Random])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_keeps_the_conditions_and_what_is_refused_cannot_be_kept(
        people in prop::collection::vec(person(), 1..7),
        slots in prop::collection::vec(slot(), 3),
        asked in prop::sample::subsequence(ALL.to_vec(), 0..5),
        seed in 0_u64..1000,
        method in any_method(),
    ) {
        let speaks_of_home = asked.iter().any(|asked| matches!(asked, Asked::Share | Asked::Distinct));
        prop_assume!(!speaks_of_home || people.iter().any(|person| person.nation == 'h'));
        let directory = tempfile::tempdir().expect("a directory");
        let options = SolveOptions { seed, ..SolveOptions::default() };
        let solved = programme(directory.path(), &asked, &people, &slots)
            .and_then(|programme| programme.solve(method, &options).map(|solution| (programme, solution)));
        match solved {
            Err(error) => {
                let mut all = all_appointments(people.len(), slots.len());
                let kept = all.find(|all| is_kept(&asked, &people, &slots, all));
                prop_assert_eq!(kept, None, "{}", error);
            }
            Ok((programme, solution)) => {
                let appointments = programme.appoint(&solution.schedule, seed);
                let appointed: Vec<usize> = (0..people.len()).map(|row| appointments.slot(row)).collect();
                prop_assert!(is_kept(&asked, &people, &slots, &appointed), "{appointed:?}");
                let mut cells: BTreeMap<(u32, usize), u64> = BTreeMap::new();
                for (person, &slot) in people.iter().zip(&appointed) {
                    *cells.entry((person.age, slot)).or_insert(0) += 1;
                }
                prop_assert_eq!(&AnonymityVector::of_sizes(cells.into_values()), &solution.vector);
                let path = directory.path().join("out.csv");
                programme.write(&path, &appointments, "").expect("written");
                let written = read_table(&path, &ReadOptions::default()).expect("a table");
                for (row, slot) in appointed.iter().enumerate() {
                    prop_assert_eq!(written.column("id").expect("ids").text(row), format!("p{row}"));
                    prop_assert_eq!(written.column("slot").expect("slots").text(row), format!("s{slot}"));
                }
            }
        }
    }
}

/// People alike become one unit: families by composition, values that no rule names as one.
#[test]
fn as_few_units_as_can_be() -> Result<(), ProgrammeError> {
    let directory = tempfile::tempdir().expect("a directory");
    let text = "age,nation,family\n1,h,a\n2,x,a\n2,y,b\n1,h,b\n1,h,\n1,h,c\n1,h,\n2,z,\n";
    let people = sheet(directory.path(), "people.csv", text)?;
    let slots = sheet(directory.path(), "slots.csv", "at,places\n9,8\n10,8\n")?;
    let units = |rule: Option<MixingText>| -> Result<Vec<(usize, u64)>, ProgrammeError> {
        let conditions = Conditions {
            together: Some("family".to_owned()),
            mixing: rule.into_iter().collect(),
            ..Conditions::default()
        };
        let people = People::new(people.clone(), &["age".to_owned()], None)?;
        let programme = Programme::new(people, Slots::new(slots.clone(), "places", None)?, conditions)?;
        Ok(programme.instance().units.iter().map(|unit| (unit.members.len(), unit.count)).collect())
    };
    // Families a and b are alike, c is a person like the two without a family.
    assert_eq!(units(None)?, [(2, 2), (1, 3), (1, 1)]);
    assert_eq!(units(MixingText::share("nation!=h:0.9").ok())?, [(2, 2), (1, 3), (1, 1)]);
    assert_eq!(units(MixingText::share("nation:0.9").ok())?, [(2, 1), (2, 1), (1, 3), (1, 1)]);
    Ok(())
}
