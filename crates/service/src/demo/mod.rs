//! The sample: an agency with its team, talents, licenses, permissions, platforms, mentions, bookmarks
//! and plan, put into an empty store. It is made by the same acts as anybody's own data, so it obeys
//! the same rules and leaves the same log; its dates are counted from now, so it is alive whenever
//! it is made.

mod billing;
mod bookmarks;
mod canvas;
mod license_rows;
mod licenses;
mod mentions;
mod people;
mod platforms;
mod portrait;
mod team;
mod webhooks;

use grantor_domain::admin::AdminRole;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{BookmarkId, TalentId, WebhookId};
use grantor_domain::person::FullName;
use grantor_domain::{Error, Result};
use grantor_storage::{Tx, admin as staff, meta, tenant};

pub use self::billing::Paid;
pub use self::licenses::Licensed;
pub use self::mentions::Sighted;
pub use self::people::Account;
use self::people::{AGENCY, MEMBERS, PLATFORM, STAFF, TALENTS};
pub use self::platforms::Site;
pub use self::team::{Mate, SampleTeam};
use crate::act::{Act, Desk, Done};
use crate::admin::{self, OneTimeToken};
use crate::{App, Context};

/// What was made, with secrets that are shown this once.
pub struct Sample {
    /// The agency, the brand, the platform, and the person who manages themself.
    pub accounts: Vec<Account>,
    /// The address of the operator's staff.
    pub staff: &'static str,
    /// What lets that staff in, once.
    pub token: OneTimeToken,
    /// The agency's team, which looks after the first half of its roster.
    pub team: SampleTeam,
    /// The agency's roster, with names.
    pub talents: Vec<(TalentId, &'static str)>,
    /// The licenses.
    pub licenses: Vec<Licensed>,
    /// Where mentions were seen, with a pod and a PAX each.
    pub sites: Vec<Site>,
    /// The mentions.
    pub mentions: Vec<Sighted>,
    /// The bookmarks, each with whose it is.
    pub bookmarks: Vec<(BookmarkId, String)>,
    /// The webhooks, switched off.
    pub webhooks: Vec<WebhookId>,
    /// What the agency pays for, where the sandbox takes payments.
    pub paid: Option<Paid>,
}

/// How far a store is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There are no accounts: the sample may be put in.
    Empty,
    /// There are, of the sample or not.
    Filled,
    /// A sample was begun and not finished.
    Broken,
}

/// Why there is no sample.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The store was left as it is.
    #[error("nothing was changed: {0}")]
    Refused(Error),
    /// Some of it is there.
    #[error(
        "the sample was begun and not finished: {0}. What is there so far stays: empty the store \
         before you try again"
    )]
    Midway(Error),
}

/// How far the store is filled.
pub async fn standing(app: &App) -> Result<Standing> {
    app.store.read(look).await
}

/// Puts the sample into an empty store.
pub async fn fill(app: &App) -> Result<Sample, Failure> {
    let operator = Context::operator(app.clock.monotonic());
    app.act(&operator, Begin).await.map_err(Failure::Refused)?;
    make(app, &operator).await.map_err(Failure::Midway)
}

async fn make(app: &App, operator: &Context) -> Result<Sample> {
    let mut accounts = Vec::with_capacity(MEMBERS.len());
    for member in &MEMBERS {
        accounts.push(people::join(app, operator, member).await?);
    }
    let team = team::make(app, operator, &accounts[AGENCY]).await?;
    let mut talents = Vec::with_capacity(TALENTS.len());
    for (place, face) in TALENTS.iter().enumerate() {
        let looked_after = Some(team.id).filter(|_| place < TALENTS.len() / 2);
        let talent = people::enlist(app, &accounts[AGENCY], face, looked_after).await?;
        talents.push((talent, face.fullname));
    }
    let licenses = licenses::make(app, &accounts, &talents).await?;
    licenses::grant(app, &accounts, &licenses).await?;
    let sites = platforms::open(app, operator, &accounts[PLATFORM]).await?;
    let mentions = mentions::record(app, operator, &accounts[AGENCY], &sites, &licenses).await?;
    let bookmarks = bookmarks::keep(app, &accounts, &licenses, &mentions).await?;
    let webhooks = webhooks::make(app, &accounts).await?;
    let paid = billing::subscribe(app, &accounts[AGENCY]).await?;
    let (email, name) = STAFF;
    let (address, name) =
        (Email::parse(email).map_err(unfit)?, FullName::parse(name).map_err(unfit)?);
    let token = admin::create(app, operator, address, name, AdminRole::SuperAdmin).await?;
    app.act(operator, Finish).await?;
    Ok(Sample {
        accounts,
        staff: email,
        token,
        team,
        talents,
        licenses,
        sites,
        mentions,
        bookmarks,
        webhooks,
        paid,
    })
}

/// A row of the sample's own tables that does not fit the rules, which a test would have noticed.
fn unfit(reason: impl std::fmt::Display) -> Error {
    Error::internal(format!("the sample's data: {reason}"))
}

/// Under which name the store knows that a sample was begun.
const MARK: &str = "demo";
const BEGUN: &str = "begun";
const FINISHED: &str = "finished";

fn look(tx: &mut Tx<'_>) -> Result<Standing> {
    if meta::find(tx, MARK)?.as_deref() == Some(BEGUN) {
        return Ok(Standing::Broken);
    }
    let filled = tenant::any_exists(tx)? || staff::any_exists(tx)?;
    Ok(if filled { Standing::Filled } else { Standing::Empty })
}

fn resource() -> Resource {
    Resource { kind: "demo", id: None, name: None }
}

struct Begin;

impl Act for Begin {
    type Grant = ();
    type Output = ();
    const ACTION: &'static str = "demo.begin";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<()> {
        // Held before looking: of two that begin at the same time, the second sees the first.
        meta::claim(desk.tx, MARK)?;
        match look(desk.tx)? {
            Standing::Empty => Ok(()),
            Standing::Filled => Err(Error::conflict(
                "The store is not empty. A sample goes only into a store without accounts: name \
                 another with --data-dir or --database-url",
            )),
            Standing::Broken => Err(Error::conflict(
                "A sample was begun in this store and is not finished. Unless another command is \
                 making it right now, empty the store first, or name another with --data-dir or \
                 --database-url",
            )),
        }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<()>> {
        meta::put(desk.tx, MARK, BEGUN)?;
        Ok(Done::new((), resource(), "A sample was begun"))
    }
}

struct Finish;

impl Act for Finish {
    type Grant = ();
    type Output = ();
    const ACTION: &'static str = "demo.finish";

    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<()>> {
        meta::put(desk.tx, MARK, FINISHED)?;
        Ok(Done::new((), resource(), "A sample was put into the store"))
    }
}
