//! Offers that an exclusive grant keeps from being accepted.

use grantor_domain::grant::Party;
use grantor_messages::text;
use grantor_service::licensing::grant::BlockingGrant;
use grantor_service::licensing::request::RequestView;
use maud::{Markup, html};

use super::{is_owner, may_write, path};
use crate::frame::Person;
use crate::view::notice;
use crate::view::rich::rich;

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
                    p { (rich!("request-blocked-by", grant = grant_link(grant))) }
                    @if view.may_act { p { (text!("request-blocked-next")) } }
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

fn grant_link(grant: &BlockingGrant) -> Markup {
    let number = grant.number.to_string();
    html! { a href={ "/app/grants/" (grant.id) } { (text!("request-grant", number = number)) } }
}
