//! Query parameters of lists of sources.

use super::SourceStatus;
use crate::error::{Error, Fields, Result};
use crate::page::{Page, PageRules};

/// The raw query parameters of a tenant's list of sources.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceParams<'a> {
    /// The page number, from 1.
    pub page: Option<&'a str>,
    /// Items per page, under the name the API uses for it.
    pub size: Option<&'a str>,
    /// Filter by status.
    pub status: Option<&'a str>,
}

/// The parsed query of a tenant's list of sources, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceQuery {
    /// The page.
    pub page: Page,
    /// Filter by status.
    pub status: Option<SourceStatus>,
}

impl SourceQuery {
    /// Parses the query parameters; the error names every invalid one.
    pub fn parse(params: &SourceParams<'_>, rules: PageRules) -> Result<Self> {
        let mut fields = Fields::default();
        let page = fields.take_all(Page::parse(params.page, params.size, rules));
        let status = params.status.and_then(|text| fields.take("status", text.parse()));
        fields.finish()?;
        let page = page.ok_or_else(|| Error::validation("The query is not valid"))?;
        Ok(Self { page, status })
    }
}

/// The query of the staff's list of all tenants' sources, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaffSourceQuery {
    /// The page.
    pub page: Page,
    /// Only sources that staff stopped (`true`), or only others (`false`).
    pub stopped: Option<bool>,
    /// Only running sources whose feed cannot be read, longest failing first.
    pub failing: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: PageRules = PageRules { size_name: "per_page", default_size: 20, max_size: 100 };

    #[test]
    fn every_invalid_parameter_is_named() {
        let params = SourceParams { page: Some("2"), size: None, status: Some("paused") };
        let query = SourceQuery::parse(&params, RULES).unwrap();
        assert_eq!((query.page.offset(), query.status), (20, Some(SourceStatus::Paused)));
        let wrong = SourceParams { page: Some("?"), size: Some("?"), status: Some("?") };
        let error = SourceQuery::parse(&wrong, RULES).unwrap_err();
        assert_eq!(error.fields().len(), 3);
        assert_eq!(error.fields()["status"], "must be one of running, paused");
    }
}
