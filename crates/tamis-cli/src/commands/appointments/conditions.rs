//! The flags that say where people may go and whom they may meet.

use super::super::read_options;
use crate::answer::CommandError;
use crate::args::InputArgs;
use clap::Args;
use std::path::{Path, PathBuf};
use tamis_programme::{AllowedPairs, ColumnPair, Conditions, Distance, Location, MixingText, Sheet, Slots};
use tamis_source::ReadOptions;

/// The slots of a programme.
#[derive(Debug, Args)]
pub(crate) struct SlotArgs {
    /// The table of slots: what describes each, and how many people it takes
    #[arg(long, value_name = "FILE")]
    pub(super) slots: PathBuf,
    /// The column of the slots that says how many people each takes
    #[arg(long, value_name = "COLUMN")]
    capacity: String,
    /// The column that names slots, each another
    #[arg(long, value_name = "COLUMN")]
    slot_id: Option<String>,
    /// Put this before the names of the slots' columns where they join the people's
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) slot_prefix: String,
}

impl SlotArgs {
    pub(super) fn read(&self, input: &InputArgs) -> Result<Slots, CommandError> {
        let sheet = Sheet::read(&self.slots, &beside(input)?, None)?;
        Ok(Slots::new(sheet, &self.capacity, self.slot_id.as_deref())?)
    }
}

/// How files beside the people's are read. What separates their fields is found out anew: they may come from another program.
fn beside(input: &InputArgs) -> Result<ReadOptions, CommandError> {
    Ok(ReadOptions { delimiter: None, ..read_options(input)? })
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct ConditionArgs {
    /// People only go to slots with their own value of these columns, which splits them into independent programmes
    #[arg(long, visible_alias = "programme", value_delimiter = ',', value_name = "COLUMN|PEOPLE=SLOTS")]
    region: Vec<ColumnPair>,
    /// People only go to slots within so many kilometres
    #[arg(allow_negative_numbers = true, long, value_name = "KM", requires = "people_location")]
    max_distance: Option<f64>,
    /// The columns with people's latitude and longitude, in degrees
    #[arg(long, value_name = "LAT,LON", requires = "max_distance")]
    people_location: Option<Location>,
    /// The columns with slots' latitude and longitude; as people's if left out
    #[arg(long, value_name = "LAT,LON", requires = "max_distance")]
    slot_location: Option<Location>,
    /// People only go where this table lets them: columns of the people, and columns of the slots they may go to
    #[arg(long, value_name = "FILE")]
    allowed: Option<PathBuf>,
    /// People whom --allowed does not mention may go anywhere, instead of being an error
    #[arg(long, requires = "allowed")]
    unlisted_anywhere: bool,
    /// People with the same value of this column go together; those without a value go alone
    #[arg(long, value_name = "COLUMN")]
    pub(super) together: Option<String>,
    /// In every slot at most this share has such a value: of each value, of one (=) or of all but one (!=); may be repeated
    #[arg(long, value_name = "COLUMN[[!]=VALUE]:SHARE", value_parser = MixingText::share)]
    max_share: Vec<MixingText>,
    /// Every slot that holds such people holds at least so many different values of theirs; may be repeated
    #[arg(long, value_name = "COLUMN[!=VALUE]:NUMBER", value_parser = MixingText::distinct)]
    min_distinct: Vec<MixingText>,
}

impl ConditionArgs {
    pub(super) fn read(&self, fixed: Option<&str>, input: &InputArgs) -> Result<Conditions, CommandError> {
        let distance = self.max_distance.zip(self.people_location.clone()).map(|(kilometres, people)| Distance {
            kilometres,
            slots: self.slot_location.clone().unwrap_or_else(|| people.clone()),
            people,
        });
        let allowed = match &self.allowed {
            None => None,
            Some(path) => Some(AllowedPairs {
                sheet: Sheet::read(path, &beside(input)?, None)?,
                unlisted_anywhere: self.unlisted_anywhere,
            }),
        };
        Ok(Conditions {
            regions: self.region.clone(),
            distance,
            allowed,
            fixed: fixed.map(str::to_owned),
            together: self.together.clone(),
            mixing: self.max_share.iter().chain(&self.min_distinct).cloned().collect(),
        })
    }

    /// The columns of the slots that say where they lie, which nobody reads to know a slot.
    pub(super) fn slot_location(&self) -> Option<&Location> {
        self.slot_location.as_ref().or(self.people_location.as_ref())
    }

    /// The files that are read for the conditions.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.allowed.iter().map(PathBuf::as_path)
    }
}
