//! The sample source: the agency watches the sample site. A special act creates it, because nothing
//! can be fetched before the server answers requests. It runs only if the site is served, and its
//! first scan is due at once.

use grantor_domain::Result;
use grantor_domain::audit::Resource;
use grantor_domain::id::{SourceId, TenantId, UserId};
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::source::{Feed, FeedKind, Source, SourceName, SourceStatus, WatchedTalents};
use grantor_storage::{feed, source};

use super::people::Account;
use super::{invalid, site};
use grantor_service::App;
use grantor_service::act::{Act, Done, UnitOfWork};

/// The sample source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleSource {
    /// Its id.
    pub id: SourceId,
    /// Its name.
    pub name: &'static str,
    /// The address it watches: the sample site.
    pub url: String,
    /// Whether it runs.
    pub status: SourceStatus,
    /// The origin of the sample site.
    pub(super) origin: String,
}

/// Where the sample site is.
pub(super) struct SiteOrigin<'a> {
    pub(super) origin: &'a str,
    /// Whether this process serves the site.
    pub(super) served: bool,
}

/// Watches the sample site as the agency.
pub(super) async fn watch(
    app: &App,
    agency: &Account,
    SiteOrigin { origin, served }: SiteOrigin<'_>,
) -> Result<SampleSource> {
    let status = if served { SourceStatus::Running } else { SourceStatus::Paused };
    let url = site::address(origin);
    let (tenant, user, origin) = (agency.tenant, agency.user, origin.to_owned());
    let act = Watch { tenant, user, status, origin: origin.clone() };
    let id = app.act(&agency.context(app), act).await?;
    Ok(SampleSource { id, name: site::TITLE, url, status, origin })
}

struct Watch {
    tenant: TenantId,
    user: UserId,
    status: SourceStatus,
    origin: String,
}

impl Act for Watch {
    type Permit = ();
    type Output = SourceId;
    const ACTION: &'static str = "demo.source";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<SourceId>> {
        let new = self.feed(unit);
        let feed = feed::put(unit.tx, &new)?;
        let source = Source {
            id: unit.ids.next(),
            tenant: self.tenant,
            feed: feed.id,
            url: site::address(&self.origin),
            name: SourceName::parse(site::TITLE).map_err(invalid)?,
            frequency: DetectionFrequency::Hourly,
            status: self.status,
            stopped: None,
            talents: WatchedTalents::All,
            asked_at: None,
            created_by: self.user,
            created_at: unit.now,
            updated_at: unit.now,
            version: 1,
        };
        source::insert(unit.tx, &source)?;
        if source.is_active() {
            feed::make_due(unit.tx, feed.id, unit.now, true)?;
        }
        let (id, name) = (Some(source.id.to_string()), Some(site::TITLE.to_owned()));
        let resource = Resource { kind: "source", id, name };
        Ok(Done::new(source.id, resource, "A sample source was created"))
    }
}

impl Watch {
    fn feed(&self, unit: &UnitOfWork<'_, '_>) -> Feed {
        Feed {
            id: unit.ids.next(),
            url: site::feed_address(&self.origin),
            kind: FeedKind::Feed,
            service: None,
            profile: None,
            title: site::TITLE.to_owned(),
            push_only: false,
            due_at: None,
            last_scan_at: None,
            failing_since: None,
            failures: 0,
            created_at: unit.now,
        }
    }
}
