//! Where the sample's talents are seen: two platforms whose domains count as proved, each with a PAX
//! and a pod, of which one runs.
//!
//! Names under `.example` are nobody's, so no check could find a proof there: the platforms are made
//! by an act of the sample's own. The rest goes through the acts that everybody uses.

use std::sync::Arc;

use grantor_domain::id::{PaxId, PlatformId, PodId};
use grantor_domain::pax::{PaxName, PaxScopes};
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, Platform, PlatformDescription, PlatformDomain, PlatformName,
    PlatformSettings, PlatformStatistics, PlatformType, ProofToken, Proved, VerificationMethod,
};
use grantor_domain::{Error, Result};
use grantor_storage::platform;

use super::people::Account;
use super::unfit;
use crate::act::{Act, Desk, Done};
use crate::pax::NewPax;
use crate::{App, Context, pax, pod};

/// A platform of the sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its id.
    pub id: PlatformId,
    /// What it is called.
    pub name: &'static str,
    pub(super) domain: &'static str,
    /// The access that is granted to it.
    pub pax: PaxId,
    /// The worker that scans it.
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
        description: "Short films. A sample: there is no such site.",
        feeds: &["https://loopwell.example/clips.rss"],
        frequency: DetectionFrequency::Hourly,
        runs: true,
    },
    Row {
        name: "Loopwell Magazine",
        domain: "magazine.loopwell.example",
        kind: PlatformType::NewsMedia,
        description: "What the makers of short films read. A sample.",
        feeds: &["https://magazine.loopwell.example/feed.atom"],
        frequency: DetectionFrequency::Daily,
        runs: false,
    },
];

/// Makes the platforms, and what goes with each.
pub(super) async fn open(app: &App, operator: &Context, owner: &Account) -> Result<Vec<Site>> {
    let mut sites = Vec::with_capacity(ROWS.len());
    for row in &ROWS {
        let Row { name, domain, .. } = *row;
        let id = app.act(&owner.context(app), Open(row)).await?;
        let new = NewPax {
            platform: id,
            name: PaxName::parse("Rights desk").map_err(unfit)?,
            scopes: PaxScopes::parse(&["read", "write"]).map_err(unfit)?,
        };
        let caller = Arc::clone(&owner.caller);
        let pax = pax::create(app, &owner.context(app), caller, new).await?.pax.id;
        let scopes = PaxScopes::parse(&["read", "crawl"]).map_err(unfit)?;
        let pod = pod::create(app, operator, id, scopes).await?.pod.id;
        if row.runs {
            pod::make::<pod::Start>(app, operator, pod).await?;
        }
        sites.push(Site { id, name, domain, pax, pod });
    }
    Ok(sites)
}

struct Open(&'static Row);

impl Act for Open {
    type Grant = ();
    type Output = PlatformId;
    const ACTION: &'static str = "demo.platform";

    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<PlatformId>> {
        let row = self.0;
        let domain = PlatformDomain::parse(row.domain).map_err(unfit)?;
        let platform = Platform {
            id: desk.ids.next(),
            tenant: desk.actor.tenant().ok_or_else(|| Error::not_found("Organization"))?,
            team: None,
            name: PlatformName::parse(row.name).map_err(unfit)?,
            kind: row.kind,
            description: Some(PlatformDescription::parse(row.description).map_err(unfit)?),
            feed_urls: FeedUrls::parse(row.feeds, &domain).map_err(unfit)?,
            domain,
            settings: PlatformSettings {
                crawling_enabled: true,
                detection_frequency: row.frequency,
            },
            statistics: PlatformStatistics::default(),
            token: ProofToken::generate(&*desk.app.entropy),
            proved: Some(Proved { method: VerificationMethod::Dns, at: desk.now }),
            created_at: desk.now,
            updated_at: desk.now,
        };
        platform::insert(desk.tx, &platform)?;
        let resource = crate::platform::resource(&platform);
        Ok(Done::new(platform.id, resource, "A platform of the sample was made"))
    }
}
