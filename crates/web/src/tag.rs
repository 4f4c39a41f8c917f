//! Tags of licenses and talents, and `/app/tags`: suggestions for their fields.

use axum::response::IntoResponse as _;
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::tag::{TaggedKind, Tags};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::licensing::tag::{self, TagChange};
use maud::html;
use uuid::Uuid;

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::view::tag::tags_card;
use crate::view::{NavItem, head};

/// How many tags are suggested.
const SUGGESTED: u32 = 20;

/// Suggests tags that begin with a text.
pub(crate) async fn suggest(person: Person, params: Params) -> Outcome {
    let text = params.get("search").unwrap_or_default();
    let tags = tag::suggest(person.app(), &person.caller, text, SUGGESTED).await?;
    Ok(html! { @for tag in tags { option value=(tag) {} } }.into_response())
}

/// Returns the tags of a record.
pub(crate) async fn tags_of(person: &Person, kind: TaggedKind, id: Uuid) -> Result<Vec<String>> {
    let mut found = tag::list_of(person.app(), &person.caller, kind, vec![id]).await?;
    Ok(found.remove(&id).unwrap_or_default())
}

/// Changes the tags of a license.
pub(crate) async fn change_license(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: FormData,
) -> Outcome {
    change(&person, (TaggedKind::License, id.as_uuid()), "/app/licenses", entered).await
}

/// Changes the tags of a talent.
pub(crate) async fn change_talent(
    person: Person,
    Segment(id): Segment<TalentId>,
    entered: FormData,
) -> Outcome {
    change(&person, (TaggedKind::Talent, id.as_uuid()), "/app/talents", entered).await
}

/// Changes the tags of a record. What is refused is shown on a page of its own.
async fn change(
    person: &Person,
    (kind, id): (TaggedKind, Uuid),
    list: &str,
    entered: FormData,
) -> Outcome {
    let path = format!("{list}/{id}");
    let error = match apply(person, (kind, id), &entered).await {
        Ok(()) => return Ok(person.redirect(path, text!("tag-updated"))),
        Err(error) => error,
    };
    if !matches!(error.kind(), ErrorKind::Validation | ErrorKind::Conflict) {
        return Err(error.into());
    }
    let tags = tags_of(person, kind, id).await?;
    let nav = match kind {
        TaggedKind::License => NavItem::Licenses,
        TaggedKind::Talent => NavItem::Talents,
    };
    Ok(person.redisplay(error, entered, |entered| {
        let body = html! {
            (head(text!("tag-list"), "", html! { a.button.plain href=(path) { (text!("action-cancel")) } }))
            (tags_card(&format!("{path}/tags"), list, &tags, true, entered))
        };
        person.page(text!("tag-list"), nav, body)
    }))
}

async fn apply(person: &Person, of: (TaggedKind, Uuid), entered: &FormData) -> Result<()> {
    let mut fields = entered.fields();
    let read = |name: &str| Tags::parse(entered.get(name));
    let remove = fields.take("tags", read("remove")).unwrap_or_default();
    let add = fields.take("tags", read("tags")).unwrap_or_default();
    fields.finish()?;
    if add.as_slice().is_empty() && remove.as_slice().is_empty() {
        return Err(Error::field("tags", "is required"));
    }
    let change = TagChange { add, remove };
    tag::change(person.app(), person.context(), person.caller(), of, change).await?;
    Ok(())
}
