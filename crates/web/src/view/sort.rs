//! Sorting of lists. The address has one parameter for it, such as `sort=title` or
//! `sort=title.desc`. Column heads are links that sort; a select does the same on a phone, where
//! tables have no heads.

use grantor_domain::page::Order;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use maud::{Markup, html};

use super::component::with_query;
use super::filter::one_of;
use crate::frame::Params;

/// A way to sort a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SortKey {
    /// The name in the address.
    pub(crate) name: &'static str,
    /// The key of the head of the column that shows it.
    pub(crate) head: &'static str,
    /// The direction that people expect first.
    pub(crate) first: Order,
    /// The keys of the choices of the select, in the expected direction and in the other.
    pub(crate) labels: [&'static str; 2],
}

impl SortKey {
    /// By time, newest first.
    pub(crate) const fn by_time(
        name: &'static str,
        head: &'static str,
        labels: [&'static str; 2],
    ) -> Self {
        Self { name, head, first: Order::Desc, labels }
    }

    /// By name, from A to Z.
    pub(crate) const fn by_name(name: &'static str, head: &'static str) -> Self {
        let labels = ["view-sort-name", "view-sort-name-reversed"];
        Self { name, head, first: Order::Asc, labels }
    }
}

/// How a list is sorted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sorting {
    keys: &'static [SortKey],
    current: usize,
    pub(crate) order: Order,
}

const PARAM: &str = "sort";

impl Sorting {
    /// Reads the query parameters. The first key is the default.
    pub(crate) fn read(keys: &'static [SortKey], params: &Params) -> Result<Self> {
        let text = params.get(PARAM).unwrap_or_default();
        let (name, direction) = text.split_once('.').unwrap_or((text, ""));
        let default = keys.first().map_or("", |it| it.name);
        let name = if text.is_empty() { default } else { name };
        let found = keys.iter().position(|it| it.name == name);
        // Links from before there were directions in `sort` have them in `order`.
        let direction =
            if direction.is_empty() { params.get("order").unwrap_or_default() } else { direction };
        let names = || keys.iter().map(|it| it.name).collect::<Vec<_>>().join(", ");
        let wrong = || Error::field(PARAM, format!("must be one of {}", names()));
        let current = found.ok_or_else(wrong)?;
        let order = match direction {
            "" => keys[current].first,
            "asc" => Order::Asc,
            "desc" => Order::Desc,
            _ => return Err(wrong()),
        };
        Ok(Self { keys, current, order })
    }

    /// The name of the current key.
    pub(crate) fn name(&self) -> &'static str {
        self.keys[self.current].name
    }

    /// The head of a column: a link that sorts by it, or the head alone.
    pub(crate) fn head(&self, head: &str, here: &str) -> Markup {
        let is_key = |it: &SortKey| text(it.head) == head && !head.is_empty();
        let Some(at) = self.keys.iter().position(is_key) else {
            return html! { th scope="col" { (head) } };
        };
        let sorted = at == self.current;
        let key = self.keys[at];
        let next = if sorted && self.order == key.first { other(key.first) } else { key.first };
        let state = match self.order {
            Order::Asc => "ascending",
            Order::Desc => "descending",
        };
        let arrow = match self.order {
            Order::Asc => " ↑",
            Order::Desc => " ↓",
        };
        let here = with_query(here, "order", "");
        html! {
            th scope="col" aria-sort=[sorted.then_some(state)] {
                a href=(with_query(&here, PARAM, &self.value(at, next))) {
                    (head) @if sorted { span aria-hidden="true" { (arrow) } }
                }
            }
        }
    }

    /// The select with all ways to sort.
    pub(crate) fn select(&self, params: &Params) -> Markup {
        let mut choices = Vec::new();
        for (at, key) in self.keys.iter().enumerate() {
            for (order, label) in [key.first, other(key.first)].into_iter().zip(key.labels) {
                choices.push((self.value(at, order), text(label)));
            }
        }
        one_of(PARAM, text!("view-sort"), choices, params)
    }

    /// The value of the parameter; empty for the default.
    fn value(&self, at: usize, order: Order) -> String {
        let key = self.keys[at];
        match (at, order == key.first) {
            (0, true) => String::new(),
            (_, true) => key.name.to_owned(),
            (_, false) => format!("{}.{}", key.name, order.name()),
        }
    }
}

const fn other(order: Order) -> Order {
    match order {
        Order::Asc => Order::Desc,
        Order::Desc => Order::Asc,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [SortKey; 2] = [
        SortKey::by_time("created_at", "Created", ["Newest first", "Oldest first"]),
        SortKey::by_name("title", "Name"),
    ];

    fn read(query: &str) -> Result<(&'static str, Order)> {
        Sorting::read(&KEYS, &Params::read(query)).map(|it| (it.name(), it.order))
    }

    #[test]
    fn each_key_has_its_own_direction_and_the_other() {
        for (query, name, order) in [
            ("", "created_at", Order::Desc),
            ("sort=title", "title", Order::Asc),
            ("sort=title.desc", "title", Order::Desc),
            ("sort=created_at.asc", "created_at", Order::Asc),
            ("sort=title&order=desc", "title", Order::Desc),
        ] {
            assert_eq!(read(query), Ok((name, order)), "{query}");
        }
        for bad in ["sort=odd", "sort=title.up", "sort=."] {
            let error = read(bad).unwrap_err();
            assert_eq!(error.fields()["sort"], "must be one of created_at, title", "{bad}");
        }
    }

    #[test]
    fn a_head_sorts_and_then_turns_around() {
        let head = |query: &str| {
            let sorting = Sorting::read(&KEYS, &Params::read(query)).unwrap();
            sorting.head("Name", &format!("/app/licenses?{query}")).into_string()
        };
        assert!(head("page=2").contains("href=\"/app/licenses?sort=title\""));
        assert!(!head("page=2").contains("aria-sort"));
        let sorted = head("sort=title");
        assert!(sorted.contains("aria-sort=\"ascending\""), "{sorted}");
        assert!(sorted.contains("href=\"/app/licenses?sort=title.desc\""), "{sorted}");
        let sorting = Sorting::read(&KEYS, &Params::read("")).unwrap();
        assert_eq!(sorting.head("Talent", "/").into_string(), "<th scope=\"col\">Talent</th>");
    }
}
