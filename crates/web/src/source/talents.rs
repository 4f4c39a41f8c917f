//! The choice of the talents that a source is watched for: all of them, or some by name.

use grantor_domain::error::Fields;
use grantor_domain::id::TalentId;
use grantor_domain::page::Page;
use grantor_domain::role::{Right, TenantType};
use grantor_domain::search::FindQuery;
use grantor_domain::source::WatchedTalents;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::licensing::talent;
use grantor_service::organizations::team;
use maud::{Markup, html};

use crate::frame::{FormData, Params, Person};
use crate::view::marked::{Mark, marked_choices};
use crate::view::{hidden, select};

/// How many talents the form lists besides the chosen ones.
const SHOWN: &str = "100";

const TICKED: &str = "must not be ticked if you look for all talents: untick them, or choose \
                      \"Only the talents below\"";

/// The talents to choose from.
pub(super) struct Choice {
    /// Whether all talents can be watched. A team lead chooses among the talents of their teams.
    all: bool,
    /// Whether there is anything to choose: an individual has one talent.
    any: bool,
    /// The talents with their names: the chosen ones first, then those that the search finds.
    talents: Vec<(String, String)>,
    /// Whether not all talents are listed, so that there is something to search for.
    more: bool,
}

impl Choice {
    /// Loads the talents that fit what was entered.
    pub(super) async fn load(person: &Person, entered: &FormData) -> Result<Self> {
        if person.caller.tenant_type == TenantType::Individual {
            return Ok(Self { all: true, any: false, talents: vec![], more: false });
        }
        let chosen = entered.all("talents").filter_map(|it| it.parse::<TalentId>().ok());
        let chosen: Vec<_> = chosen.take(WatchedTalents::MAX).collect();
        let chosen = talent::names(person.app(), &person.caller, chosen).await?;
        let reach = team::right_scope(person.app(), &person.caller, Right::ManageSources).await?;
        let page = Page::parse(None, Some(SHOWN), Params::rules())?;
        let search = FindQuery::parse(entered.optional("search").unwrap_or_default());
        let search = search.map_err(|error| Error::field("search", error))?;
        let searched = search.is_some();
        let found = match search {
            None => talent::list(person.app(), &person.caller, page).await?,
            Some(name) => talent::find_by_name(person.app(), &person.caller, name, page).await?,
        };
        let more = searched || found.total > found.items.len() as u64;
        let others = found.items.iter().filter(|it| reach.includes(it.talent.team));
        let others = others.map(|it| (it.talent.id, it.talent.fullname.as_str().to_owned()));
        let others = others.filter(|(id, _)| chosen.iter().all(|(other, _)| other != id));
        let talents = chosen.iter().cloned().chain(others);
        let talents = talents.map(|(id, name)| (id.to_string(), name)).collect();
        Ok(Self { all: reach.includes(None), any: true, talents, more })
    }

    /// The value of a new form.
    pub(super) fn default_word(&self) -> &'static str {
        if self.all { "all" } else { "some" }
    }

    /// The fields of the form.
    pub(super) fn fields(&self, entered: &FormData) -> Markup {
        if !self.any {
            return hidden("watch", "all");
        }
        let hint = match (self.talents.is_empty(), self.more) {
            (true, _) => Some(text!("source-no-talents")),
            (false, true) => Some(text!("source-talents-stay")),
            (false, false) => None,
        };
        let mark = if self.all {
            Mark::RequiredIf(text!("source-required-if-chosen"))
        } else {
            Mark::Required
        };
        let watched = [
            ("all", text!("source-watch-all-talents")),
            ("some", text!("source-watch-some-talents")),
        ];
        html! {
            @if self.all { (select("watch", text!("source-look-for"), None, &watched, entered)) }
            @else { (hidden("watch", "some")) }
            @if self.more {
                div.field {
                    label for="search" { (text!("source-search-talents")) }
                    div.row {
                        input id="search" name="search" type="search" maxlength="100"
                            value=(entered.raw("search"));
                        button.small.plain name="step" value="search" { (text!("action-search")) }
                    }
                }
            }
            (marked_choices(mark, "talents", text!("source-talents"), hint, &self.talents, entered))
        }
    }
}

/// Whether the button was pressed that searches for talents.
pub(super) fn is_search(entered: &FormData) -> bool {
    entered.get("step") == "search"
}

/// Parses the chosen talents. Ticked talents and "all" contradict each other, unless the ticks are
/// those that the form began with: then "all" is what was changed.
pub(super) fn read(
    entered: &FormData,
    fields: &mut Fields,
    before: Option<&WatchedTalents>,
) -> Option<WatchedTalents> {
    let ids: Result<Vec<TalentId>, _> = entered.all("talents").map(str::parse).collect();
    let ids = fields.take("talents", ids)?;
    if entered.get("watch") == "all" {
        let mut ticked = ids;
        ticked.sort_unstable();
        let mut known = before.map(|it| it.as_slice().to_vec()).unwrap_or_default();
        known.sort_unstable();
        if !ticked.is_empty() && ticked != known {
            fields.add("talents", TICKED);
            return None;
        }
        return Some(WatchedTalents::All);
    }
    if ids.is_empty() {
        fields.add("talents", "must contain at least one talent");
        return None;
    }
    fields.take("talents", WatchedTalents::listed(ids))
}

/// What a source is watched for, in words.
pub(super) async fn describe(person: &Person, talents: &WatchedTalents) -> Result<String, Error> {
    /// How many names are written out.
    const NAMED: usize = 20;
    let ids = talents.as_slice();
    if talents.is_all() {
        return Ok(text!("source-all-talents").to_owned());
    }
    let named = ids.iter().take(NAMED).copied().collect();
    let names = talent::names(person.app(), &person.caller, named).await?;
    let names: Vec<_> = names.into_iter().map(|(_, name)| name).collect();
    Ok(match ids.len().saturating_sub(NAMED) {
        0 if names.is_empty() => text!("source-talents-gone").to_owned(),
        0 => names.join(", "),
        more => {
            let names = names.join(", ");
            text!("source-talents-and-more", names = names, count = more.to_string())
        }
    })
}
