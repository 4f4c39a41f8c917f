//! Grants in the way of an offer: of one that was made, is being made, or was asked for.

use grantor_domain::grant::{GrantNumber, Party};
use grantor_domain::id::GrantId;
use grantor_messages::text;
use grantor_service::licensing::grant::{BlockingGrant, GrantView};
use grantor_service::licensing::request::RequestView;
use maud::{Markup, html};

use super::terms::{place_names, use_names};
use super::{is_owner, may_act, may_write, path};
use crate::frame::Person;
use crate::view::notice;
use crate::view::rich::rich;
use crate::view::time::date;

/// Says that the open offer cannot be accepted, and what the user can do. Only the owner of the
/// license learns which grant is in the way.
pub(super) fn blocked(person: &Person, view: &RequestView, grant: &BlockingGrant) -> Markup {
    let request = path(view.record.request.id);
    let overlaps = text!("request-blocked");
    let write_to = || text!("request-write-to", name = &view.record.owner.name);
    notice(
        "warn",
        html! {
            @match (view.party, is_owner(person, view)) {
                (Party::Owner, true) => {
                    p { (rich!("request-blocked-by", grant = grant_link(grant.id, grant.number))) }
                    @if may_act(person, view) { p { (text!("request-blocked-next")) } }
                }
                (Party::Owner, false) => p { (overlaps) },
                (Party::Asker, _) => {
                    p { (overlaps) }
                    @if may_write(person, view) {
                        p {
                            (rich!("request-ask-for-terms", link = html! {
                                a href={ (request) "#message" } { (write_to()) }
                            }))
                        }
                    }
                }
            }
        },
    )
}

/// Tells the owner which exclusive grant is in the way of what was asked for.
pub(super) fn overlapping(GrantView { record, .. }: &GrantView) -> Markup {
    let (grant, coverage) = (&record.grant, &record.grant.terms.coverage);
    let link = grant_link(grant.id, grant.number);
    let uses = use_names(coverage.uses.as_slice());
    let territories = place_names(coverage.territories.as_slice());
    let overlaps = match coverage.ends_at {
        Some(end) => {
            let date = date(end);
            rich!(
                "request-overlaps-until",
                grant = link,
                uses = uses,
                territories = territories,
                date = date
            )
        }
        None => rich!("request-overlaps", grant = link, uses = uses, territories = territories),
    };
    notice("warn", html! { p { (overlaps) } p { (text!("request-overlaps-next")) } })
}

/// Leads the owner to the grant that the terms of an offer overlap with.
pub(super) fn overlap_refused(grant: &BlockingGrant) -> Markup {
    let view = text!("request-view-grant");
    notice(
        "warn",
        html! {
            p { (text!("request-overlaps-next")) " " a href={ "/app/grants/" (grant.id) } { (view) } }
        },
    )
}

fn grant_link(id: GrantId, number: GrantNumber) -> Markup {
    let number = number.to_string();
    html! { a href={ "/app/grants/" (id) } { (text!("request-grant", number = number)) } }
}
