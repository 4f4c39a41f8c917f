//! The talent of a new license, who is found by name, alias or external ID.

use axum::response::IntoResponse as _;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::TalentId;
use grantor_domain::page::{Order, Page};
use grantor_domain::role::Right;
use grantor_domain::search::{FindQuery, plain_words};
use grantor_domain::talent::Talent;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::licensing::talent::{self, TalentSearch};
use grantor_service::operations::record_index::{RecordOrder, RecordSort};
use grantor_service::organizations::team;
use maud::Markup;

use super::form::{ACT, FIND};
use crate::frame::{FormData, Outcome, Params, Person};
use crate::thumbnail;
use crate::view::combobox::{Choice, Choices, Combobox, choice_name, combobox, options};

/// The name of the field.
pub(super) const TALENT: &str = "talent";
/// The address of the suggestions, up to the text.
const SOURCE: &str = "/app/licenses/talents?search=";
/// How many talents are shown.
const SHOWN: u32 = 20;
/// How many talents are looked through for those of a team lead's teams.
const LOOKED_THROUGH: u32 = 100;

const NOT_YOURS: &str = "must be a talent of yours; search for the name and choose one";
const NOT_FOUND: &str = "must be the name of a talent that you can find";
const UNCLEAR: &str = "must be chosen from the talents that the search finds";

/// Suggests talents for the field.
pub(crate) async fn suggest_talents(person: Person, params: Params) -> Outcome {
    let text = params.get("search").unwrap_or_default();
    let find = FindQuery::parse(text).map_err(|error| Error::field("search", error))?;
    let found = search(&person, text, find).await?;
    Ok(options(&found.choices(&person).await?).into_response())
}

/// Talents that a search found.
struct Found {
    talents: Vec<Talent>,
    more: bool,
}

impl Found {
    async fn choices(&self, person: &Person) -> Result<Choices> {
        let ids: Vec<_> = self.talents.iter().map(|it| it.id).collect();
        let thumbnails = thumbnail::of_talents(person, ids.iter().copied()).await?;
        let external_ids = talent::external_ids(person.app(), ids).await?;
        let choice = |it: &Talent| {
            let details = external_ids.get(&it.id).into_iter().chain(it.aliases.as_slice());
            let details: Vec<_> = details.map(String::as_str).collect();
            Choice {
                id: it.id.to_string(),
                name: it.fullname.as_str().to_owned(),
                detail: details.join(" · "),
                thumbnail: thumbnails.url(it.id).map(str::to_owned),
            }
        };
        Ok(Choices { items: self.talents.iter().map(choice).collect(), more: self.more })
    }
}

/// Finds talents whom the user may license, by name. Nothing finds the first ones.
async fn search(person: &Person, text: &str, find: Option<FindQuery>) -> Result<Found> {
    let (app, caller) = (person.app(), &person.caller);
    let reach = team::right_scope(app, caller, Right::ManageLicenses).await?;
    let rows = if reach.includes(None) { SHOWN } else { LOOKED_THROUGH };
    let order = RecordOrder { sort: RecordSort::Name, order: Order::Asc };
    let wanted = TalentSearch { find, order, ..TalentSearch::default() };
    let by_name = talent::search(app, caller, wanted, Page::new(1, rows)).await?;
    let by_id = talent::list_by_external_id(app, caller, text, SHOWN).await?;
    let more = by_name.total > by_name.items.len() as u64;
    let mut talents: Vec<Talent> = vec![];
    for talent in by_name.items.into_iter().chain(by_id).map(|it| it.talent) {
        if reach.includes(talent.team) && talents.iter().all(|it| it.id != talent.id) {
            talents.push(talent);
        }
    }
    let more = more || talents.len() > SHOWN as usize;
    talents.truncate(SHOWN as usize);
    Ok(Found { talents, more })
}

/// The talents that a new license can be about.
pub(super) enum Roster {
    Nobody,
    One(TalentId),
    Several,
}

impl Roster {
    pub(super) async fn load(person: &Person) -> Result<Self> {
        let found = search(person, "", None).await?;
        Ok(match &found.talents[..] {
            [] if !found.more => Self::Nobody,
            [only] if !found.more => Self::One(only.id),
            _ => Self::Several,
        })
    }
}

/// Checks what the button is to search for.
pub(super) fn check_search(entered: &FormData) -> Result<()> {
    let mut fields = entered.fields();
    fields.take(TALENT, FindQuery::parse(entered.get(TALENT)));
    fields.finish()
}

/// Reads the talent whom the form names.
pub(super) async fn read_talent(
    person: &Person,
    entered: &FormData,
    fields: &mut Fields,
) -> Result<Option<TalentId>> {
    let named = named(person, entered).await?;
    Ok(fields.take(TALENT, named).map(|it| it.id))
}

/// Returns the talent whom the form names, or what is wrong with the field. A choice counts if it
/// fits what was typed. Without one, a name must be the whole name of exactly one talent.
async fn named(person: &Person, entered: &FormData) -> Result<Result<Talent, &'static str>> {
    let typed = entered.get(TALENT).trim();
    let choice = choice_name(TALENT);
    if let Some(id) = entered.optional(&choice) {
        let Some(talent) = own(person, id).await? else { return Ok(Err(NOT_YOURS)) };
        if fits(person, &talent, typed).await? {
            return Ok(Ok(talent));
        }
    }
    if typed.is_empty() {
        return Ok(Err("is required"));
    }
    // Links name a talent by ID.
    if is_id(typed) {
        return Ok(own(person, typed).await?.ok_or(NOT_YOURS));
    }
    match FindQuery::parse(typed) {
        Ok(find) => Ok(only(search(person, typed, find).await?, typed)),
        Err(error) => Ok(Err(error)),
    }
}

/// Returns the only talent with this name.
fn only(found: Found, name: &str) -> Result<Talent, &'static str> {
    let Found { talents, more } = found;
    if talents.is_empty() && !more {
        return Err(NOT_FOUND);
    }
    let words = plain_words(name);
    let mut called = talents.into_iter().filter(|it| plain_words(it.fullname.as_str()) == words);
    match (called.next(), called.next()) {
        (Some(talent), None) if !more => Ok(talent),
        _ => Err(UNCLEAR),
    }
}

fn is_id(text: &str) -> bool {
    text.trim().parse::<TalentId>().is_ok()
}

/// Returns the talent with this ID if it is one of the user's organization.
async fn own(person: &Person, id: &str) -> Result<Option<Talent>> {
    let Ok(id) = id.parse::<TalentId>() else { return Ok(None) };
    match talent::get(person.app(), &person.caller, id).await {
        // Another organization may have a record of the user.
        Ok(found) => Ok(Some(found.talent).filter(|it| it.tenant == person.caller.tenant)),
        Err(error) if *error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a search for the text could have found the talent.
async fn fits(person: &Person, talent: &Talent, text: &str) -> Result<bool> {
    if text.is_empty() || text == talent.fullname.as_str() {
        return Ok(true);
    }
    let email = talent.email.as_ref().map(Email::as_str);
    let find = FindQuery::parse(text).ok().flatten();
    if find.is_some_and(|it| it.finds(talent.names().chain(email))) {
        return Ok(true);
    }
    let ids = talent::external_ids(person.app(), vec![talent.id]).await?;
    Ok(ids.get(&talent.id).is_some_and(|it| it.starts_with(text)))
}

/// What the field shows.
#[derive(Default)]
pub(super) struct TalentField {
    typed: String,
    chosen: Option<Choice>,
    found: Option<Choices>,
}

impl TalentField {
    /// Loads the talent whom the form names. If the button was pressed, or it is not clear who is
    /// meant, also loads those whom the typed text finds.
    pub(super) async fn load(person: &Person, entered: &FormData) -> Result<Self> {
        let typed = entered.get(TALENT).trim();
        let typed = if is_id(typed) { "" } else { typed };
        let chosen = named(person, entered).await?.ok();
        let searched = entered.get(ACT) == FIND || (chosen.is_none() && !typed.is_empty());
        let found = match FindQuery::parse(typed) {
            Ok(find) if searched => Some(search(person, typed, find).await?.choices(person).await?),
            _ => None,
        };
        let chosen = match chosen {
            Some(talent) => {
                let one = Found { talents: vec![talent], more: false };
                one.choices(person).await?.items.pop()
            }
            None => None,
        };
        // What is not valid text is shown, too.
        let shown = entered.raw(TALENT);
        let typed = if is_id(shown) { String::new() } else { shown.to_owned() };
        Ok(Self { typed, chosen, found })
    }

    /// The field of the form.
    pub(super) fn show(&self, entered: &FormData) -> Markup {
        let field = Combobox {
            name: TALENT,
            label: text!("license-talent"),
            hint: text!("license-talent-hint"),
            source: SOURCE,
            find: (ACT, FIND),
            typed: &self.typed,
            chosen: self.chosen.as_ref(),
            found: self.found.as_ref(),
        };
        combobox(&field, entered)
    }
}
