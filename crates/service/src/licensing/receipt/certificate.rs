//! The certificate of a grant: a page to print, with a QR code and the receipt as an attachment.

use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::GrantId;
use grantor_domain::license::{LicenseType, Territory};
use grantor_domain::role::{self, Right};
use grantor_domain::scope::Scope;
use grantor_domain::{Error, Result};
use grantor_receipt::{Certificate, VerifyAt, render_certificate};
use tokio::task::{JoinError, spawn_blocking};

use super::{CertificateFonts, Disclosable, issue_disclosing, share, verify_url};
use crate::identity::access::TenantCaller;
use crate::licensing::grant::{self, GrantRecord, GrantView};
use crate::{App, Context};

/// What a certificate shows, and therefore what its link and the attached receipt disclose.
const SHOWN: [Disclosable; 5] = [
    Disclosable::License,
    Disclosable::Talent,
    Disclosable::Licensee,
    Disclosable::Conditions,
    Disclosable::Channels,
];

/// A certificate as a file.
#[derive(Clone, PartialEq, Eq)]
pub struct CertificateFile {
    /// The name of the file.
    pub name: String,
    /// The PDF.
    pub pdf: Vec<u8>,
}

/// Renders the certificate of a grant for one of its parties.
pub async fn render(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: GrantId,
) -> Result<CertificateFile> {
    let view = grant::get(app, caller, id).await?;
    if view.status == GrantStatus::Revoked {
        return Err(Error::conflict("The grant was revoked, so it has no certificate"));
    }
    let link = link(app, context, caller, &view).await?;
    let receipt = issue_disclosing(app, &view.record, &SHOWN)?;
    let name = format!("{}.pdf", view.record.grant.number);
    let fonts = app.certificate_fonts.clone();
    // Fonts and long conditions take milliseconds, which other requests must not wait for.
    let drawn = spawn_blocking(move || {
        let verify_at = link.verify_at();
        draw(&view.record, verify_at, &receipt, &fonts)
    });
    let failed =
        |error: JoinError| Error::internal(format!("drawing a certificate failed: {error}"));
    Ok(CertificateFile { name, pdf: drawn.await.map_err(failed)?? })
}

/// Where a certificate leads.
enum Link {
    /// To the licensee's own link for certificates.
    Shared(String),
    /// To the page that verifies any receipt.
    AnyReceipt(String),
}

impl Link {
    fn verify_at(&self) -> VerifyAt<'_> {
        match self {
            Self::Shared(url) => VerifyAt::SharedLink(url),
            Self::AnyReceipt(url) => VerifyAt::AnyReceipt(url),
        }
    }
}

/// The licensee's own link for certificates, which the first download by somebody who can share
/// links creates. Others, and staff who view as the licensee, get the page that verifies any receipt:
/// only the licensee decides where the grant is shown.
async fn link(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    view: &GrantView,
) -> Result<Link> {
    let any_receipt = || Link::AnyReceipt(verify_url(app));
    if view.party == Party::Owner || context.read_only {
        return Ok(any_receipt());
    }
    let id = view.record.grant.id;
    let known = share::list(app, caller, id).await?.into_iter().find(|it| it.for_certificate);
    if let Some(known) = known {
        return Ok(Link::Shared(known.url));
    }
    let may_share = caller.scopes.contains(Scope::LicenseWrite)
        && role::may(caller.role, caller.tenant_type, Right::RequestLicenses).is_ok();
    if !may_share {
        return Ok(any_receipt());
    }
    let made = share::create_for_certificate(app, context, caller, id, SHOWN.to_vec());
    Ok(Link::Shared(made.await?.url))
}

fn draw(
    record: &GrantRecord,
    verify_at: VerifyAt<'_>,
    receipt: &str,
    fonts: &CertificateFonts,
) -> Result<Vec<u8>> {
    let (grant, coverage) = (&record.grant, &record.grant.terms.coverage);
    let number = grant.number.to_string();
    let labels = |it: &LicenseType| it.label().to_owned();
    let uses: Vec<String> = coverage.uses.as_slice().iter().map(labels).collect();
    let names = |it: &Territory| it.label().to_owned();
    let territories: Vec<String> = coverage.territories.as_slice().iter().map(names).collect();
    let certificate = Certificate {
        number: &number,
        licensor: &record.licensor.name,
        licensee: &record.licensee.name,
        talent: &record.talent_name,
        license_title: &record.license_title,
        uses: &uses,
        territories: &territories,
        channels: &grant.terms.channels,
        starts_at: coverage.starts_at,
        ends_at: coverage.ends_at,
        exclusive: grant.terms.exclusive,
        conditions: Some(grant.terms.conditions.as_str()).filter(|it| !it.is_empty()),
        credit_line: grant.terms.credit_line.as_deref(),
        issued_at: grant.created_at,
        verify_at,
        receipt,
    };
    render_certificate(&certificate, fonts)
}
