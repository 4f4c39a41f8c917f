//! Imports of talents and licenses from spreadsheets. A file is checked first: every wrong cell is
//! named, and nothing is stored but the rows themselves. Each row is read again when it is imported.

mod cell;
mod column;
mod license;
mod talent;

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

pub use self::column::{Cells, Columns};
pub use self::license::{LicenseRow, TalentName};
pub use self::talent::TalentRow;
use crate::enum_names::enum_names;
use crate::error::Error;

enum_names!(ImportKind, Duplicates);

/// The maximum size of a file in bytes: 5 MB.
pub const MAX_BYTES: usize = 5_000_000;

/// The maximum number of rows, without the header.
pub const MAX_ROWS: usize = 10_000;

/// The maximum number of columns.
pub const MAX_COLUMNS: usize = 100;

/// The maximum number of characters in a cell.
pub const MAX_CELL: usize = 10_000;

/// What is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ImportKind {
    /// Talents.
    Talents,
    /// Licenses of talents that exist.
    Licenses,
}

impl ImportKind {
    /// The names of all columns, in the order of the sample.
    #[must_use]
    pub fn columns(self) -> Vec<&'static str> {
        column::known(self).iter().map(|it| it.label).collect()
    }

    /// The rows of the sample file, without the header.
    #[must_use]
    pub fn sample(self) -> Vec<Vec<&'static str>> {
        let column = |at: usize| column::known(self).iter().map(move |it| it.samples[at]);
        vec![column(0).collect(), column(1).collect()]
    }
}

/// What happens to a row whose external ID a record already has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Duplicates {
    /// The record is left as it is.
    #[default]
    Skip,
    /// The record gets the values of the row. Empty cells change nothing.
    Update,
}

/// A row of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRow {
    /// The number that spreadsheet programs show. The header is usually row 1.
    pub row: u32,
    /// The cells, as many as the header has.
    pub cells: Vec<String>,
}

/// A wrong cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellProblem {
    /// The number of the row.
    pub row: u32,
    /// The name of the column.
    pub column: String,
    /// What is wrong with it.
    pub problem: String,
}

impl fmt::Display for CellProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row {}, {}: {}", self.row, self.column, self.problem)
    }
}

/// The problems of a row, by column, in the order of the sample's columns.
#[must_use]
pub fn problems_of(kind: ImportKind, row: u32, error: &Error) -> Vec<CellProblem> {
    let order = kind.columns();
    let place = |it: &CellProblem| order.iter().position(|name| *name == it.column);
    let problem = |(column, problem): (&String, &String)| CellProblem {
        row,
        column: column.clone(),
        problem: problem.clone(),
    };
    let mut problems: Vec<_> = error.fields().iter().map(problem).collect();
    problems.sort_by_key(|it| place(it).unwrap_or(usize::MAX));
    problems
}

/// A checked file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportPlan {
    /// What is imported.
    pub kind: ImportKind,
    /// The columns of the file.
    pub columns: Columns,
    /// What happens to rows whose external ID a record already has.
    pub duplicates: Duplicates,
    /// How many rows create a record.
    pub creates: u32,
    /// How many rows have the external ID of a record.
    pub known: u32,
    /// How many rows are wrong.
    pub wrong: u32,
    /// How many cells are wrong.
    pub wrong_cells: u32,
    /// How many records the organization's plan still has room for; `None` without a limit.
    pub room: Option<u64>,
}

impl ImportPlan {
    /// A plan without any row.
    #[must_use]
    pub fn new(kind: ImportKind, columns: Columns) -> Self {
        Self {
            kind,
            columns,
            duplicates: Duplicates::default(),
            creates: 0,
            known: 0,
            wrong: 0,
            wrong_cells: 0,
            room: None,
        }
    }

    /// Adds a row that creates a record, or has the external ID of one.
    pub fn add(&mut self, known: bool) {
        let counted = if known { &mut self.known } else { &mut self.creates };
        *counted = counted.saturating_add(1);
    }

    /// Adds a wrong row.
    pub fn add_wrong(&mut self, problems: &[CellProblem]) {
        self.wrong = self.wrong.saturating_add(1);
        let count = u32::try_from(problems.len()).unwrap_or(u32::MAX);
        self.wrong_cells = self.wrong_cells.saturating_add(count);
    }

    /// How many rows would be created beyond what the plan has room for.
    #[must_use]
    pub fn beyond_plan(&self) -> u64 {
        self.room.map_or(0, |room| u64::from(self.creates).saturating_sub(room))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_its_row_and_column() {
        let error = Error::field("Fee", "must be an amount such as 1,500 or 1.500,00");
        let problems = problems_of(ImportKind::Licenses, 14, &error);
        let shown: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["Row 14, Fee: must be an amount such as 1,500 or 1.500,00"]);
    }

    #[test]
    fn rows_and_wrong_cells_are_counted() {
        let header = ["Name".to_owned()];
        let columns = Columns::read(ImportKind::Talents, &header).unwrap();
        let mut plan = ImportPlan::new(ImportKind::Talents, columns);
        for row in 2..152 {
            let error = Error::field("Name", "must be 2 to 100 characters");
            plan.add_wrong(&problems_of(ImportKind::Talents, row, &error));
        }
        plan.add(false);
        plan.add(true);
        assert_eq!((plan.wrong, plan.wrong_cells), (150, 150));
        assert_eq!((plan.creates, plan.known, plan.beyond_plan()), (1, 1, 0));
        plan.room = Some(0);
        assert_eq!(plan.beyond_plan(), 1);
        let stored = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<ImportPlan>(&stored).unwrap(), plan);
    }

    #[test]
    fn the_sample_is_correct() {
        let now = crate::Timestamp::from_secs(1_800_000_000);
        for kind in ImportKind::ALL {
            let header: Vec<_> = kind.columns().into_iter().map(str::to_owned).collect();
            let columns = Columns::read(kind, &header).unwrap();
            for (row, cells) in (2..).zip(kind.sample()) {
                let cells = cells.into_iter().map(str::to_owned).collect();
                let row = ImportRow { row, cells };
                let cells = columns.cells(&row);
                match kind {
                    ImportKind::Talents => assert!(TalentRow::parse(&cells).is_ok()),
                    ImportKind::Licenses => {
                        let row = LicenseRow::parse(&cells, false).unwrap();
                        assert!(row.new_license(now).is_ok());
                    }
                }
            }
        }
    }
}
