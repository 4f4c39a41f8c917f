//! The wire types of cases.

use grantor_domain::Timestamp;
use grantor_domain::case::{CaseComment, LookResult};
use grantor_domain::id::UserId;
use grantor_service::watching::case::{CaseView, Draft, ListedCase, StoredLetter};
use serde::Serialize;
use utoipa::ToSchema;

use crate::frame::describe::value;

/// A case: what is done about a mention.
#[derive(Serialize, ToSchema)]
#[schema(as = MentionCase)]
pub(in crate::external) struct CaseBody {
    /// The ID of the mention, which is also that of the case.
    #[schema(inline, value_type = value::Id)]
    mention_id: String,
    /// The status.
    #[schema(inline, value_type = value::CaseStatusName)]
    status: &'static str,
    /// The user who works on the case. Null for nobody.
    assignee: Option<PersonBody>,
    opened_by: OpenerBody,
    /// When the case was opened.
    #[schema(value_type = String, format = DateTime)]
    opened_at: Timestamp,
    /// When the case was last changed. Looks that find nothing new don't change it.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// Incremented by every change.
    version: u32,
    /// A link to the evidence that works without an account until the case is closed. Null if it is
    /// closed.
    #[schema(required, format = "uri")]
    evidence_url: Option<String>,
    looks: LooksBody,
    /// The comments, oldest first. At most 500.
    comments: Vec<CommentBody>,
    /// The letters that were sent, oldest first. At most 100.
    letters: Vec<LetterBody>,
    /// A draft of each kind of letter, from the organization's templates. Empty if no letter can be
    /// sent.
    drafts: Vec<DraftBody>,
}

/// A case in a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedCase)]
pub(in crate::external) struct ListedCaseBody {
    /// The ID of the mention, which is also that of the case.
    #[schema(inline, value_type = value::Id)]
    mention_id: String,
    /// The URL of the content.
    url: String,
    /// The title of the content.
    title: String,
    /// The name of the talent.
    talent: String,
    /// The status.
    #[schema(inline, value_type = value::CaseStatusName)]
    status: &'static str,
    /// The user who works on the case. Null for nobody.
    assignee: Option<PersonBody>,
    /// When the page was last looked at.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_look_at: Option<Timestamp>,
    /// When the case was opened.
    #[schema(value_type = String, format = DateTime)]
    opened_at: Timestamp,
    /// When the case was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// A user.
#[derive(Serialize, ToSchema)]
#[schema(as = CasePerson)]
struct PersonBody {
    /// The user's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The user's name.
    name: String,
}

/// Who opened a case.
#[derive(Serialize, ToSchema)]
#[schema(as = CaseOpener)]
struct OpenerBody {
    /// The ID of the user, also if an API client acted for them.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The name of that user.
    name: String,
    /// The name of the person or of the API client that opened the case, at that time.
    author: String,
}

/// The daily looks at the page.
#[derive(Serialize, ToSchema)]
#[schema(as = CaseLooks)]
struct LooksBody {
    /// When the page was last looked at.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_at: Option<Timestamp>,
    /// What the last look found: `match` (the talent is still there), `no_match`, `gone` (status
    /// 404 or 410) or `failed` (the page could not be read, which never counts).
    #[schema(required, inline, value_type = Option<value::LookResultName>)]
    last_result: Option<&'static str>,
    /// The first look that did not find the talent, since the last that did.
    #[schema(value_type = Option<String>, format = DateTime)]
    gone_since: Option<Timestamp>,
    /// How many looks did not find the talent since then.
    misses: u32,
    /// When the page is looked at next. Null if it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_at: Option<Timestamp>,
    /// Since when the mention is removed.
    #[schema(value_type = Option<String>, format = DateTime)]
    removed_at: Option<Timestamp>,
}

/// A comment on a case.
#[derive(Serialize, ToSchema)]
#[schema(as = CaseComment)]
struct CommentBody {
    /// The comment's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The name of the person or of the API client that wrote it, or that did what it says.
    /// `Grantor` for comments about looks.
    author: String,
    /// The text.
    text: String,
    /// When the comment was written.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// A letter that was sent.
#[derive(Serialize, ToSchema)]
#[schema(as = CaseLetter)]
struct LetterBody {
    /// The letter's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The recipient.
    to: String,
    /// The subject.
    subject: String,
    /// The text.
    text: String,
    /// The name of the person or of the API client that sent the letter.
    author: String,
    /// When the letter was sent.
    #[schema(value_type = String, format = DateTime)]
    sent_at: Timestamp,
    /// `queued`, `sent` or `failed`. Null some days later.
    #[schema(required, inline, value_type = Option<value::LetterDelivery>)]
    delivery: Option<String>,
}

/// A draft of a letter.
#[derive(Serialize, ToSchema)]
#[schema(as = CaseLetterDraft)]
struct DraftBody {
    /// What the letter asks for.
    #[schema(inline, value_type = value::LetterKindName)]
    kind: &'static str,
    /// The subject.
    subject: String,
    /// The text.
    text: String,
    /// Why it may be wrong to send it: the use is licensed by now. Null otherwise.
    warning: Option<String>,
}

impl From<CaseView> for CaseBody {
    fn from(view: CaseView) -> Self {
        let CaseView { record, comments, letters, evidence_url, drafts, .. } = view;
        let case = record.case;
        Self {
            mention_id: case.mention.to_string(),
            status: case.status.name(),
            assignee: person(case.assignee, record.assignee_name),
            opened_by: OpenerBody {
                id: case.opened_by.to_string(),
                name: record.opener_name.unwrap_or_else(|| record.opened_by_name.clone()),
                author: record.opened_by_name,
            },
            opened_at: case.opened_at,
            updated_at: case.updated_at,
            version: case.version,
            evidence_url,
            looks: LooksBody {
                last_at: case.looks.last_at,
                last_result: case.looks.last_result.map(LookResult::name),
                gone_since: case.looks.gone_since,
                misses: case.looks.misses,
                next_at: case.looks.next_at,
                removed_at: case.removed_at,
            },
            comments: comments.into_iter().map(CommentBody::from).collect(),
            letters: letters.into_iter().map(LetterBody::from).collect(),
            drafts: drafts.into_iter().map(DraftBody::from).collect(),
        }
    }
}

fn person(id: Option<UserId>, name: Option<String>) -> Option<PersonBody> {
    id.map(|id| PersonBody { id: id.to_string(), name: name.unwrap_or_default() })
}

impl From<ListedCase> for ListedCaseBody {
    fn from(it: ListedCase) -> Self {
        Self {
            mention_id: it.mention.to_string(),
            url: it.url,
            title: it.title,
            talent: it.talent_name,
            status: it.status.name(),
            assignee: it.assignee.map(|(id, name)| PersonBody { id: id.to_string(), name }),
            last_look_at: it.last_look_at,
            opened_at: it.opened_at,
            updated_at: it.updated_at,
        }
    }
}

impl From<CaseComment> for CommentBody {
    fn from(it: CaseComment) -> Self {
        Self { id: it.id.to_string(), author: it.author, text: it.text, created_at: it.created_at }
    }
}

impl From<StoredLetter> for LetterBody {
    fn from(StoredLetter { letter, delivery }: StoredLetter) -> Self {
        Self {
            id: letter.id.to_string(),
            to: letter.to,
            subject: letter.subject,
            text: letter.text,
            author: letter.author,
            sent_at: letter.sent_at,
            delivery,
        }
    }
}

impl From<Draft> for DraftBody {
    fn from(Draft { kind, subject, text, warning }: Draft) -> Self {
        Self { kind: kind.name(), subject, text, warning }
    }
}
