//! All that is stored, row by row, to see whether anything changed.

use std::collections::BTreeSet;
use std::path::Path;

use grantor_storage::backup;
use grantor_testkit::app::TestApp;

use super::world::Tenancy;

/// Tables of what merely came by: that somebody asked is noted even where they are refused.
/// A site that was asked is left alone for a moment.
const PASSING: [&str; 2] = ["log_entries", "scan_hosts"];

/// Rows, each behind the name of its table.
pub(in crate::security) struct Dump(BTreeSet<String>);

impl Dump {
    pub(in crate::security) async fn of(app: &TestApp) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("dump");
        let now = app.app.clock.now();
        let (store, objects) = (&app.database.store, &app.app.objects);
        backup::export(store, objects, target.clone(), Vec::new(), now).await.expect("a dump");
        let tables = std::fs::read_dir(target.join("tables")).expect("tables");
        Self(tables.flat_map(|it| rows(&it.expect("a table").path())).collect())
    }

    /// The rows of one tenant: those that name it, its people or its records.
    pub(super) fn of_tenancy(&self, tenancy: &Tenancy) -> Self {
        let word = tenancy.word.to_lowercase();
        let ids: Vec<String> = tenancy.records.ids().map(|it| it.replace('-', "")).collect();
        let organization = format!("\"{}\"", tenancy.records.id("organization").replace('-', ""));
        let tenant = format!("log_entries [{organization}");
        let theirs = |row: &&String| {
            if row.starts_with("log_entries") {
                return row.starts_with(&tenant);
            }
            // Others are told what they were granted.
            if row.starts_with("notices") {
                return row.contains(&organization);
            }
            // Others may keep at hand what they were granted.
            let named = !row.starts_with("bookmarks") && ids.iter().any(|id| row.contains(id));
            named || row.to_lowercase().contains(&word)
        };
        Self(self.0.iter().filter(theirs).cloned().collect())
    }

    /// What is in one and not in the other.
    pub(in crate::security) fn differences(&self, other: &Self) -> Vec<String> {
        let gone = self.0.difference(&other.0).map(|row| format!("- {row}"));
        let new = other.0.difference(&self.0).map(|row| format!("+ {row}"));
        gone.chain(new).collect()
    }

    /// The same without what merely came by.
    pub(super) fn changes(&self, other: &Self) -> Vec<String> {
        let passing = |row: &String| PASSING.iter().any(|table| row[2..].starts_with(table));
        self.differences(other).into_iter().filter(|row| !passing(row)).collect()
    }
}

fn rows(path: &Path) -> Vec<String> {
    let table = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).expect("rows");
    text.lines().map(|line| format!("{table} {line}")).collect()
}
