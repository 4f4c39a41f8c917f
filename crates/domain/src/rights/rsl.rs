//! A license as an RSL 1.0 document, for crawlers. It never permits more than the license: what RSL
//! has no word for is a token of another namespace, which crawlers ignore. Only search is free, as
//! for all public pages.

use quick_xml::escape::escape;

use super::{RightsFormat, Statement, vocabulary};
use crate::Timestamp;
use crate::license::{FeePer, LicenseType};

const NAMESPACE: &str = "https://rslstandard.org/rsl";
/// For how many days a document may be used without looking again.
const MAX_AGE: u64 = 30;
const DAY_SECONDS: u64 = 86_400;

const NOTE: &str = "Nothing is licensed before the licensor agrees, at the address in custom; only \
    search engines may index a public page. Not expressed in RSL: when the license begins and \
    ends, what the fee is paid per, exclusivity, channels, further terms, and grants that exist \
    already. Uses other than AI training are tokens of another namespace.";

/// Renders the document of a license. While the license is not in force, nothing is offered.
pub(super) fn document(statement: &Statement, now: Timestamp) -> String {
    let offered = statement.covers.in_force(now).then(|| offered(statement));
    let search = statement.page.is_some().then(search);
    let mut licenses: Vec<_> = offered.into_iter().chain(search).collect();
    if licenses.is_empty() {
        licenses.push(element("prohibits", " type=\"usage\"", "all"));
    }
    let licenses: Vec<_> = licenses.iter().map(|it| format!("<license>{it}</license>")).collect();
    let kind = if statement.owner_is_organization { "organization" } else { "person" };
    let body = [
        licenses.concat(),
        element("schema", "", &statement.url_of(RightsFormat::Schema)),
        element("copyright", &format!(" type=\"{kind}\""), &statement.owner.name),
        element("terms", "", &statement.url_of(RightsFormat::Text)),
    ];
    let url = format!(" url=\"{}\"", escape(statement.place()));
    let content = format!("{url} lastmod=\"{}\"", statement.updated_at);
    let uses = format!(" xmlns:use=\"{}\"", escape(vocabulary::namespace(&statement.origin)));
    let root = format!("{uses} max-age=\"{}\"", max_age(statement, now));
    wrapped(NOTE, &root, &content, &body.concat())
}

/// Renders the document of a whole site: pages may be found by search engines, and nothing else.
#[must_use]
pub fn site(origin: &str) -> String {
    let license = format!("<license>{}</license>", search());
    let terms = element("terms", "", &format!("{origin}/app/catalog"));
    let note = "Licenses for other uses are in the catalog. Each one has its own document.";
    wrapped(note, "", " url=\"/\"", &format!("{license}{terms}"))
}

fn wrapped(note: &str, root: &str, content: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {note} -->\n\
         <rsl xmlns=\"{NAMESPACE}\"{root}><content{content}>{body}</content></rsl>\n"
    )
}

/// Search engines may index public pages.
fn search() -> String {
    element("permits", " type=\"usage\"", "search") + "<payment type=\"free\"/>"
}

/// What is permitted once the licensor agrees, and where that is asked for. Each list of a type
/// excludes everything that it does not contain.
fn offered(statement: &Statement) -> String {
    let uses = statement.covers.uses.as_slice();
    let usage = match uses {
        [] => "all".to_owned(),
        uses => uses.iter().map(|it| token(*it)).collect::<Vec<_>>().join(" "),
    };
    let mut terms = element("permits", " type=\"usage\"", &usage);
    if let Some(countries) = statement.countries() {
        let codes: Vec<_> = countries.iter().map(ToString::to_string).collect();
        terms.push_str(&element("permits", " type=\"geo\"", &codes.join(" ")));
    }
    terms.push_str(&payment(statement));
    terms
}

/// The token of a use. Only AI training is a use that RSL knows.
fn token(usage: LicenseType) -> String {
    match usage {
        LicenseType::AiTraining => "ai-train".to_owned(),
        other => format!("use:{other}"),
    }
}

/// Never absent, because that would mean that the use is free.
fn payment(statement: &Statement) -> String {
    let kind = match statement.fee.map(|it| it.per) {
        Some(FeePer::Day | FeePer::Month | FeePer::Year) => "subscription",
        Some(FeePer::Use | FeePer::Campaign) | None => "purchase",
    };
    let custom = element("custom", "", statement.place());
    let amount = statement.fee.map(|fee| {
        let currency = format!(" currency=\"{}\"", fee.currency);
        element("amount", &currency, &fee.amount.to_string())
    });
    format!("<payment type=\"{kind}\">{custom}{}</payment>", amount.unwrap_or_default())
}

/// The number of days until the license begins or ends, within bounds.
fn max_age(statement: &Statement, now: Timestamp) -> u64 {
    let covers = &statement.covers;
    let next = [covers.valid_from, covers.expires_at].into_iter().flatten().find(|at| *at > now);
    let days = next.map_or(MAX_AGE, |at| at.since(now).as_secs() / DAY_SECONDS);
    days.clamp(1, MAX_AGE)
}

/// An element with a text. Characters that XML cannot contain are left out.
fn element(name: &str, attributes: &str, text: &str) -> String {
    let text: String = text.chars().filter(|it| is_xml(*it)).collect();
    format!("<{name}{attributes}>{}</{name}>", escape(text))
}

const fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        || character >= '\u{10000}'
}
