//! Checks rows: what each cell says, and which records it names.

use std::collections::{HashMap, HashSet};

use grantor_domain::batch::BatchProblem;
use grantor_domain::id::{LicenseId, TalentId, TenantId};
use grantor_domain::import::{
    Cells, Columns, ImportKind, ImportPlan, ImportRow, LicenseRow, TalentName, TalentRow,
    problems_of,
};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{Tx, license, talent, talent_external_id};

use crate::App;
use crate::identity::access::Caller;
use crate::organizations::usage;

/// A checked file.
pub(super) struct Checked {
    pub(super) plan: ImportPlan,
    pub(super) rows: Vec<ImportRow>,
    /// What is wrong, one for each wrong row.
    pub(super) problems: Vec<BatchProblem>,
}

/// The records of a tenant that rows name.
#[derive(Default)]
pub(super) struct Known {
    talents: HashMap<String, TalentId>,
    named: HashMap<String, Vec<TalentId>>,
    licenses: HashMap<String, LicenseId>,
}

impl Known {
    /// Looks up all records that these rows name.
    pub(super) fn load(
        tx: &mut Tx<'_>,
        tenant: TenantId,
        (kind, columns): (ImportKind, &Columns),
        rows: &[ImportRow],
    ) -> Result<Self> {
        let all = |label: &str| {
            let texts = rows.iter().filter_map(|it| columns.cells(it).get(label));
            texts.map(str::to_owned).collect::<HashSet<_>>().into_iter().collect::<Vec<_>>()
        };
        let mut known = Self::default();
        let (ids, names) = match kind {
            ImportKind::Talents => (all("External ID"), vec![]),
            ImportKind::Licenses => (all("Talent external ID"), all("Talent")),
        };
        known.talents.extend(talent_external_id::find_all(tx, tenant, &ids)?);
        for (name, id) in talent::find_by_fullname(tx, tenant, &names)? {
            known.named.entry(name).or_default().push(id);
        }
        if kind == ImportKind::Licenses {
            let ids = all("External ID");
            known.licenses.extend(license::find_own_by_external_id(tx, tenant, &ids)?);
        }
        Ok(known)
    }

    /// The talent that a row of talents has the external ID of.
    pub(super) fn talent_of(&self, cells: &Cells<'_>) -> Option<TalentId> {
        self.talents.get(cells.get("External ID")?).copied()
    }

    /// The license that a row of licenses has the external ID of.
    pub(super) fn license_of(&self, cells: &Cells<'_>) -> Option<LicenseId> {
        self.licenses.get(cells.get("External ID")?).copied()
    }

    /// The talent that a row of licenses names.
    pub(super) fn find_talent(&self, name: &TalentName) -> Result<TalentId> {
        match name {
            TalentName::ExternalId(id) => self.talents.get(id).copied().ok_or_else(|| {
                let id = short(id);
                let message = format!("no talent has the ID “{id}”; import the talents first");
                Error::field("Talent external ID", message)
            }),
            TalentName::Fullname(name) => match self.named.get(name).map(Vec::as_slice) {
                Some([only]) => Ok(*only),
                None | Some([]) => {
                    let name = short(name);
                    let message = format!("no talent is named “{name}”; import the talents first");
                    Err(Error::field("Talent", message))
                }
                Some(_) => {
                    let name = short(name);
                    let message = format!(
                        "several talents are named “{name}”; use Talent external ID instead"
                    );
                    Err(Error::field("Talent", message))
                }
            },
        }
    }
}

/// What a cell says, in one line that is not too long for a message.
fn short(cell: &str) -> String {
    cell.chars().filter(|it| !it.is_control()).take(100).collect()
}

/// Checks all rows of a file.
pub(super) async fn check_rows(
    app: &App,
    caller: &Caller,
    kind: ImportKind,
    columns: Columns,
    rows: Vec<ImportRow>,
) -> Result<Checked> {
    let (own, tenant, now) = (app.clone(), caller.tenant, app.clock.now());
    let what = match kind {
        ImportKind::Talents => LimitedResource::Talents,
        ImportKind::Licenses => LimitedResource::Licenses,
    };
    let rows: Vec<_> = rows.into_iter().filter(|it| !columns.cells(it).is_empty()).collect();
    if rows.is_empty() {
        return Err(Error::field("file", "has no text in the columns that are imported"));
    }
    app.store
        .read(move |tx| {
            let known = Known::load(tx, tenant, (kind, &columns), &rows)?;
            let mut plan = ImportPlan::new(kind, columns.clone());
            plan.room = usage::left(&own, tx, tenant, what)?;
            let problems = check_all(&mut plan, &known, &rows, now);
            Ok(Checked { plan, rows: rows.clone(), problems })
        })
        .await
}

fn check_all(
    plan: &mut ImportPlan,
    known: &Known,
    rows: &[ImportRow],
    now: Timestamp,
) -> Vec<BatchProblem> {
    let mut problems = Vec::new();
    let mut first_rows: HashMap<String, u32> = HashMap::new();
    let columns = plan.columns.clone();
    for (item, row) in (0..).zip(rows) {
        let cells = columns.cells(row);
        let checked = check_once(&cells, row.row, &mut first_rows)
            .and_then(|()| check_row(plan.kind, known, &cells, now));
        match checked {
            Ok(exists) => plan.add(exists),
            Err(error) => {
                let wrong = problems_of(plan.kind, row.row, &error);
                plan.add_wrong(&wrong);
                let problem = explain(plan.kind, &error);
                problems.push(BatchProblem { item, name: format!("Row {}", row.row), problem });
            }
        }
    }
    problems
}

/// Refuses an external ID that an earlier row has.
fn check_once(cells: &Cells<'_>, row: u32, first_rows: &mut HashMap<String, u32>) -> Result<()> {
    let Some(id) = cells.get("External ID") else { return Ok(()) };
    if let Some(first) = first_rows.get(id) {
        return Err(Error::field("External ID", format!("is also in row {first}")));
    }
    first_rows.insert(id.to_owned(), row);
    Ok(())
}

/// Checks a row. Returns whether a record has its external ID.
fn check_row(kind: ImportKind, known: &Known, cells: &Cells<'_>, now: Timestamp) -> Result<bool> {
    match kind {
        ImportKind::Talents => {
            TalentRow::parse(cells)?;
            Ok(known.talent_of(cells).is_some())
        }
        ImportKind::Licenses => {
            let exists = known.license_of(cells).is_some();
            let row = LicenseRow::parse(cells, exists)?;
            if exists {
                row.change()?;
                return Ok(true);
            }
            row.new_license(now)?;
            let talent =
                row.talent.as_ref().ok_or_else(|| Error::field("Talent", "is required"))?;
            known.find_talent(talent)?;
            Ok(false)
        }
    }
}

/// What is wrong with a row: one line for each column.
pub(super) fn explain(kind: ImportKind, error: &Error) -> String {
    let wrong = problems_of(kind, 0, error);
    if wrong.is_empty() {
        return error.message().to_owned();
    }
    let words: Vec<_> =
        wrong.into_iter().map(|it| format!("{}: {}", it.column, it.problem)).collect();
    words.join("\n")
}
