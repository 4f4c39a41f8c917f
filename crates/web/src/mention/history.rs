//! The decisions about a mention: who decided what and when.

use grantor_domain::Result;
use grantor_domain::mention::{DecisionState, MentionDecision, MentionStatus};
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::LicenseAct;
use grantor_service::watching::mention::{self, MentionView};
use maud::{Markup, html};

use crate::frame::Person;
use crate::view::{Table, ago, card, pager};

/// The decisions on one page, newest first, for those who review the mention. Empty for others.
pub(super) async fn load(
    person: &Person,
    seen: &MentionView,
    page: Page,
) -> Result<Listing<MentionDecision>> {
    if !seen.role.may(LicenseAct::ReviewMentions) {
        return Ok(Listing::new(page, vec![], 0));
    }
    let (reader, id) = (person.caller.reader(), seen.shown.mention.id);
    mention::decisions(person.app(), reader, id, page).await
}

/// The decisions as a table. Nothing if there are none.
pub(super) fn draw(person: &Person, found: &Listing<MentionDecision>) -> Markup {
    let heads = ["When", "Who", "Before", "Decision"];
    let table = Table::new("History of decisions", &heads).rows(&found.items, |it| row(person, it));
    html! {
        @if found.total > 0 {
            (card("History", html! { (table.show()) (pager(found, &person.here)) }))
        }
    }
}

fn row(person: &Person, it: &MentionDecision) -> Vec<Markup> {
    vec![
        ago(person.now(), it.at),
        html! { (it.by_name) },
        html! { span.quiet { (it.from.map_or("–", words)) } },
        html! { (words(it.to)) },
    ]
}

fn words(state: DecisionState) -> &'static str {
    match (state.status, state.allowed) {
        (MentionStatus::New, _) => "Not decided",
        (MentionStatus::Dismissed, _) => "It is not them",
        (MentionStatus::Confirmed, None) => "It is them",
        (MentionStatus::Confirmed, Some(true)) => "It is them, allowed",
        (MentionStatus::Confirmed, Some(false)) => "It is them, not allowed",
    }
}
