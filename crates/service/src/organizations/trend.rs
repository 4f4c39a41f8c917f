//! The figures of the dashboard's charts: what happened in the last days, and what ends in the next
//! months. All are stored by day or read from an index.

use grantor_domain::grant::Party;
use grantor_domain::id::{PlatformId, TenantId};
use grantor_domain::month::Month;
use grantor_domain::role::{Right, may};
use grantor_domain::{Result, Timestamp};
use grantor_storage::license::index::count_expiring;
use grantor_storage::license::reader::Reader;
use grantor_storage::record_index::{Place, count_grants_ending, count_places};
use grantor_storage::{Tx, delivery, platform};

use crate::App;
use crate::identity::access::Caller;

/// How many places have their own figure; the rest are counted together.
const PLACES: usize = 6;
/// How many months the figures of what ends cover, including the current one.
const MONTHS: usize = 12;
const DAY_SECONDS: i64 = 86_400;

/// How far back the charts reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartSpan {
    /// Seven days.
    Week,
    /// Thirty days.
    #[default]
    Month,
    /// Ninety days.
    Quarter,
}

impl ChartSpan {
    /// All variants, the shortest first.
    pub const ALL: [Self; 3] = [Self::Week, Self::Month, Self::Quarter];

    /// The number of days, including today.
    #[must_use]
    pub const fn days(self) -> u16 {
        match self {
            Self::Week => 7,
            Self::Month => 30,
            Self::Quarter => 90,
        }
    }

    /// Parses a number of days.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let found = Self::ALL.into_iter().find(|it| it.days().to_string() == text);
        found.ok_or("must be one of 7, 30, 90")
    }
}

/// The figures of the charts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trends {
    /// Where mentions were found, most mentions first.
    pub places: Vec<PlaceCount>,
    /// The number of mentions found elsewhere.
    pub elsewhere: u64,
    /// What ends in this month and the next ones.
    pub endings: Vec<Ending>,
    /// Finished webhook deliveries by day, oldest first.
    pub deliveries: Vec<DeliveryDay>,
}

/// How many mentions were found in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceCount {
    /// The name of the platform, or the host of the site.
    pub name: String,
    /// The number of mentions.
    pub count: u64,
}

/// How many grants and licenses end in one month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The month.
    pub month: Month,
    /// Grants that the tenant gave.
    pub given: u64,
    /// Grants that the tenant holds.
    pub held: u64,
    /// Licenses that the tenant owns or, if it cannot own any, sees.
    pub licenses: u64,
}

/// The webhook deliveries that ended on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryDay {
    /// When the day starts.
    pub begins_at: Timestamp,
    /// Delivered.
    pub delivered: u64,
    /// Failed for good.
    pub failed: u64,
}

/// What a caller sees in charts.
#[derive(Clone, Copy)]
pub(super) struct ChartView {
    tenant: TenantId,
    reader: Reader,
    licenses: Reader,
}

impl ChartView {
    pub(super) fn of(caller: &Caller) -> Self {
        let (tenant, reader) = (caller.tenant, caller.reader());
        let owns = may(caller.role, caller.tenant_type, Right::ReadLicenses).is_ok();
        Self { tenant, reader, licenses: if owns { Reader::Owner(tenant) } else { reader } }
    }
}

/// Counts what ends in these months, which follow each other.
pub async fn endings(app: &App, caller: &Caller, months: Vec<Month>) -> Result<Vec<Ending>> {
    let (view, now) = (ChartView::of(caller), app.clock.now());
    app.store.read(move |tx| endings_in(tx, view, &months, now)).await
}

/// Counts everything within an open transaction. `since` is the start of the first day.
pub(super) fn read(
    tx: &mut Tx<'_>,
    view: ChartView,
    since: Timestamp,
    now: Timestamp,
) -> Result<Trends> {
    let (places, elsewhere) = places(tx, view.reader, (since, now))?;
    let endings = endings_in(tx, view, &Month::of(now).and_following(MONTHS), now)?;
    let deliveries = deliveries(tx, view.tenant, (since, now))?;
    Ok(Trends { places, elsewhere, endings, deliveries })
}

/// The places with the most mentions, by name, and the number of mentions in all others.
fn places(
    tx: &mut Tx<'_>,
    reader: Reader,
    days: (Timestamp, Timestamp),
) -> Result<(Vec<PlaceCount>, u64)> {
    let mut counted: Vec<_> = count_places(tx, reader, days)?.into_iter().collect();
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest = counted.split_off(counted.len().min(PLACES));
    let ids: Vec<_> = counted.iter().filter_map(|(place, _)| platform_of(place)).collect();
    let names = platform::names(tx, &ids)?;
    let named = |place: Place| match place {
        Place::Host(host) => host,
        Place::Platform(id) => {
            let found = names.iter().find(|(it, _)| *it == id).map(|(_, name)| name.clone());
            found.unwrap_or_else(|| "Deleted platform".to_owned())
        }
    };
    let places = counted.into_iter().map(|(place, count)| PlaceCount { name: named(place), count });
    Ok((places.collect(), rest.into_iter().map(|(_, count)| count).sum()))
}

fn platform_of(place: &Place) -> Option<PlatformId> {
    match place {
        Place::Platform(id) => Some(*id),
        Place::Host(_) => None,
    }
}

fn endings_in(
    tx: &mut Tx<'_>,
    view: ChartView,
    months: &[Month],
    now: Timestamp,
) -> Result<Vec<Ending>> {
    let given = count_grants_ending(tx, view.tenant, Party::Owner, months)?;
    let held = count_grants_ending(tx, view.tenant, Party::Asker, months)?;
    let licenses = count_expiring(tx, view.licenses, months, now)?;
    let counts = given.into_iter().zip(held).zip(licenses);
    let endings = months.iter().zip(counts).map(|(month, ((given, held), licenses))| Ending {
        month: *month,
        given,
        held,
        licenses,
    });
    Ok(endings.collect())
}

/// The deliveries of each day, also of days without any.
fn deliveries(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    (since, now): (Timestamp, Timestamp),
) -> Result<Vec<DeliveryDay>> {
    let found = delivery::daily(tx, tenant, since)?;
    let number = |at: Timestamp| at.as_secs().div_euclid(DAY_SECONDS);
    let day = |day: i64| {
        let counts = found.iter().find(|(it, _)| *it == day).map(|(_, counts)| *counts);
        let [delivered, failed] = counts.unwrap_or_default();
        DeliveryDay { begins_at: Timestamp::from_secs(day * DAY_SECONDS), delivered, failed }
    };
    Ok((number(since)..=number(now)).map(day).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_reach_as_far_back_as_one_may_choose() {
        assert_eq!(ChartSpan::ALL.map(ChartSpan::days), [7, 30, 90]);
        assert_eq!(ChartSpan::parse("90"), Ok(ChartSpan::Quarter));
        for bad in ["", "0", "31", "07", "month"] {
            assert_eq!(ChartSpan::parse(bad), Err("must be one of 7, 30, 90"), "{bad}");
        }
    }
}
