//! The decisions about a mention: who decided what and when.

use grantor_domain::Result;
use grantor_domain::mention::{DecisionState, MentionDecision, MentionStatus};
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::LicenseAct;
use grantor_messages::text;
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
    let heads = [
        text!("mention-history-when"),
        text!("mention-history-who"),
        text!("mention-history-before"),
        text!("mention-decision"),
    ];
    let table = Table::new(text!("mention-history-caption"), &heads)
        .rows(&found.items, |it| row(person, it));
    html! {
        @if found.total > 0 {
            (card(text!("mention-history"), html! { (table.show()) (pager(found, &person.here)) }))
        }
    }
}

fn row(person: &Person, it: &MentionDecision) -> Vec<Markup> {
    vec![
        ago(person.now(), it.at),
        html! { (it.by_name) },
        html! { @if let Some(from) = it.from { span.quiet { (words(from)) } } },
        html! { (words(it.to)) },
    ]
}

fn words(state: DecisionState) -> &'static str {
    match (state.status, state.allowed) {
        (MentionStatus::New, _) => text!("mention-not-decided"),
        (MentionStatus::Dismissed, _) => text!("mention-is-not-them"),
        (MentionStatus::Confirmed, None) => text!("mention-is-them"),
        (MentionStatus::Confirmed, Some(true)) => text!("mention-is-them-allowed"),
        (MentionStatus::Confirmed, Some(false)) => text!("mention-is-them-not-allowed"),
    }
}
