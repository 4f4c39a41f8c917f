//! Sample data: an agency with its team, talents, licenses, permissions, requests, grants,
//! platforms, mentions, bookmarks and plan, for an empty database, and a small site that the agency
//! watches. It is created by the same acts as real data, so it obeys the same rules and leaves the
//! same log. Its dates are relative to the time it is created.

mod billing;
mod bookmarks;
mod canvas;
mod cases;
mod deliveries;
mod entrance;
mod evidence;
mod grant_rows;
mod grants;
mod history_rows;
mod license_rows;
mod licenses;
mod mention_rows;
mod mentions;
mod people;
mod platforms;
mod portrait;
mod post_rows;
pub mod site;
mod sources;
mod team;
mod webhooks;

use grantor_domain::admin::AdminRole;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{BookmarkId, MentionId, TalentId, WebhookId};
use grantor_domain::person::FullName;
use grantor_domain::{Error, Result};
use grantor_storage::{Tx, admin as staff, meta, tenant};

pub use self::billing::SampleSubscription;
pub use self::entrance::entrances;
pub use self::grants::{SampleGrant, SampleRequest};
pub use self::licenses::SampleLicense;
pub use self::mentions::SampleMention;
pub use self::people::Account;
use self::people::{AGENCY, MEMBERS, PLATFORM, STAFF, TALENTS};
pub use self::platforms::Site;
pub use self::sources::SampleSource;
use self::sources::SiteOrigin;
pub use self::team::{SampleMember, SampleTeam};
use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_service::operations::admin::{self, OneTimeToken};
use grantor_service::{App, Context};

/// The sample data, with secrets that are shown only once.
pub struct Sample {
    /// The agency, the brand, the platform, and a self-managed individual.
    pub accounts: Vec<Account>,
    /// The email address of the staff account.
    pub staff: &'static str,
    /// The one-time token of the staff account.
    pub token: OneTimeToken,
    /// The agency's team, which manages the first half of its roster.
    pub team: SampleTeam,
    /// The agency's roster, with names.
    pub talents: Vec<(TalentId, &'static str)>,
    /// The licenses.
    pub licenses: Vec<SampleLicense>,
    /// The requests, with their grants.
    pub requests: Vec<SampleRequest>,
    /// The platforms, each with a pod and a PAX.
    pub sites: Vec<Site>,
    /// The agency's source, which watches the sample site.
    pub source: SampleSource,
    /// The mentions.
    pub mentions: Vec<SampleMention>,
    /// The mentions that have a case.
    pub cases: Vec<MentionId>,
    /// The bookmarks, each with its owner's email address.
    pub bookmarks: Vec<(BookmarkId, String)>,
    /// The webhooks, which are disabled.
    pub webhooks: Vec<WebhookId>,
    /// The number of past deliveries to them.
    pub deliveries: u64,
    /// The agency's subscription, if payments go to the sandbox.
    pub paid: Option<SampleSubscription>,
}

/// What a database contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreState {
    /// No accounts: sample data can be added.
    Empty,
    /// Accounts, from sample data or not.
    Filled,
    /// Incomplete sample data.
    Incomplete,
}

/// Why sample data could not be created.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Nothing was changed.
    #[error("nothing was changed: {0}")]
    Refused(Error),
    /// Some of the sample data was created.
    #[error(
        "the sample data is incomplete: {0}. The data created so far was not removed: empty the \
         database before you try again"
    )]
    Incomplete(Error),
}

/// Returns what the database contains.
pub async fn store_state(app: &App) -> Result<StoreState> {
    app.store.read(state_in).await
}

/// Adds the sample data to an empty database. The source is paused, because nothing serves the
/// sample site.
pub async fn fill(app: &App) -> Result<Sample, Failure> {
    fill_for(app, SiteOrigin { origin: &app.public_url, served: false }).await
}

/// Like [`fill`], for a server that serves the sample site at this origin: the source runs, and its
/// first scan is due at once.
pub async fn fill_with_site(app: &App, origin: &str) -> Result<Sample, Failure> {
    fill_for(app, SiteOrigin { origin, served: true }).await
}

async fn fill_for(app: &App, site: SiteOrigin<'_>) -> Result<Sample, Failure> {
    let operator = Context::operator(app.clock.monotonic());
    app.act(&operator, Begin).await.map_err(Failure::Refused)?;
    make(app, &operator, site).await.map_err(Failure::Incomplete)
}

async fn make(app: &App, operator: &Context, site: SiteOrigin<'_>) -> Result<Sample> {
    let mut accounts = Vec::with_capacity(MEMBERS.len());
    for member in &MEMBERS {
        accounts.push(people::create_account(app, operator, member).await?);
    }
    let team = team::make(app, operator, &accounts[AGENCY]).await?;
    let mut talents = Vec::with_capacity(TALENTS.len());
    for (index, face) in TALENTS.iter().enumerate() {
        let managed_by = Some(team.id).filter(|_| index < TALENTS.len() / 2);
        let talent = people::add_talent(app, &accounts[AGENCY], face, managed_by).await?;
        talents.push((talent, face.fullname));
    }
    let licenses = licenses::make(app, &accounts, &talents).await?;
    licenses::grant(app, &accounts, &licenses).await?;
    let requests = grants::negotiate(app, &accounts, &licenses).await?;
    let sites = platforms::open(app, operator, &accounts[PLATFORM]).await?;
    let source = sources::watch(app, &accounts[AGENCY], site).await?;
    let places = (&*sites, &source);
    let mentions = mentions::record(app, operator, &accounts[AGENCY], places, &licenses).await?;
    let cases = cases::open(app, &accounts[AGENCY], &mentions).await?;
    let bookmarks = bookmarks::keep(app, &accounts, &licenses, &mentions).await?;
    let webhooks = webhooks::make(app, &accounts).await?;
    let deliveries = deliveries::record(app, operator, &webhooks).await?;
    let paid = billing::subscribe(app, &accounts[AGENCY]).await?;
    let (email, name) = STAFF;
    let (address, name) =
        (Email::parse(email).map_err(invalid)?, FullName::parse(name).map_err(invalid)?);
    let token = admin::create(app, operator, address, name, AdminRole::SuperAdmin).await?;
    app.act(operator, Finish).await?;
    Ok(Sample {
        accounts,
        staff: email,
        token,
        team,
        talents,
        licenses,
        requests,
        sites,
        source,
        mentions,
        cases,
        bookmarks,
        webhooks,
        deliveries,
        paid,
    })
}

/// An error in the sample data's own tables, which the tests would find.
fn invalid(reason: impl std::fmt::Display) -> Error {
    Error::internal(format!("invalid sample data: {reason}"))
}

fn state_in(tx: &mut Tx<'_>) -> Result<StoreState> {
    if meta::find(tx, meta::SAMPLE)?.as_deref() == Some(meta::SAMPLE_BEGUN) {
        return Ok(StoreState::Incomplete);
    }
    let filled = tenant::any_exists(tx)? || staff::any_exists(tx)?;
    Ok(if filled { StoreState::Filled } else { StoreState::Empty })
}

fn resource() -> Resource {
    Resource { kind: "demo", id: None, name: None }
}

struct Begin;

impl Act for Begin {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "demo.begin";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        // Locked before the check, so that of two concurrent commands the second sees the first.
        meta::claim(unit.tx, meta::SAMPLE)?;
        match state_in(unit.tx)? {
            StoreState::Empty => Ok(()),
            StoreState::Filled => Err(Error::conflict(
                "The database is not empty. Sample data can only be added to a database without \
                 accounts: use another one with --data-dir or --database-url",
            )),
            StoreState::Incomplete => Err(Error::conflict(
                "The sample data in this database is incomplete. Unless another command is still \
                 creating it, empty the database first, or use another one with --data-dir or \
                 --database-url",
            )),
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        meta::put(unit.tx, meta::SAMPLE, meta::SAMPLE_BEGUN)?;
        Ok(Done::new((), resource(), "Sample data creation was started"))
    }
}

struct Finish;

impl Act for Finish {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "demo.finish";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        meta::put(unit.tx, meta::SAMPLE, meta::SAMPLE_FINISHED)?;
        Ok(Done::new((), resource(), "Sample data was created"))
    }
}
