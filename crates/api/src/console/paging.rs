//! Which page of a list is asked for.

use grantor_domain::Result;
use grantor_domain::page::Page;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::frame::surface::Surface;

/// Which page of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Paging {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
}

impl Paging {
    pub(super) fn of(page: Option<String>, limit: Option<String>) -> Self {
        Self { page, limit }
    }

    pub(super) fn read(&self) -> Result<Page> {
        let rules = Surface::Console.page_rules();
        Page::parse(self.page.as_deref(), self.limit.as_deref(), rules)
    }
}
