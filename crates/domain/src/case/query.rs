//! Query parameters of the list of cases.

use super::CaseStatus;
use crate::error::{Error, Fields, Result};
use crate::page::{Page, PageRules};

/// Which cases to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CaseFilter {
    /// All.
    #[default]
    All,
    /// Those that are neither removed nor closed.
    Live,
    /// Those with this status.
    Status(CaseStatus),
}

/// The raw query parameters of the list of cases.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaseParams<'a> {
    /// The page number, from 1.
    pub page: Option<&'a str>,
    /// Items per page, under the name the API uses for it.
    pub size: Option<&'a str>,
    /// Filter by status.
    pub status: Option<&'a str>,
}

/// The parsed query of the list of cases, last changed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseQuery {
    /// The page.
    pub page: Page,
    /// Which cases.
    pub filter: CaseFilter,
}

impl CaseQuery {
    /// Parses the query parameters; the error names every invalid one.
    pub fn parse(params: &CaseParams<'_>, rules: PageRules) -> Result<Self> {
        let mut fields = Fields::default();
        let page = fields.take_all(Page::parse(params.page, params.size, rules));
        let status = params.status.and_then(|text| fields.take("status", text.parse()));
        fields.finish()?;
        let page = page.ok_or_else(|| Error::validation("The query is not valid"))?;
        Ok(Self { page, filter: status.map_or(CaseFilter::All, CaseFilter::Status) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: PageRules = PageRules { size_name: "per_page", default_size: 20, max_size: 100 };

    #[test]
    fn every_invalid_parameter_is_named() {
        let params = CaseParams { page: Some("2"), size: None, status: Some("sent") };
        let query = CaseQuery::parse(&params, RULES).unwrap();
        assert_eq!((query.page.offset(), query.filter), (20, CaseFilter::Status(CaseStatus::Sent)));
        let query = CaseQuery::parse(&CaseParams::default(), RULES).unwrap();
        assert_eq!(query.filter, CaseFilter::All);
        let wrong = CaseParams { page: Some("?"), size: Some("?"), status: Some("?") };
        let error = CaseQuery::parse(&wrong, RULES).unwrap_err();
        assert_eq!(error.fields().len(), 3);
        let names = "must be one of open, sent, answered, removed, disputed, closed";
        assert_eq!(error.fields()["status"], names);
    }
}
