//! Sample cases: what the agency does about uses that it did not allow, by its own acts.

use grantor_domain::case::{CasePatch, CaseStatus};
use grantor_domain::id::MentionId;
use grantor_domain::patch::Patch;
use grantor_domain::{Error, Result};

use super::mentions::{self, SampleMention};
use super::people::Account;
use grantor_service::App;
use grantor_service::identity::access::TenantCaller;
use grantor_service::watching::case;

/// The path of the mention, a comment, and the status.
const CASES: [(&str, &str, CaseStatus); 2] = [
    (
        "hands-on-the-menu",
        "They offer to replace the cover. We wait until the end of the month.",
        CaseStatus::Open,
    ),
    ("/clips/63990", "Loopwell has removed the clip. Nothing is left to do.", CaseStatus::Closed),
];

/// Opens the cases and returns their mentions.
pub(super) async fn open(
    app: &App,
    agency: &Account,
    mentions: &[SampleMention],
) -> Result<Vec<MentionId>> {
    let (context, caller) = (agency.context(app), TenantCaller::from(&*agency.caller));
    let mut opened = Vec::with_capacity(CASES.len());
    for (path, comment, status) in CASES {
        let found = mentions::position(path).and_then(|at| mentions.get(at));
        let id = found.ok_or_else(|| Error::not_found("Mention"))?.id;
        case::open(app, &context, caller, id, Patch::Set(agency.user)).await?;
        case::comment(app, &context, caller, id, comment).await?;
        if status != CaseStatus::Open {
            let patch = CasePatch { status: Some(status), assignee: Patch::Keep, expected: None };
            case::change(app, &context, caller, id, patch).await?;
        }
        opened.push(id);
    }
    Ok(opened)
}
