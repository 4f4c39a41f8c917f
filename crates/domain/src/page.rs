//! Pagination. A page out of range is refused, never clamped.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::enum_names::enum_names;
use crate::error::{Fields, Result};

enum_names!(Order);

/// The name and bounds of the page size in an API.
#[derive(Clone, Copy, Debug)]
pub struct PageRules {
    /// The name of the parameter: `per_page` or `limit`.
    pub size_name: &'static str,
    /// The default size.
    pub default_size: u32,
    /// The maximum size.
    pub max_size: u32,
}

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    number: u32,
    size: u32,
}

impl Page {
    /// Parses the two raw parameters; the error names every invalid one.
    pub fn parse(number: Option<&str>, size: Option<&str>, rules: PageRules) -> Result<Self> {
        let mut fields = Fields::default();
        let number = parse(&mut fields, "page", number, 1, u32::MAX);
        let default = rules.default_size;
        let size = parse(&mut fields, rules.size_name, size, default, rules.max_size);
        fields.finish()?;
        Ok(Self { number, size })
    }

    /// A page of the server's own choosing, such as one of an export.
    #[must_use]
    pub fn new(number: u32, size: u32) -> Self {
        Self { number: number.max(1), size: size.max(1) }
    }

    /// The page number, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// The number of items per page.
    #[must_use]
    pub fn size(self) -> u32 {
        self.size
    }

    /// The number of items before this page.
    #[must_use]
    pub fn offset(self) -> i64 {
        i64::from(self.number - 1) * i64::from(self.size)
    }
}

fn parse(fields: &mut Fields, name: &str, text: Option<&str>, default: u32, max: u32) -> u32 {
    let Some(text) = text else { return default };
    let digits = text.bytes().all(|it| it.is_ascii_digit());
    match text.parse::<u32>() {
        Ok(number) if digits && (1..=max).contains(&number) => number,
        _ if max == u32::MAX => {
            fields.add(name, "must be a whole number from 1 to 4294967295");
            default
        }
        _ => {
            fields.add(name, format!("must be a whole number from 1 to {max}"));
            default
        }
    }
}

/// A page of items with the total number of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// The requested page.
    pub page: Page,
    /// The items on the page.
    pub items: Vec<T>,
    /// The number of items on all pages.
    pub total: u64,
    /// Whether `total` is an estimate. It is always reliable as to whether a next page exists.
    pub total_is_estimate: bool,
}

impl<T> Listing<T> {
    /// A page of a list whose length is known.
    #[must_use]
    pub fn new(page: Page, items: Vec<T>, total: u64) -> Self {
        Self { page, items, total, total_is_estimate: false }
    }

    /// A page of a list that was only counted up to a limit.
    #[must_use]
    pub fn estimated(page: Page, items: Vec<T>, total: u64) -> Self {
        Self { page, items, total, total_is_estimate: true }
    }

    /// The number of pages; 0 if the list is empty.
    #[must_use]
    pub fn total_pages(&self) -> u64 {
        self.total.div_ceil(u64::from(self.page.size))
    }

    /// Converts each item.
    pub fn map<U>(self, with: impl FnMut(T) -> U) -> Listing<U> {
        self.with_items(|items| items.into_iter().map(with).collect())
    }

    /// Converts all items at once.
    pub fn with_items<U>(self, make: impl FnOnce(Vec<T>) -> Vec<U>) -> Listing<U> {
        let Self { page, items, total, total_is_estimate } = self;
        Listing { page, items: make(items), total, total_is_estimate }
    }
}

/// The sort order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Order {
    /// Ascending.
    Asc,
    /// Descending.
    #[default]
    Desc,
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: PageRules = PageRules { size_name: "per_page", default_size: 20, max_size: 100 };

    #[test]
    fn nothing_is_clamped() {
        assert_eq!(Page::parse(None, None, RULES), Ok(Page { number: 1, size: 20 }));
        assert_eq!(Page::parse(Some("3"), Some("100"), RULES).unwrap().offset(), 200);
        for bad in ["0", "-1", "1.5", "", "x", "4294967296", " 1", "+1", "101"] {
            let error = Page::parse(None, Some(bad), RULES).unwrap_err();
            assert_eq!(error.fields()["per_page"], "must be a whole number from 1 to 100", "{bad}");
        }
        let both = Page::parse(Some("0"), Some("0"), RULES).unwrap_err();
        assert_eq!(both.fields().len(), 2);
    }

    #[test]
    fn orders_have_one_name() {
        for order in Order::ALL {
            assert_eq!(order.name().parse(), Ok(order));
            assert_eq!(serde_json::to_value(order).unwrap(), order.name());
        }
        assert_eq!("up".parse::<Order>().unwrap_err(), "must be one of asc, desc");
    }

    #[test]
    fn pages_are_counted_up() {
        let page = Page { number: 1, size: 20 };
        let pages = |total| Listing::<()>::new(page, vec![], total).total_pages();
        assert_eq!([pages(0), pages(1), pages(20), pages(21)], [0, 1, 1, 2]);
    }
}
