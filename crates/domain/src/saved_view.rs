//! Saved views: filters of a list that a person named, to open them again.

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::error::{Error, Fields, Result};
use crate::id::{SavedViewId, TenantId, UserId};
use crate::text::{TextRule, fold_case};

enum_names!(ViewList);

/// How many views a person can save.
pub const MAX_VIEWS: u64 = 50;

/// The maximum length of the query of a view, as in the address.
const MAX_QUERY: usize = 2_000;

/// A list that has saved views.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ViewList {
    /// Licenses.
    Licenses,
    /// The public catalog.
    Catalog,
    /// Talents.
    Talents,
    /// Mentions.
    Mentions,
    /// Cases.
    Cases,
    /// Requests.
    Requests,
    /// Grants.
    Grants,
    /// Sources.
    Sources,
    /// The log.
    Logs,
}

/// The name of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewName(String);

impl ViewName {
    /// The rule for names.
    pub const RULE: TextRule = TextRule::line(1, 50);

    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name without differences in case: a person has one view of each list with it.
    #[must_use]
    pub fn key(&self) -> String {
        fold_case(&self.0)
    }
}

/// The fields of a new view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewView {
    /// The list.
    pub list: ViewList,
    /// The name.
    pub name: ViewName,
    /// The query of the address, without the page.
    pub query: String,
    /// Whether the list opens with this view.
    pub is_default: bool,
}

impl NewView {
    /// Parses the fields of a form; the error names every invalid one.
    pub fn parse(list: &str, name: &str, query: &str, is_default: bool) -> Result<Self> {
        let mut fields = Fields::default();
        let list = fields.take("list", list.parse::<ViewList>());
        let name = fields.take("name", ViewName::parse(name));
        let query = fields.take("query", parse_query(query));
        fields.finish()?;
        match (list, name, query) {
            (Some(list), Some(name), Some(query)) => Ok(Self { list, name, query, is_default }),
            _ => Err(Error::validation("The view is not valid")),
        }
    }
}

fn parse_query(text: &str) -> Result<String, &'static str> {
    if text.is_empty() || text.len() > MAX_QUERY {
        return Err("must have filters, of at most 2000 characters together");
    }
    // The address encodes everything else.
    let plain = |it: u8| it.is_ascii_graphic() && !matches!(it, b'#' | b'"' | b'<' | b'>');
    if text.bytes().all(plain) { Ok(text.to_owned()) } else { Err("must be part of an address") }
}

/// A stored view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedView {
    /// The unique ID.
    pub id: SavedViewId,
    /// The person.
    pub user: UserId,
    /// The tenant in which the person saved it.
    pub tenant: TenantId,
    /// The fields that the person gave.
    pub fields: NewView,
    /// When it was saved.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_a_named_query() {
        let view = NewView::parse("licenses", " Ends soon ", "status=public&sort=title", true);
        let view = view.unwrap();
        assert_eq!((view.list, view.name.as_str()), (ViewList::Licenses, "Ends soon"));
        assert_eq!((view.name.key().as_str(), view.is_default), ("ends soon", true));
        for list in ViewList::ALL {
            assert_eq!(list.name().parse(), Ok(list));
        }
    }

    #[test]
    fn every_invalid_field_is_named() {
        let error = NewView::parse("odd", "", "a=b c", false).unwrap_err();
        let names: Vec<_> = error.fields().keys().map(String::as_str).collect();
        assert_eq!(names, ["list", "name", "query"]);
        assert_eq!(error.fields()["name"], "must be 1 to 50 characters");
        for bad in ["", &"x".repeat(2_001), "a=\u{e9}", "a#b", "a\"b"] {
            assert!(parse_query(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_query("search=Zo%C3%AB+L").as_deref(), Ok("search=Zo%C3%AB+L"));
    }
}
