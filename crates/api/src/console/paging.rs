//! Paging parameters of lists.

use grantor_domain::Result;
use grantor_domain::page::Page;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::frame::api::Api;

/// The requested page of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Paging {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
}

impl Paging {
    pub(super) fn new(page: Option<String>, limit: Option<String>) -> Self {
        Self { page, limit }
    }

    pub(super) fn read(&self) -> Result<Page> {
        let rules = Api::Console.page_rules();
        Page::parse(self.page.as_deref(), self.limit.as_deref(), rules)
    }
}
