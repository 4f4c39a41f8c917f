//! The part of a mention's page that is about its case.

use grantor_domain::case::CaseStatus;
use grantor_domain::mention::MentionStatus;
use grantor_domain::permission::PermissionRole;
use grantor_domain::role::Right;
use grantor_messages::text;
use grantor_service::watching::case;
use grantor_service::watching::mention::MentionView;
use maud::{Markup, html};

use super::{status_badge, tenant_caller, warning};
use crate::frame::Person;
use crate::view::rich::rich;
use crate::view::{ago, card, notice, post_button};

/// What is done about the mention, for those who review it. Empty for others.
#[derive(Default)]
pub(crate) struct CaseSection {
    pub(crate) markup: Markup,
    /// Whether there is a case that another decision would close.
    pub(crate) is_open: bool,
}

/// Draws what is done about the mention.
pub(crate) async fn section(
    person: &Person,
    seen: &MentionView,
) -> grantor_domain::Result<CaseSection> {
    if seen.role < PermissionRole::Trustee {
        return Ok(CaseSection::default());
    }
    let mention = &seen.shown.mention;
    let page = format!("/app/mentions/{}", mention.id);
    let here = format!("{page}/case");
    let not_allowed = [("status", "confirmed"), ("allowed", "no"), ("back", &*page)];
    let found = case::find(person.app(), tenant_caller(person), mention.id).await?;
    let Some(found) = found else {
        let refusal = case::check_mention(mention).err();
        let markup = card(
            text!("case-title"),
            html! {
                @match refusal {
                    Some(reason) => {
                        p.quiet { (grantor_messages::error(reason.message())) }
                        @if mention.status == MentionStatus::Confirmed && person.acts(Right::ReviewMentions) {
                            (post_button(&format!("{page}/decide"), text!("case-mark-not-allowed"), &not_allowed))
                        }
                    }
                    None => {
                        p { (text!("case-open-why")) }
                        @if person.acts(Right::ReviewMentions) { (post_button(&here, text!("case-open"), &[])) }
                    }
                }
            },
        );
        return Ok(CaseSection { markup, is_open: false });
    };
    let kept = &found.record.case;
    let (now, is_open) = (person.now(), kept.status != CaseStatus::Closed);
    let markup = card(
        text!("case-title"),
        html! {
            @if let Some(warning) = warning(seen) { (notice("warn", html! { p { (warning) } })) }
            p { (status_badge(kept.status)) }
            p {
                @if is_open {
                    @match &found.record.assignee_name {
                        Some(name) => (text!("case-somebody-works", person = name)),
                        None => (text!("case-nobody-works")),
                    }
                }
                @if let Some(at) = kept.looks.last_at { " " (rich!("case-looked-at", time = ago(now, at))) }
            }
            p { a.button.small href=(here) { (text!("case-view")) } }
        },
    );
    Ok(CaseSection { markup, is_open })
}
