//! `/app/bulk`: what is done to the selected rows of a list. Everything but an export is confirmed on
//! a page first.

mod act;

use axum::response::Response;
use grantor_domain::batch::{BatchCommand, BatchItem, BatchList};
use grantor_domain::id::BatchId;
use grantor_domain::mention::MentionStatus;
use grantor_domain::permission::PermissionRole;
use grantor_domain::request::DECLINE_REASON;
use grantor_domain::tag::{TaggedKind, Tags};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::operations::batch::{self, BatchStatus, Chosen, Filter, MAX_ITEMS};
use grantor_service::organizations::party::FoundParty;
use maud::{Markup, html};
use uuid::Uuid;

use self::act::{BulkAct, question, undo_hint};
use crate::batch::{changed_rows, lead_to, nav_of, path_of, summary};
use crate::frame::{FormData, Outcome, Params, Person};
use crate::party::{self, ChosenParty, EnteredParty, PartyRefusal};
use crate::view::party::{Accepts, party_field};
use crate::view::selection::Action;
use crate::view::tag::tag_field;
use crate::view::{area, card, form, head, hidden, select};
use crate::{export, license, mention, request, talent};

/// The field of the organization that licenses are shared with.
const GRANTEE: &str = "grantee";
/// How many names the confirmation lists.
const NAMED: usize = 10;

/// The choices of a permission.
fn roles() -> [(&'static str, &'static str); 3] {
    [
        ("viewer", text!("bulk-share-viewer")),
        ("trustee", text!("bulk-share-trustee")),
        ("licensor", text!("bulk-share-licensor")),
    ]
}

/// The actions of a list that the person may use. `changeable` is whether the list may have rows that
/// they may change; any row can be exported. Staff who view an organization only look.
pub(crate) fn actions(person: &Person, list: BatchList, changeable: bool) -> Vec<Action> {
    let allowed = |it: &&BulkAct| {
        !person.is_viewed()
            && (changeable || **it == BulkAct::Export)
            && it.rights(list).iter().any(|right| person.may(*right))
    };
    BulkAct::of(list).iter().filter(allowed).map(|it| it.action()).collect()
}

/// Which rows are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scope {
    Rows(Vec<Uuid>),
    All,
}

/// The selection that a form sends.
struct Selected {
    list: BatchList,
    act: BulkAct,
    scope: Scope,
    /// The address of the list with its filters.
    back: String,
}

impl Selected {
    fn read(entered: &FormData) -> Result<Self> {
        entered.check_text()?;
        let list = entered.get("list").parse::<BatchList>();
        let list = list.map_err(|error| Error::field("list", error))?;
        let wanted = entered.get("act");
        let act = BulkAct::ALL.into_iter().find(|it| it.name() == wanted);
        let act = act.filter(|it| BulkAct::of(list).contains(it));
        let act = act.ok_or_else(not_a_button)?;
        let scope = match entered.get("scope") {
            "all" => Scope::All,
            "page" => Scope::Rows(ids(entered.get("shown").split(' '))),
            _ => Scope::Rows(ids(entered.all("item"))),
        };
        let back = back(list, entered.get("here"));
        Ok(Self { list, act, scope, back })
    }

    /// The filters of the list, as its address has them.
    fn params(&self) -> Params {
        Params::read(self.back.split_once('?').map_or("", |(_, query)| query))
    }

    fn chosen(&self, person: &Person) -> Result<Chosen> {
        Ok(match &self.scope {
            Scope::Rows(ids) => Chosen::Ids(ids.clone()),
            Scope::All => Chosen::Matching(Box::new(filter(person, self.list, &self.params())?)),
        })
    }

    async fn items(&self, person: &Person) -> Result<Vec<BatchItem>> {
        let chosen = self.chosen(person)?;
        batch::select(person.app(), &person.caller, self.list, chosen).await
    }
}

fn not_a_button() -> Error {
    Error::field("act", "must be one of the buttons")
}

/// The records that a form names.
fn ids<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Uuid> {
    texts.filter_map(|it| it.parse::<Uuid>().ok()).take(MAX_ITEMS + 1).collect()
}

/// The filters of a list.
fn filter(person: &Person, list: BatchList, params: &Params) -> Result<Filter> {
    match list {
        BatchList::Licenses => license::matching(person, params),
        BatchList::Talents => talent::matching(params),
        BatchList::Mentions => mention::matching(params),
        BatchList::Requests => request::matching(params),
    }
}

/// The address of the list. Any other address is replaced by that of the whole list.
fn back(list: BatchList, here: &str) -> String {
    let path = path_of(list);
    let (given, query) = here.split_once('?').unwrap_or((here, ""));
    if given == path && !query.is_empty() { format!("{path}?{query}") } else { path.to_owned() }
}

/// Takes the form of the selection bar.
pub(crate) async fn submit(person: Person, entered: FormData) -> Outcome {
    let selected = Selected::read(&entered)?;
    if selected.act == BulkAct::Export {
        let chosen = match &selected.scope {
            Scope::Rows(ids) => Some(ids.clone()),
            Scope::All => None,
        };
        return export::selected(person, selected.list, chosen, selected.params()).await;
    }
    let items = selected.items(&person).await?;
    if items.is_empty() {
        return Ok(person.redirect_failed(&selected.back, text!("bulk-select-one")));
    }
    Ok(confirmation(&person, &selected, &items, &[], &FormData::default()))
}

/// Starts what was confirmed.
pub(crate) async fn start(person: Person, entered: FormData) -> Outcome {
    let selected = Selected::read(&entered)?;
    let items = selected.items(&person).await?;
    if items.is_empty() {
        return Ok(person.redirect_failed(&selected.back, text!("bulk-select-one")));
    }
    match command(&person, &selected, &entered).await {
        Ok(command) => start_batch(&person, &selected, command, &items).await,
        Err(PartyRefusal { error, choices }) => Ok(person.redisplay(error, entered, |entered| {
            confirmation(&person, &selected, &items, &choices, entered)
        })),
    }
}

async fn start_batch(
    person: &Person,
    selected: &Selected,
    command: BatchCommand,
    items: &[BatchItem],
) -> Outcome {
    let (app, context) = (person.app(), person.context());
    let id: BatchId = batch::start(app, context, person.caller(), command, items).await?;
    let started = batch::get(app, &person.caller, id).await?;
    if started.status == BatchStatus::Finished && started.failed == 0 {
        let (message, rows) = (summary(&started), changed_rows(&started));
        return Ok(person.redirect_after(&selected.back, &started, &message, &rows));
    }
    Ok(lead_to(person, &started, text!("bulk-started")))
}

/// What is decided about mentions.
const fn decision(status: MentionStatus, allowed: Option<bool>) -> BatchCommand {
    BatchCommand::Decide { status, allowed }
}

/// What the person confirmed, with the values of the form.
async fn command(
    person: &Person,
    selected: &Selected,
    entered: &FormData,
) -> Result<BatchCommand, PartyRefusal> {
    let kind = match selected.list {
        BatchList::Talents => TaggedKind::Talent,
        _ => TaggedKind::License,
    };
    Ok(match selected.act {
        BulkAct::Publish => BatchCommand::Publish,
        BulkAct::MakePrivate => BatchCommand::MakePrivate,
        BulkAct::Expire => BatchCommand::Expire,
        BulkAct::Withdraw => BatchCommand::Withdraw,
        BulkAct::Share => share(person, entered).await?,
        BulkAct::Tag => BatchCommand::Tag { kind, tags: tags(entered)? },
        BulkAct::Untag => BatchCommand::Untag { kind, tags: tags(entered)? },
        BulkAct::Decline => {
            let mut fields = entered.fields();
            entered.required(&mut fields, "reason");
            let reason = fields.take("reason", DECLINE_REASON.parse(entered.get("reason")));
            fields.finish()?;
            BatchCommand::Decline { reason: reason.unwrap_or_default() }
        }
        BulkAct::Confirm => decision(MentionStatus::Confirmed, None),
        BulkAct::NotAllowed => decision(MentionStatus::Confirmed, Some(false)),
        BulkAct::Dismiss => decision(MentionStatus::Dismissed, None),
        BulkAct::Export => return Err(not_a_button().into()),
    })
}

fn tags(entered: &FormData) -> Result<Tags> {
    let mut fields = entered.fields();
    let text = entered.required(&mut fields, "tags");
    let tags = fields.take("tags", Tags::parse(text));
    fields.finish()?;
    tags.ok_or_else(|| Error::field("tags", "is required"))
}

/// A person would get an email for each license, so only organizations can be chosen.
async fn share(person: &Person, entered: &FormData) -> Result<BatchCommand, PartyRefusal> {
    let mut fields = entered.fields();
    let party = party::read(entered, GRANTEE, &mut fields);
    let role = entered.required(&mut fields, "role");
    let role = fields.take("role", role.parse::<PermissionRole>());
    if matches!(party, Some(EnteredParty::Email(_))) {
        let message = "must be an organization; share licenses with a person one at a time";
        fields.add(GRANTEE, message);
    }
    fields.finish()?;
    let unread = || Error::validation("Some fields are not valid");
    let (party, role) = party.zip(role).ok_or_else(unread)?;
    match party::resolve(person, party, Accepts::Organizations, GRANTEE, entered).await? {
        ChosenParty::Tenant(FoundParty { id, name, .. }) => {
            Ok(BatchCommand::Share { organization: id, name, role })
        }
        ChosenParty::Email(_) => Err(unread().into()),
    }
}

/// The page that asks for consent.
fn confirmation(
    person: &Person,
    selected: &Selected,
    items: &[BatchItem],
    choices: &[FoundParty],
    entered: &FormData,
) -> Response {
    let label = selected.act.label();
    let too_many = items.len() > MAX_ITEMS;
    let (list, count) = (selected.list.name(), items.len().min(MAX_ITEMS));
    let title = text!("bulk-title", action = label, list = list, count = count);
    let inside = html! {
        (kept(selected))
        (fields(selected.act, choices, entered))
        (names(items))
        p.quiet { (undo_hint(selected.act)) }
    };
    let body = html! {
        (head(&title, "", html! { a.button.plain href=(selected.back) { (text!("action-cancel")) } }))
        @if too_many {
            (card(text!("bulk-too-many"), html! {
                p { (text!("bulk-too-many-why", count = MAX_ITEMS)) }
            }))
        } @else {
            (card(question(selected.act), form("/app/bulk/start", entered, inside, label)))
        }
    };
    person.page(&title, nav_of(selected.list), body)
}

/// The selection, for the form to send it again.
fn kept(selected: &Selected) -> Markup {
    html! {
        (hidden("list", selected.list.name()))
        (hidden("act", selected.act.name()))
        (hidden("here", &selected.back))
        @match &selected.scope {
            Scope::All => (hidden("scope", "all")),
            Scope::Rows(ids) => {
                (hidden("scope", "page"))
                (hidden("shown", &ids.iter().map(Uuid::to_string).collect::<Vec<_>>().join(" ")))
            }
        }
    }
}

fn fields(act: BulkAct, choices: &[FoundParty], entered: &FormData) -> Markup {
    html! {
        @match act {
            BulkAct::Share => {
                (party_field(GRANTEE, text!("bulk-share-with"), Accepts::Organizations, choices, entered))
                (select("role", text!("bulk-share-role"), None, &roles(), entered))
            }
            BulkAct::Tag => (tag_field("tags", text!("bulk-tags-add"), text!("bulk-tags-hint"), entered)),
            BulkAct::Untag => (tag_field("tags", text!("bulk-tags-remove"), text!("bulk-tags-hint"), entered)),
            BulkAct::Decline => (area("reason", text!("bulk-reason"), Some(text!("bulk-reason-hint")), 3, entered)),
            _ => {}
        }
    }
}

fn names(items: &[BatchItem]) -> Markup {
    let more = items.len().saturating_sub(NAMED);
    html! {
        ul {
            @for it in items.iter().take(NAMED) {
                li { @if it.name.is_empty() { (text!("bulk-row-gone")) } @else { (it.name) } }
            }
            @if more > 0 { li { (text!("bulk-more", count = more)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(values: &[(&str, &str)]) -> FormData {
        values.iter().fold(FormData::default(), |form, (name, value)| form.with(name, *value))
    }

    #[test]
    fn a_selection_is_read_from_its_form() {
        let id = Uuid::from_u128(7);
        let id_text = id.to_string();
        let base =
            [("list", "licenses"), ("act", "publish"), ("here", "/app/licenses?status=draft")];
        let read = |more: &[(&str, &str)]| {
            let values: Vec<_> = base.iter().chain(more).copied().collect();
            Selected::read(&form(&values)).unwrap()
        };
        let rows = read(&[("item", &id_text), ("item", "odd")]);
        assert_eq!(
            (rows.scope, rows.back.as_str()),
            (Scope::Rows(vec![id]), "/app/licenses?status=draft")
        );
        let page = read(&[("scope", "page"), ("shown", &format!("{id_text} x"))]);
        assert_eq!(page.scope, Scope::Rows(vec![id]));
        let all = read(&[("scope", "all")]);
        assert_eq!(all.scope, Scope::All);
        assert_eq!(all.params().get("status"), Some("draft"));
    }

    #[test]
    fn a_selection_leads_back_to_its_own_list_only() {
        for here in ["https://evil.example/", "//evil.example", "/app/talents?a=b", ""] {
            assert_eq!(back(BatchList::Licenses, here), "/app/licenses", "{here}");
        }
        let wrong = form(&[("list", "talents"), ("act", "publish")]);
        assert!(Selected::read(&wrong).is_err(), "talents are not published");
    }
}
