//! Growth of the whole server: a job counts each record once, and a read adds those that are newer.

use std::collections::BTreeMap;
use std::time::Duration;

use grantor_domain::Result;
use grantor_domain::growth::{GrowthKind, first_id_at};
use grantor_storage::Tx;
use grantor_storage::growth::{self, Days};
use uuid::Uuid;

use crate::App;

/// How many days a growth covers, including today.
pub const DAYS: u16 = 30;

/// Records younger than this are not counted yet: their changes may still be running, on any node.
const SETTLED: Duration = Duration::from_mins(2);

const DAY_SECONDS: i64 = 86_400;

/// How many records of a kind were created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growth {
    /// In total.
    pub total: u64,
    /// On each of the last [`DAYS`] days, oldest first.
    pub days: Vec<u64>,
}

impl Growth {
    /// How many were created in the last [`DAYS`] days.
    #[must_use]
    pub fn recent(&self) -> u64 {
        self.days.iter().sum()
    }
}

/// The growth of each kind of record.
pub type AllGrowth = BTreeMap<GrowthKind, Growth>;

/// Counts what was created since the last run and returns how many records there were. Nodes may
/// run it at once: only the first one stores its count.
pub async fn count(app: &App) -> Result<u64> {
    let to = first_id_at(app.clock.now().minus(SETTLED));
    let mut counted = 0;
    for kind in GrowthKind::ALL {
        // Counted in a read, so that no writer waits for it.
        let read = move |tx: &mut Tx<'_>| {
            let from = growth::marks(tx)?.get(&kind).map(|it| it.counted_to);
            let days = growth::count(tx, kind, from.unwrap_or(Uuid::nil()), to)?;
            Ok::<_, grantor_storage::Error>((from, days))
        };
        let (from, days): (Option<Uuid>, Days) = app.store.read(read).await?;
        let new: u64 = days.values().sum();
        if from.is_some_and(|it| it >= to) || (from.is_some() && new == 0) {
            continue;
        }
        let write = move |tx: &mut Tx<'_>| growth::advance(tx, kind, from, to, &days);
        if app.store.write(write).await? {
            counted += new;
        }
    }
    Ok(counted)
}

/// Returns the growth of each kind, including what was not counted yet.
pub(crate) fn read(tx: &mut Tx<'_>, today: i64) -> Result<AllGrowth> {
    let first = today - i64::from(DAYS) + 1;
    let marks = growth::marks(tx)?;
    let mut all = AllGrowth::new();
    for kind in GrowthKind::ALL {
        let mark = marks.get(&kind);
        let new = growth::count_new(tx, kind, mark.map_or(Uuid::nil(), |it| it.counted_to))?;
        let mut by_day = growth::days(tx, kind, first)?;
        for (day, created) in &new {
            *by_day.entry(*day).or_default() += created;
        }
        let days = (first..=today).map(|day| by_day.get(&day).copied().unwrap_or(0)).collect();
        let total = mark.map_or(0, |it| it.total) + new.values().sum::<u64>();
        all.insert(kind, Growth { total, days });
    }
    Ok(all)
}

/// Returns the number of a day since 1970.
pub(crate) fn day_of(app: &App) -> i64 {
    app.clock.now().as_secs().div_euclid(DAY_SECONDS)
}
