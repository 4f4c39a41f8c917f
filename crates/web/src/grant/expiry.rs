//! What ends in the months of the calendar: how many grants and licenses, and which licenses.

use grantor_domain::Result;
use grantor_domain::day::{Day, DayRange};
use grantor_domain::grant::Party;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{FieldNames, LicenseParams, LicenseQuery};
use grantor_domain::page::Listing;
use grantor_domain::role::Right;
use grantor_domain::search::NameFilter;
use grantor_messages::text;
use grantor_service::licensing::grant::CalendarFilter;
use grantor_service::licensing::license::{self, LicenseView, Reader};
use grantor_service::organizations::trend::{self, Ending};
use maud::{Markup, html};

use super::LIST;
use super::calendar::{Months, month_heads, span_bar};
use crate::frame::{Params, Person};
use crate::license::dates;
use crate::thumbnail::{self, Thumbnails};
use crate::view::component::with_query;
use crate::view::time::month_name;
use crate::view::{badge, notice};

/// How many licenses are shown.
const SHOWN: &str = "100";

/// What ends in the months of a calendar.
pub(super) struct Expiry {
    /// How much ends in each month; empty if only some grants are shown.
    endings: Vec<Ending>,
    role: Option<Party>,
    /// The licenses that expire; `None` if only grants are shown.
    licenses: Option<Listing<LicenseView>>,
    thumbnails: Thumbnails<LicenseId>,
}

impl Expiry {
    pub(super) async fn load(
        person: &Person,
        months: &Months,
        filter: CalendarFilter,
    ) -> Result<Self> {
        let (app, role) = (person.app(), filter.role);
        let endings = if filter.status.is_some() || filter.talent.is_some() {
            vec![]
        } else {
            trend::endings(app, &person.caller, months.months()).await?
        };
        let licenses = if filter.status.is_some() || role == Some(Party::Asker) {
            None
        } else {
            Some(expiring(person, months, filter).await?)
        };
        let ids = licenses.iter().flat_map(|it| &it.items).map(|it| it.shown.license.id);
        let thumbnails = thumbnail::of_licenses(person, ids).await?;
        Ok(Self { endings, role, licenses, thumbnails })
    }

    /// Whether any license expires in these months.
    pub(super) fn has_licenses(&self) -> bool {
        self.licenses.as_ref().is_some_and(|it| !it.items.is_empty())
    }

    /// The months in which something ends, with links to what does.
    pub(super) fn months(&self) -> Markup {
        let grants = |it: &Ending| match self.role {
            Some(Party::Owner) => it.given,
            Some(Party::Asker) => it.held,
            None => it.given + it.held,
        };
        let ending: Vec<_> =
            self.endings.iter().filter(|it| grants(it) + it.licenses > 0).collect();
        html! {
            @if !ending.is_empty() {
                h2 { (text!("grant-ending")) }
                ul.ends {
                    @for it in ending {
                        li {
                            strong { (month_name(it.month)) }
                            (ending_grants(it, grants(it)))
                            (ending_licenses(it))
                        }
                    }
                }
            }
        }
    }

    /// The table of the licenses that expire.
    pub(super) fn licenses(&self, months: &Months) -> Markup {
        let Some(found) = self.licenses.as_ref().filter(|_| self.has_licenses()) else {
            return html! {};
        };
        html! {
            h2 { (text!("grant-expiring-licenses")) }
            @if found.total > found.items.len() as u64 {
                (notice("", html! {
                    p {
                        (text!("grant-expiring-newest", shown = SHOWN, total = found.total.to_string())) " "
                        a href=(url("/app/licenses", "expires", &months.days())) { (text!("grant-expiring-all")) }
                    }
                }))
            }
            div.table.timeline {
                table {
                    caption.hidden { (text!("grant-expiring-caption", months = months.title())) }
                    thead { (month_heads(months, text!("grant-license"))) }
                    tbody { @for it in &found.items { (self.row(months, it)) } }
                }
            }
        }
    }

    fn row(&self, months: &Months, seen: &LicenseView) -> Markup {
        let license = &seen.shown.license;
        let start = license.valid_from.unwrap_or(license.created_at);
        let name = html! {
            a href={ "/app/licenses/" (license.id) } { (license.title.as_str()) }
            p.quiet { (seen.shown.talent_name) }
        };
        html! {
            tr {
                td data-head=(text!("grant-license")) {
                    div { (self.thumbnails.beside(license.id, &seen.shown.talent_name, name)) }
                }
                td data-head=(text!("grant-period-head")) {
                    div {
                        (span_bar(months, start, license.expires_at, "fill-warn"))
                        p { (dates(license)) }
                    }
                }
                td data-head=(text!("word-status")) { div { (badge(seen.status.name())) } }
            }
        }
    }
}

/// How many grants end in a month, with a link to them.
fn ending_grants(it: &Ending, count: u64) -> Markup {
    let url = url(LIST, "ends", &days_of(it));
    html! { @if count > 0 { p { a href=(url) { (text!("grant-count", count = count)) } } } }
}

/// How many licenses expire in a month, with a link to them.
fn ending_licenses(it: &Ending) -> Markup {
    let (count, url) = (it.licenses, url("/app/licenses", "expires", &days_of(it)));
    html! { @if count > 0 { p { a href=(url) { (text!("grant-license-count", count = count)) } } } }
}

/// The first and the last day of the month.
fn days_of(it: &Ending) -> (String, String) {
    (it.month.first_day(), it.month.last_day())
}

/// A list of what ends on these days.
fn url(list: &str, param: &str, (from, to): &(String, String)) -> String {
    let url = with_query(list, &format!("{param}_from"), from);
    with_query(&url, &format!("{param}_to"), to)
}

/// The licenses of the tenant that expire in the months, or those shared with a tenant that cannot
/// own any. Those that expire first come first.
async fn expiring(
    person: &Person,
    months: &Months,
    filter: CalendarFilter,
) -> Result<Listing<LicenseView>> {
    let params = LicenseParams { size: Some(SHOWN), ..LicenseParams::default() };
    let mut query = LicenseQuery::parse(&params, FieldNames::CONSOLE, Params::rules())?;
    let (from, until) = months.days();
    let day = |text: &str| Day::parse(text).ok();
    query.filter.expires = DayRange { from: day(&from), until: day(&until) };
    query.filter.talent = filter.talent.map(NameFilter::Id);
    let owns = person.may(Right::ReadLicenses);
    let own = Reader::Owner(person.caller.tenant);
    let reader = if owns { own } else { person.caller.reader() };
    let mut found = license::list_full(person.app(), reader, query).await?;
    found.items.sort_by_key(|it| it.shown.license.expires_at);
    Ok(found)
}
