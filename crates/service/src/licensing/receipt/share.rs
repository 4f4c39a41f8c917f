//! Links that a licensee shares. Anybody who has one sees the receipt of the grant, with only what
//! the licensee chose to disclose.

use grantor_domain::audit::Resource;
use grantor_domain::grant::Party;
use grantor_domain::id::{GrantId, SharedReceiptId};
use grantor_domain::role::Right;
use grantor_domain::secret::ShareCode;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_keys::Purpose;
use grantor_storage::grant::{self, GrantRecord};
use grantor_storage::shared_receipt::{self, SharedReceipt};
use serde_json::json;

use super::{Disclosable, Verification, issue_disclosing, verify, verify_url};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::organizations::rights;
use crate::{App, Context};

/// How many links a grant can have, besides that of its certificate.
const MAX_LINKS: usize = 20;

/// A shared link as its licensee sees it. It cannot be printed, because whoever knows its address
/// can open it.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedLink {
    /// The unique ID.
    pub id: SharedReceiptId,
    /// The address to give to others.
    pub url: String,
    /// What it discloses.
    pub disclosed: Vec<Disclosable>,
    /// Whether the QR code of the certificate leads to it.
    pub for_certificate: bool,
    /// The name of the user who created it.
    pub author: String,
    /// When it was created.
    pub created_at: Timestamp,
}

/// What anybody sees who opens a shared link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedLink {
    /// The number of the grant.
    pub number: String,
    /// The receipt with what the link discloses.
    pub receipt: String,
    /// Whether the receipt is valid now.
    pub verification: Verification,
}

/// Creates a link that discloses these claims.
pub async fn create(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    grant: GrantId,
    disclosed: Vec<Disclosable>,
) -> Result<SharedLink> {
    app.act(context, Create { caller, grant, disclosed, for_certificate: false }).await
}

/// Returns the link of the certificate, which discloses these claims. The first call creates it.
pub(super) async fn create_for_certificate(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    grant: GrantId,
    disclosed: Vec<Disclosable>,
) -> Result<SharedLink> {
    app.act(context, Create { caller, grant, disclosed, for_certificate: true }).await
}

/// Lists the links of a grant for its licensee, oldest first.
pub async fn list(app: &App, caller: TenantCaller, id: GrantId) -> Result<Vec<SharedLink>> {
    let found = app.store.read(move |tx| {
        let record = grant::find(tx, id)?.ok_or_else(no_grant)?;
        require_licensee(&record, caller)?;
        Ok::<_, Error>(shared_receipt::list(tx, id)?)
    });
    found.await?.iter().map(|it| open_link(app, it)).collect()
}

/// Withdraws a link, which then leads nowhere.
pub async fn withdraw(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    grant: GrantId,
    id: SharedReceiptId,
) -> Result<()> {
    app.act(context, Withdraw { caller, grant, id }).await
}

/// Opens a link for anybody who has its code.
pub async fn open(app: &App, code: &str) -> Result<OpenedLink> {
    let hash = ShareCode::parse(code).ok_or_else(no_link)?.hash();
    let found = app.store.read(move |tx| {
        let link = shared_receipt::find_by_code(tx, &hash)?.ok_or_else(no_link)?;
        let record = grant::find(tx, link.grant)?.ok_or_else(no_link)?;
        Ok::<_, Error>((link, record))
    });
    let (link, record) = found.await?;
    let receipt = issue_disclosing(app, &record, &disclosed_by(&link))?;
    let verification = verify(app, &receipt).await?;
    Ok(OpenedLink { number: record.grant.number.to_string(), receipt, verification })
}

struct Create {
    caller: TenantCaller,
    grant: GrantId,
    disclosed: Vec<Disclosable>,
    for_certificate: bool,
}

impl Act for Create {
    type Permit = (GrantRecord, Option<SharedReceipt>);
    type Output = SharedLink;
    const ACTION: &'static str = "shared_link.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let record = claim(unit, self.caller, self.grant)?;
        let links = shared_receipt::list(unit.tx, self.grant)?;
        if self.for_certificate {
            return Ok((record, links.into_iter().find(|it| it.for_certificate)));
        }
        if links.iter().filter(|it| !it.for_certificate).count() >= MAX_LINKS {
            let message =
                format!("A grant can have {MAX_LINKS} shared links at most; withdraw one first");
            return Err(Error::conflict(message));
        }
        Ok((record, None))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (record, existing): Self::Permit,
    ) -> Result<Done<SharedLink>> {
        let number = record.grant.number;
        // Two first downloads of a certificate at the same time share one link.
        if let Some(existing) = existing {
            let link = open_link(unit.app, &existing)?;
            let message = format!("The link of the certificate of grant {number} was used");
            return Ok(Done::new(link, resource(&record, existing.id), message));
        }
        let code = ShareCode::generate(&*unit.app.entropy);
        let id: SharedReceiptId = unit.ids.at(unit.now);
        let names: Vec<&str> = chosen(&self.disclosed).map(Disclosable::name).collect();
        let sealed_code =
            unit.app.keys.seal(Purpose::Field, &sealed_for(id), code.expose().as_bytes());
        let stored = SharedReceipt {
            id,
            grant: self.grant,
            sealed_code,
            disclosed: names.iter().map(|it| (*it).to_owned()).collect(),
            for_certificate: self.for_certificate,
            created_by: self.caller.user,
            author: unit.actor.name().to_owned(),
            created_at: unit.now,
        };
        shared_receipt::insert(unit.tx, &stored, &code.hash())?;
        let message = format!("A link to the receipt of grant {number} was shared");
        let link = open_link(unit.app, &stored)?;
        let mut done = Done::new(link, resource(&record, id), message);
        done.details = json!({ "disclosed": names, "certificate": self.for_certificate });
        Ok(done)
    }
}

struct Withdraw {
    caller: TenantCaller,
    grant: GrantId,
    id: SharedReceiptId,
}

impl Act for Withdraw {
    type Permit = GrantRecord;
    type Output = ();
    const ACTION: &'static str = "shared_link.withdraw";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<GrantRecord> {
        claim(unit, self.caller, self.grant)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, record: GrantRecord) -> Result<Done<()>> {
        if !shared_receipt::delete(unit.tx, self.grant, self.id)? {
            return Err(no_link());
        }
        let number = record.grant.number;
        let message = format!("A link to the receipt of grant {number} was withdrawn");
        Ok(Done::new((), resource(&record, self.id), message))
    }
}

/// Locks a grant for a person who can bind its licensee.
fn claim(unit: &mut UnitOfWork<'_, '_>, caller: TenantCaller, id: GrantId) -> Result<GrantRecord> {
    let record = grant::claim(unit.tx, id)?.ok_or_else(no_grant)?;
    require_licensee(&record, caller)?;
    rights::require(unit, Right::RequestLicenses)?;
    Ok(record)
}

fn require_licensee(record: &GrantRecord, caller: TenantCaller) -> Result<()> {
    match record.grant.party(caller.tenant) {
        Some(Party::Asker) => Ok(()),
        Some(Party::Owner) => {
            let message = "Only the licensee can share links to a receipt";
            Err(Error::new(ErrorKind::Forbidden, message))
        }
        None => Err(no_grant()),
    }
}

/// The claims in their usual order, each once.
fn chosen(claims: &[Disclosable]) -> impl Iterator<Item = Disclosable> {
    Disclosable::ALL.into_iter().filter(move |it| claims.contains(it))
}

fn disclosed_by(link: &SharedReceipt) -> Vec<Disclosable> {
    link.disclosed.iter().filter_map(|it| Disclosable::named(it)).collect()
}

fn open_link(app: &App, link: &SharedReceipt) -> Result<SharedLink> {
    let text = app.keys.open_sealed(Purpose::Field, &sealed_for(link.id), &link.sealed_code);
    let code = text.and_then(|it| ShareCode::parse(std::str::from_utf8(&it).ok()?));
    let code =
        code.ok_or_else(|| Error::internal("no key of the key ring decrypts a shared link"))?;
    Ok(SharedLink {
        id: link.id,
        url: format!("{}/{}", verify_url(app), code.expose()),
        disclosed: disclosed_by(link),
        for_certificate: link.for_certificate,
        author: link.author.clone(),
        created_at: link.created_at,
    })
}

/// Binds a sealed code to its link: it cannot be decrypted for another one.
pub(crate) fn sealed_for(id: SharedReceiptId) -> String {
    format!("shared_receipt/{id}")
}

fn resource(record: &GrantRecord, id: SharedReceiptId) -> Resource {
    let name = Some(record.grant.number.to_string());
    Resource { kind: "shared_link", id: Some(id.to_string()), name }
}

fn no_grant() -> Error {
    Error::not_found("Grant")
}

fn no_link() -> Error {
    Error::not_found("Shared link")
}
