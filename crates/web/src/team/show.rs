//! A team and its members. A team has few, so they are filtered and sorted here.

use axum::response::Response;
use grantor_domain::error::Fields;
use grantor_domain::id::TeamId;
use grantor_domain::page::Order;
use grantor_domain::role::{Right, Role};
use grantor_domain::search::{FindQuery, plain_words};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::organizations::team::{self, Member, TeamMembers};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::view::field::error_summary;
use crate::view::filter_value as value;
use crate::view::list_filter::ListFilters;
use crate::view::rich::rich;
use crate::view::sort::{SortKey, Sorting};
use crate::view::{NavItem, Table, ago, badge, confirm, empty, head, label, undoable};

/// From how many members and invitations on a list has filters.
const MANY: usize = 6;

/// The statuses with the keys of their labels.
const STATUSES: [(&str, &str); 3] = [
    ("active", "team-status-active"),
    ("inactive", "team-status-inactive"),
    ("pending", "team-status-invited"),
];

/// The ways to sort members. Invitations come last.
const SORTS: [SortKey; 2] = [
    SortKey {
        name: "joined",
        head: "team-joined",
        first: Order::Asc,
        labels: ["team-joined-first", "team-joined-last"],
    },
    SortKey::by_name("name", "team-member"),
];

/// Which members are shown.
struct Filter {
    find: Option<FindQuery>,
    role: Option<Role>,
    status: Option<String>,
    sorting: Sorting,
}

impl Filter {
    fn read(params: &Params) -> Result<Self> {
        let mut fields = Fields::default();
        let sorting = fields.take_all(Sorting::read(&SORTS, params));
        let find = value::find(params, "search", &mut fields);
        let role = value::value::<Role>(params, "role", &mut fields);
        let status = params.get("status").and_then(|it| {
            let known = STATUSES.iter().any(|(name, _)| *name == it);
            let wrong = "must be one of active, inactive, pending";
            fields.take("status", known.then(|| it.to_owned()).ok_or(wrong))
        });
        fields.finish()?;
        let sorting = sorting.ok_or_else(|| Error::validation("The query is not valid"))?;
        Ok(Self { find, role, status, sorting })
    }

    /// Whether a person with this name, address, role and status is shown.
    fn shows(&self, names: [&str; 2], role: &str, status: &str) -> bool {
        self.find.as_ref().is_none_or(|it| it.finds(names))
            && self.role.is_none_or(|it| it.name() == role)
            && self.status.as_deref().is_none_or(|it| it == status)
    }

    fn sort(&self, members: &mut [&Member]) {
        if self.sorting.name() == "name" {
            members.sort_by_cached_key(|it| plain_words(&it.fullname));
        }
        if self.sorting.order == Order::Desc {
            members.reverse();
        }
    }
}

/// Shows a team and its members.
pub(crate) async fn show(person: Person, Segment(id): Segment<TeamId>, params: Params) -> Outcome {
    let filter = Filter::read(&params)?;
    let roll = team::members(person.app(), &person.caller, id).await?;
    Ok(draw(&person, &roll, (&params, &filter), &FormData::default()))
}

/// Shows the page again with the error of an action.
pub(super) async fn refuse(person: &Person, id: TeamId, error: Error) -> Outcome {
    let (params, roll) =
        (Params::default(), team::members(person.app(), &person.caller, id).await?);
    let filter = Filter::read(&params)?;
    let draw = |entered: &FormData| draw(person, &roll, (&params, &filter), entered);
    Ok(person.redisplay(error, FormData::default(), draw))
}

fn draw(
    person: &Person,
    roll: &TeamMembers,
    (params, filter): (&Params, &Filter),
    entered: &FormData,
) -> Response {
    let (team, manages) = (&roll.team, person.acts(Right::ManageTeams));
    let here = format!("/app/teams/{}", team.id);
    let rows = rows(person, roll, filter, &here);
    let heads =
        [text!("team-member"), text!("team-role"), text!("word-status"), text!("team-joined"), ""];
    // A refused form was sent to another address.
    let is_here = person.here.split('?').next() == Some(here.as_str());
    let address = if is_here { person.here.as_str() } else { here.as_str() };
    let filters = filters(&here, address, params, filter);
    let is_long = roll.members.len() + roll.invited.len() >= MANY;
    let body = html! {
        (head(&team.name, "", html! {
            @if manages {
                a.button.small href={ (here) "/invite" } { (text!("team-invite")) }
                (confirm(&format!("{here}/delete"), text!("action-delete"), text!("team-delete-question"), &[]))
            }
        }))
        (error_summary(entered))
        @if is_long || params.has_filters() { (filters.show()) }
        @if rows.is_empty() {
            (empty(text!("team-nobody-found"), text!("team-nobody-found-why"), filters.clear_link()))
        } @else {
            (Table::new(text!("team-members"), &heads).sorted(filter.sorting, address).rows(rows, |it| it).show())
        }
    };
    person.page(&team.name, NavItem::Teams, body)
}

fn filters<'a>(
    path: &'a str,
    here: &'a str,
    params: &'a Params,
    filter: &Filter,
) -> ListFilters<'a> {
    let statuses = STATUSES.map(|(name, key)| (name, text(key)));
    let roles = Role::OF_MEMBERS.map(|it| (it.name(), label::role(it.name())));
    ListFilters::new(path, here, params)
        .search(text!("team-search"))
        .pick("role", text!("team-role"), text!("team-any-role"), roles)
        .pick("status", text!("word-status"), text!("team-any-status"), statuses)
        .sorted(&filter.sorting)
}

fn rows(person: &Person, roll: &TeamMembers, filter: &Filter, here: &str) -> Vec<Vec<Markup>> {
    let manages = person.acts(Right::ManageTeams);
    let shown =
        |it: &&Member| filter.shows([&it.fullname, &it.email], it.role.name(), status_of(it));
    let mut members: Vec<&Member> = roll.members.iter().filter(shown).collect();
    filter.sort(&mut members);
    let mut rows: Vec<_> = members.into_iter().map(|it| row(person, here, it, manages)).collect();
    let invited = roll
        .invited
        .iter()
        .filter(|it| filter.shows([&it.fullname, &it.email], &it.role, "pending"));
    rows.extend(invited.map(|it| {
        let action = format!("{here}/members/{}/remove", it.id);
        vec![
            html! { (it.fullname) p.quiet { (it.email) } },
            html! { (label::role(&it.role)) },
            badge("pending"),
            rich!("team-invitation-expires", when = ago(person.now(), it.expires_at)),
            html! { @if manages { (undoable(&action, text!("team-invitation-revoke"), &[])) } },
        ]
    }));
    rows
}

const fn status_of(member: &Member) -> &'static str {
    if member.active { "active" } else { "inactive" }
}

fn row(person: &Person, here: &str, it: &Member, manages: bool) -> Vec<Markup> {
    let url = format!("{here}/members/{}", it.user);
    vec![
        html! {
            @if manages { a href=(url) { (it.fullname) } } @else { (it.fullname) }
            p.quiet { (it.email) }
        },
        html! { (label::role(it.role.name())) },
        badge(status_of(it)),
        ago(person.now(), it.joined_at),
        html! {
            @if manages {
                (confirm(&format!("{url}/remove"), text!("action-remove"), text!("team-remove-question"), &[]))
            }
        },
    ]
}
