//! The page of one grant.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::Result;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::GrantId;
use grantor_domain::role::Right;
use grantor_messages::text;
use grantor_service::licensing::grant::GrantView;
use grantor_service::licensing::receipt::share::SharedLink;
use grantor_service::licensing::receipt::{self, certificate, share};
use http::header;
use maud::{Markup, html};

use super::{LIST, caller, path, revoke, shared};
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::request::{self, full};
use crate::verify::receipt_response;
use crate::view::field::error_summary;
use crate::view::label::tenant_type;
use crate::view::rich::rich;
use crate::view::{NavItem, ago, badge, card, code, facts, head, notice};

/// A grant with everything on its page.
pub(super) struct GrantPage {
    view: GrantView,
    receipt: String,
    /// The shared links, for the licensee.
    links: Option<Vec<SharedLink>>,
}

impl GrantPage {
    pub(super) async fn load(person: &Person, id: GrantId) -> Result<Self> {
        let (view, receipt) = receipt::issue(person.app(), caller(person), id, None).await?;
        let links = match view.party {
            Party::Asker => Some(share::list(person.app(), caller(person), id).await?),
            Party::Owner => None,
        };
        Ok(Self { view, receipt, links })
    }

    /// Whether the user can revoke the grant.
    fn revokes(&self, person: &Person) -> bool {
        let over = matches!(self.view.status, GrantStatus::Ended | GrantStatus::Revoked);
        self.view.party == Party::Owner && !over && person.acts(Right::ManageLicenses)
    }

    /// Whether to offer the certificate. For a licensee who can share links it contains one, which the
    /// first download creates, so staff who view the page don't get it.
    fn certifies(&self, person: &Person) -> bool {
        let is_licensee = self.view.party == Party::Asker && person.may(Right::RequestLicenses);
        !(is_licensee && person.is_viewed())
    }

    /// Renders the page. What was entered belongs to the only form that the user sees.
    pub(super) fn draw(&self, person: &Person, entered: &FormData) -> Response {
        let (view, grant) = (&self.view, &self.view.record.grant);
        let number = grant.number.to_string();
        let (revokes, shares) = (self.revokes(person), shared::may_share(person, view));
        let body = html! {
            (head(&number, &view.record.license_title, html! {
                a.button.plain href=(LIST) { (text!("grant-back")) }
            }))
            @if !revokes && !shares { (error_summary(entered)) }
            (revocation_notice(person, view))
            div.split.with-summary {
                (card(text!("grant-grant"), details(person, view)))
                div {
                    (card(text!("grant-terms"), full(&grant.terms)))
                    @if let Some(links) = &self.links {
                        (card(text!("grant-links"), shared::section(person, view, links, entered)))
                    }
                    (card(text!("grant-receipt"), html! {
                        p {
                            (rich!("grant-receipt-about", verify = html! {
                                a href="/verify" { (text!("grant-receipt-verify")) }
                            }))
                        }
                        (shared::download_form(grant.id))
                        details.more {
                            summary { (text!("grant-receipt-show")) }
                            (code(text!("grant-receipt"), &self.receipt))
                        }
                    }))
                }
                div {
                    @if self.certifies(person) { (card(text!("grant-certificate"), certificate_section(view, shares))) }
                    @if revokes { (card(text!("grant-revoke"), revoke::section(grant.id, entered))) }
                }
            }
        };
        person.page(&number, NavItem::Grants, body)
    }
}

/// Shows a grant.
pub(crate) async fn show(person: Person, Segment(id): Segment<GrantId>) -> Outcome {
    let page = GrantPage::load(&person, id).await?;
    Ok(page.draw(&person, &FormData::default()))
}

/// The certificate, and what is on it. The first download by somebody who can share links creates the
/// one that its QR code leads to.
fn certificate_section(view: &GrantView, shares: bool) -> Markup {
    let address = path(view.record.grant.id);
    html! {
        @if view.status == GrantStatus::Revoked {
            p.quiet { (text!("grant-certificate-none")) }
        } @else {
            p {
                a.button href={ (address) "/certificate.pdf" } download { (text!("grant-certificate-download")) }
            }
            p.quiet {
                @match (view.party, shares) {
                    (Party::Asker, true) => (text!("grant-certificate-shares")),
                    (Party::Asker, false) => (text!("grant-certificate-shared")),
                    (Party::Owner, _) => (text!("grant-certificate-without-code")),
                }
            }
        }
    }
}

fn revocation_notice(person: &Person, view: &GrantView) -> Markup {
    let grant = &view.record.grant;
    html! {
        @if let Some(reason) = &grant.revoke_reason {
            (notice("bad", html! {
                p {
                    @match grant.revoked_at.zip(view.revoked_by()) {
                        Some((at, name)) => (rich!("grant-revoked-by", when = ago(person.now(), at), name = name)),
                        None => (text!("grant-was-revoked")),
                    }
                }
                p.lines { (text!("grant-revoked-because", reason = reason)) }
            }))
        }
    }
}

fn details(person: &Person, view: &GrantView) -> Markup {
    let (record, grant) = (&view.record, &view.record.grant);
    // The licensee sees the license while the grant is active.
    let visible = view.party == Party::Owner || view.status == GrantStatus::Active;
    facts(&[
        (text!("grant-number"), html! { (grant.number) }),
        (text!("word-status"), badge(view.status.name())),
        (
            text!("grant-license"),
            html! {
                @if visible { a href={ "/app/licenses/" (grant.license) } { (record.license_title) } }
                @else { (record.license_title) }
            },
        ),
        (text!("grant-talent"), html! { (record.talent_name) }),
        (
            text!("grant-licensor"),
            html! { (record.licensor.name) " " span.quiet { (tenant_type(record.licensor.kind)) } },
        ),
        (
            text!("grant-licensee"),
            html! { (record.licensee.name) " " span.quiet { (tenant_type(record.licensee.kind)) } },
        ),
        (text!("grant-accepted-by"), html! { (grant.accepted_by_name) }),
        (text!("grant-accepted"), ago(person.now(), grant.created_at)),
        (
            text!("grant-request"),
            html! { a href=(request::path(grant.request)) { (text!("grant-view-request")) } },
        ),
    ])
}

/// Downloads the receipt.
pub(crate) async fn download_receipt(
    person: Person,
    Segment(id): Segment<GrantId>,
    params: Params,
) -> Outcome {
    let (app, caller) = (person.app(), caller(&person));
    let included = shared::included(&params)?;
    let (view, receipt) = receipt::issue(app, caller, id, included.as_deref()).await?;
    Ok(receipt_response(&view.record.grant.number.to_string(), receipt))
}

/// Downloads the certificate.
pub(crate) async fn download_certificate(person: Person, Segment(id): Segment<GrantId>) -> Outcome {
    let (app, context) = (person.app(), person.context());
    let file = certificate::render(app, context, caller(&person), id).await?;
    let name = format!("attachment; filename=\"{}\"", file.name);
    let kind = "application/pdf".to_owned();
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, file.pdf).into_response())
}
