//! Sample platforms: two verified platforms, each with a PAX and a pod, one of which runs.
//!
//! Domains under `.example` do not exist and cannot be verified, so a special act creates the
//! platforms. The rest goes through the regular acts.

use std::sync::Arc;

use grantor_domain::id::{PaxId, PlatformId, PodId};
use grantor_domain::pax::{PaxName, PaxScopes};
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, Platform, PlatformDescription, PlatformDomain, PlatformName,
    PlatformSettings, PlatformStatistics, PlatformType, ProofToken, Proved, VerificationMethod,
};
use grantor_domain::{Error, Result};
use grantor_storage::platform;

use super::invalid;
use super::people::Account;
use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_service::watching::pax;
use grantor_service::watching::pax::NewPax;
use grantor_service::watching::pod;
use grantor_service::{App, Context};

/// A sample platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its id.
    pub id: PlatformId,
    /// Its name.
    pub name: &'static str,
    pub(super) domain: &'static str,
    /// Its PAX.
    pub pax: PaxId,
    /// Its pod.
    pub pod: PodId,
}

pub(super) struct Row {
    name: &'static str,
    domain: &'static str,
    kind: PlatformType,
    description: &'static str,
    feeds: &'static [&'static str],
    frequency: DetectionFrequency,
    runs: bool,
}

pub(super) const ROWS: [Row; 2] = [
    Row {
        name: "Loopwell",
        domain: "loopwell.example",
        kind: PlatformType::Video,
        description: "Short films. Sample data: this site does not exist.",
        feeds: &["https://loopwell.example/clips.rss"],
        frequency: DetectionFrequency::Hourly,
        runs: true,
    },
    Row {
        name: "Loopwell Magazine",
        domain: "magazine.loopwell.example",
        kind: PlatformType::NewsMedia,
        description: "A magazine for short-film makers. Sample data.",
        feeds: &["https://magazine.loopwell.example/feed.atom"],
        frequency: DetectionFrequency::Daily,
        runs: false,
    },
];

/// Creates the platforms with their PAX and pods.
pub(super) async fn open(app: &App, operator: &Context, owner: &Account) -> Result<Vec<Site>> {
    let mut sites = Vec::with_capacity(ROWS.len());
    for row in &ROWS {
        let Row { name, domain, .. } = *row;
        let id = app.act(&owner.context(app), Open(row)).await?;
        let new = NewPax {
            platform: id,
            name: PaxName::parse("Rights team").map_err(invalid)?,
            scopes: PaxScopes::parse(&["read", "write"]).map_err(invalid)?,
        };
        let caller = Arc::clone(&owner.caller);
        let pax = pax::create(app, &owner.context(app), caller, new).await?.pax.id;
        let scopes = PaxScopes::parse(&["read", "crawl"]).map_err(invalid)?;
        let pod = pod::create(app, operator, id, scopes).await?.pod.id;
        if row.runs {
            pod::apply::<pod::Start>(app, operator, pod).await?;
        }
        sites.push(Site { id, name, domain, pax, pod });
    }
    Ok(sites)
}

struct Open(&'static Row);

impl Act for Open {
    type Permit = ();
    type Output = PlatformId;
    const ACTION: &'static str = "demo.platform";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<PlatformId>> {
        let row = self.0;
        let domain = PlatformDomain::parse(row.domain).map_err(invalid)?;
        let platform = Platform {
            id: unit.ids.next(),
            tenant: unit.actor.tenant().ok_or_else(|| Error::not_found("Organization"))?,
            team: None,
            name: PlatformName::parse(row.name).map_err(invalid)?,
            kind: row.kind,
            description: Some(PlatformDescription::parse(row.description).map_err(invalid)?),
            feed_urls: FeedUrls::parse(row.feeds, &domain).map_err(invalid)?,
            domain,
            settings: PlatformSettings {
                crawling_enabled: true,
                detection_frequency: row.frequency,
            },
            statistics: PlatformStatistics::default(),
            token: ProofToken::generate(&*unit.app.entropy),
            proved: Some(Proved { method: VerificationMethod::Dns, at: unit.now }),
            created_at: unit.now,
            updated_at: unit.now,
        };
        platform::insert(unit.tx, &platform)?;
        let resource = grantor_service::watching::platform::resource(&platform);
        Ok(Done::new(platform.id, resource, "A sample platform was created"))
    }
}
