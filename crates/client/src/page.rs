//! Lists, read page by page.

use std::vec;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::client::Client;
use crate::connection::Request;
use crate::error::Result;

/// The largest page that the server sends.
const MAX_PAGE: u32 = 100;

/// The items of a list. Pages are requested when they are needed.
#[must_use = "nothing is requested before `next`"]
pub struct Pages<'a, T> {
    client: &'a Client,
    request: Request,
    per_page: u32,
    /// The number of the next page; `None` after the last one.
    page: Option<u32>,
    items: vec::IntoIter<T>,
    total: Option<u64>,
}

#[derive(Deserialize)]
struct Page<T> {
    data: Vec<T>,
    pagination: Pagination,
}

#[derive(Deserialize)]
struct Pagination {
    total: u64,
    has_next: bool,
}

impl<'a, T: DeserializeOwned> Pages<'a, T> {
    pub(crate) fn new(client: &'a Client, request: Request) -> Self {
        let items = Vec::new().into_iter();
        Self { client, request, per_page: MAX_PAGE, page: Some(1), items, total: None }
    }

    /// Requests pages of this size. The default is 100, which is also the largest; a larger size
    /// becomes 100, and zero becomes 1.
    pub fn per_page(self, per_page: u32) -> Self {
        Self { per_page: per_page.clamp(1, MAX_PAGE), ..self }
    }

    /// The next item, or `None` at the end.
    pub async fn next(&mut self) -> Result<Option<T>> {
        loop {
            if let Some(item) = self.items.next() {
                return Ok(Some(item));
            }
            let Some(page) = self.page else { return Ok(None) };
            let (number, size) = (page.to_string(), self.per_page.to_string());
            let position = [("page", Some(number.as_str())), ("per_page", Some(size.as_str()))];
            let request = self.request.clone().query(&position);
            let Page { data, pagination } = self.client.fetch::<Page<T>>(&request).await?;
            self.page = pagination.has_next.then_some(page + 1);
            self.total = Some(pagination.total);
            self.items = data.into_iter();
        }
    }

    /// The total number of items, once the first page was read.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.total
    }
}
