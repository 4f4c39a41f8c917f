//! The links that download a list as CSV.

use grantor_messages::text;
use maud::{Markup, html};

use super::component::with_query;

/// The links to the files of a list with its current filters. `export` is the address of its export.
pub(crate) fn export_links(export: &str, here: &str) -> Markup {
    let query = here.split_once('?').map_or("", |(_, query)| query);
    let url = with_query(&format!("{export}?{query}"), "for", "");
    html! {
        details.confirm.download {
            summary.button.plain { (text!("view-export")) }
            ul {
                li { a href=(url) download { (text!("view-export-csv")) } }
                li {
                    a href=(with_query(&url, "for", "excel")) download {
                        (text!("view-export-excel"))
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_has_the_filters_of_the_list_but_not_its_page() {
        let drawn =
            export_links("/app/export/talents", "/app/talents?search=a&page=3").into_string();
        assert!(drawn.contains("href=\"/app/export/talents?search=a\""), "{drawn}");
        assert!(drawn.contains("href=\"/app/export/talents?search=a&amp;for=excel\""), "{drawn}");
        let drawn = export_links("/app/export/talents", "/app/talents").into_string();
        assert!(drawn.contains("href=\"/app/export/talents\""), "{drawn}");
    }
}
