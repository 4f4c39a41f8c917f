//! The bar above a list with the views that the person saved.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::saved_view::{SavedView, ViewList};
use grantor_messages::text;
use maud::{Markup, html};

use super::field::hidden;

/// The parameter that opens a list without its default view.
const PARAM: &str = "view";
/// Its value.
const ALL: &str = "all";

/// Parameters that are not part of a view.
const LEFT_OUT: [&str; 3] = ["page", "limit", PARAM];

/// The saved views of a list.
pub(crate) struct ViewBar {
    list: ViewList,
    views: Vec<SavedView>,
    /// The current filters; `None` if the address has no query at all.
    query: Option<String>,
    /// Whether the reader can save views.
    saves: bool,
}

/// The address of a list.
pub(crate) const fn path_of(list: ViewList) -> &'static str {
    match list {
        ViewList::Licenses => "/app/licenses",
        ViewList::Catalog => "/app/catalog",
        ViewList::Talents => "/app/talents",
        ViewList::Mentions => "/app/mentions",
        ViewList::Cases => "/app/cases",
        ViewList::Requests => "/app/requests",
        ViewList::Grants => "/app/grants",
        ViewList::Sources => "/app/sources",
        ViewList::Logs => "/app/logs",
    }
}

/// The address of a view.
pub(crate) fn url_of(view: &SavedView) -> String {
    format!("{}?{}", path_of(view.fields.list), view.fields.query)
}

/// A query in one form: without the page and without empty parameters, in one order.
pub(crate) fn normalize(query: &str) -> String {
    let pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned();
    let mut pairs: Vec<(String, String)> = pairs
        .filter(|(name, value)| !value.trim().is_empty() && !LEFT_OUT.contains(&name.as_str()))
        .collect();
    pairs.sort();
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

impl ViewBar {
    /// Creates the bar. `here` is the address of the list with its current filters.
    pub(crate) fn new(list: ViewList, views: Vec<SavedView>, here: &str, saves: bool) -> Self {
        let query = here.split_once('?').map(|(_, query)| normalize(query));
        Self { list, views, query, saves }
    }

    /// Leads to the default view, if the list was opened without any filter.
    pub(crate) fn redirect(&self) -> Option<Response> {
        let default = self.default_view().filter(|_| self.query.is_none())?;
        Some(Redirect::to(&url_of(default)).into_response())
    }

    fn default_view(&self) -> Option<&SavedView> {
        self.views.iter().find(|it| it.fields.is_default)
    }

    /// The address of the list without any filter.
    pub(crate) fn all_url(&self) -> String {
        let path = path_of(self.list);
        match self.default_view() {
            Some(_) => format!("{path}?{PARAM}={ALL}"),
            None => path.to_owned(),
        }
    }

    /// Renders the bar. Without views and filters there is none.
    pub(crate) fn show(&self) -> Markup {
        let query = self.query.as_deref().unwrap_or_default();
        let is_current = |it: &SavedView| normalize(&it.fields.query) == query;
        let savable = self.saves && !query.is_empty() && !self.views.iter().any(is_current);
        html! {
            @if savable || !self.views.is_empty() {
                div.views {
                    @if !self.views.is_empty() {
                        nav.row aria-label=(text!("view-saved")) {
                            (link(&self.all_url(), text!("view-saved-all"), query.is_empty()))
                            @for it in &self.views {
                                (link(&url_of(it), it.fields.name.as_str(), is_current(it)))
                            }
                        }
                    }
                    @if savable { (save_form(self.list, query)) }
                    @if !self.views.is_empty() {
                        a href="/app/views" { (text!("view-saved-manage")) }
                    }
                }
            }
        }
    }
}

fn link(url: &str, name: &str, current: bool) -> Markup {
    html! { a.button.small.plain href=(url) aria-current=[current.then_some("page")] { (name) } }
}

fn save_form(list: ViewList, query: &str) -> Markup {
    html! {
        details.confirm {
            summary.button.small.plain { (text!("view-saved-save")) }
            form.form method="post" action="/app/views" {
                (hidden("list", list.name())) (hidden("query", query))
                div.field {
                    label for="view-name" { (text!("view-saved-name")) }
                    input id="view-name" name="name" type="text" required maxlength="50";
                }
                div.field.tick {
                    label {
                        input name="default" type="checkbox" value="true";
                        " " (text!("view-saved-default"))
                    }
                }
                button.small { (text!("action-save")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use grantor_domain::Timestamp;
    use grantor_domain::saved_view::NewView;
    use uuid::Uuid;

    use super::*;

    fn view(name: &str, query: &str, is_default: bool) -> SavedView {
        SavedView {
            id: Uuid::from_u128(1).into(),
            user: Uuid::from_u128(2).into(),
            tenant: Uuid::from_u128(3).into(),
            fields: NewView::parse("licenses", name, query, is_default).unwrap(),
            created_at: Timestamp::from_secs(0),
        }
    }

    fn bar(views: Vec<SavedView>, here: &str) -> ViewBar {
        ViewBar::new(ViewList::Licenses, views, here, true)
    }

    #[test]
    fn a_query_has_one_form() {
        let one = normalize("status=public&search=Zo%C3%AB&page=3&type=&view=all");
        assert_eq!(one, "search=Zo%C3%AB&status=public");
        assert_eq!(normalize("search=Zo%C3%AB&status=public"), one);
        assert_eq!(normalize("page=2&limit=50"), "");
    }

    #[test]
    fn the_current_view_is_marked_and_other_filters_can_be_saved() {
        let views = vec![view("Public", "status=public", false)];
        let drawn = bar(views.clone(), "/app/licenses?status=public&page=2").show().into_string();
        assert!(drawn.contains("aria-current=\"page\">Public"), "{drawn}");
        assert!(!drawn.contains("Save view"), "{drawn}");
        let drawn = bar(views, "/app/licenses?status=draft").show().into_string();
        assert!(drawn.contains("Save view") && drawn.contains("value=\"status=draft\""), "{drawn}");
        assert_eq!(bar(vec![], "/app/licenses").show().into_string(), "");
    }

    #[test]
    fn only_a_bare_address_leads_to_the_default_view() {
        let views = || vec![view("Public", "status=public", true)];
        let to = bar(views(), "/app/licenses").redirect().unwrap();
        assert_eq!(to.headers()["location"], "/app/licenses?status=public");
        for here in ["/app/licenses?view=all", "/app/licenses?status=draft"] {
            assert!(bar(views(), here).redirect().is_none(), "{here}");
        }
        assert_eq!(bar(views(), "/app/licenses").all_url(), "/app/licenses?view=all");
        assert_eq!(bar(vec![], "/app/licenses").all_url(), "/app/licenses");
    }
}
