//! The page of one grant.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::Result;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::GrantId;
use grantor_domain::role::Right;
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
        self.view.party == Party::Owner && !over && person.may(Right::ManageLicenses)
    }

    /// Renders the page. What was entered belongs to the only form that the user sees.
    pub(super) fn draw(&self, person: &Person, entered: &FormData) -> Response {
        let (view, grant) = (&self.view, &self.view.record.grant);
        let number = grant.number.to_string();
        let (revokes, shares) = (self.revokes(person), shared::may_share(person, view));
        let body = html! {
            (head(&number, &view.record.license_title, html! {
                a.button.plain href=(LIST) { "Back to grants" }
            }))
            @if !revokes && !shares { (error_summary(entered)) }
            (revocation_notice(person, view))
            div.split.with-summary {
                (card("Grant", details(person, view)))
                div {
                    (card("Terms", full(&grant.terms)))
                    @if let Some(links) = &self.links {
                        (card("Shared links", shared::section(person, view, links, entered)))
                    }
                    (card("Receipt", html! {
                        p {
                            "The signed proof of this grant. Anyone can "
                            a href="/verify" { "verify it" } ", without an account."
                        }
                        (shared::download_form(grant.id))
                        details.more {
                            summary { "Show the text of the receipt" }
                            (code("Receipt", &self.receipt))
                        }
                    }))
                }
                div {
                    (card("Certificate", certificate_section(view, shares)))
                    @if revokes { (card("Revoke grant", revoke::section(grant.id, entered))) }
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
            p.quiet { "A revoked grant has no certificate." }
        } @else {
            p {
                a.button href={ (address) "/certificate.pdf" } download { "Download certificate" }
            }
            p.quiet {
                "A PDF to print, without the fee. "
                @match (view.party, shares) {
                    (Party::Asker, true) => {
                        "Its QR code leads to a shared link, which the first download creates. "
                        "If you withdraw that link, the QR code of printed certificates leads nowhere."
                    }
                    (Party::Asker, false) => {
                        "Its QR code leads to the shared link for certificates. If there is none, it "
                        "has no QR code, and the receipt attached to it proves the grant."
                    }
                    (Party::Owner, _) => {
                        "It has no QR code, because only the licensee shares links. The receipt attached "
                        "to it proves the grant."
                    }
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
                    "This grant was revoked"
                    @if let Some(at) = grant.revoked_at { " " (ago(person.now(), at)) }
                    @if let Some(name) = view.revoked_by() { " by " (name) }
                    "."
                }
                p.lines { "Reason: " (reason) }
            }))
        }
    }
}

fn details(person: &Person, view: &GrantView) -> Markup {
    let (record, grant) = (&view.record, &view.record.grant);
    // The licensee sees the license while the grant is active.
    let visible = view.party == Party::Owner || view.status == GrantStatus::Active;
    facts(&[
        ("Number", html! { (grant.number) }),
        ("Status", badge(view.status.name())),
        (
            "License",
            html! {
                @if visible { a href={ "/app/licenses/" (grant.license) } { (record.license_title) } }
                @else { (record.license_title) }
            },
        ),
        ("Talent", html! { (record.talent_name) }),
        (
            "Licensor",
            html! { (record.licensor.name) " " span.quiet { (record.licensor.kind.name()) } },
        ),
        (
            "Licensee",
            html! { (record.licensee.name) " " span.quiet { (record.licensee.kind.name()) } },
        ),
        ("Accepted by", html! { (grant.accepted_by_name) }),
        ("Accepted", ago(person.now(), grant.created_at)),
        ("Request", html! { a href=(request::path(grant.request)) { "View the request" } }),
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
