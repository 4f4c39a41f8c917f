//! Offers that an exclusive grant keeps from being accepted.

use grantor_domain::grant::Party;
use grantor_service::licensing::grant::BlockingGrant;
use grantor_service::licensing::request::RequestView;
use maud::{Markup, html};

use super::{is_owner, may_write, path};
use crate::frame::Person;
use crate::view::notice;

/// Says that the open offer cannot be accepted, and what the user can do. Only the owner of the
/// license learns which grant is in the way.
pub(super) fn blocked(person: &Person, view: &RequestView, grant: &BlockingGrant) -> Markup {
    let request = path(view.record.request.id);
    let overlaps = "This offer can't be accepted: it overlaps with another grant of the talent.";
    notice(
        "warn",
        html! {
            @match (view.party, is_owner(person, view)) {
                (Party::Owner, true) => {
                    p {
                        "This offer can't be accepted: it overlaps with "
                        a href={ "/app/grants/" (grant.id) } { "grant " (grant.number) }
                        ", and one of the two is exclusive."
                    }
                    @if view.may_act { p { "Replace the offer with other terms, or withdraw it." } }
                }
                (Party::Owner, false) => p { (overlaps) },
                (Party::Asker, _) => {
                    p { (overlaps) }
                    @if may_write(person, view) {
                        p {
                            a href={ (request) "#message" } { "Write a message to " (view.record.owner.name) }
                            " to ask for other terms."
                        }
                    }
                }
            }
        },
    )
}
