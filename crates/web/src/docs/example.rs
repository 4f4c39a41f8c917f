//! What examples show of their reader: the address of this server, and the reader's own test key.

use grantor_docs::{ADDRESS, API_KEY, Page};
use grantor_domain::Error;
use grantor_domain::client::{ClientStatus, Environment};
use grantor_domain::role::{self, Right};
use grantor_service::identity::client::{self, Client};
use maud::{Markup, html};

use crate::frame::{Identity, PageContext};

/// The examples of a page.
pub(super) struct Examples {
    /// The address of this server, on a page that has examples for it.
    url: Option<String>,
    key: Key,
}

/// The API key in examples.
enum Key {
    /// The page shows none.
    Unused,
    /// Nobody is signed in.
    Unknown,
    /// Who is signed in cannot see API clients.
    Hidden,
    /// There is no API client for tests.
    Missing,
    Own(Box<Client>),
}

impl Examples {
    pub(super) async fn of(ctx: &PageContext, page: &Page) -> Result<Self, Error> {
        let url = page.has_examples().then(|| ctx.app().public_url.clone());
        let shows_key = page.has_examples() && page.markdown.contains(API_KEY);
        let key = if shows_key { find_key(ctx).await? } else { Key::Unused };
        Ok(Self { url, key })
    }

    /// Fills in Markdown.
    pub(super) fn fill(&self, text: &str) -> String {
        self.fill_with(text, str::to_owned)
    }

    /// Fills in HTML.
    pub(super) fn fill_html(&self, text: &str) -> String {
        self.fill_with(text, |it| {
            let escaped = html! { (it) };
            escaped.into_string()
        })
    }

    fn fill_with(&self, text: &str, escape: impl Fn(&str) -> String) -> String {
        let Some(url) = &self.url else { return text.to_owned() };
        let text = text.replace(ADDRESS, &escape(url));
        match &self.key {
            Key::Own(client) => text.replace(API_KEY, &escape(&client.api_key)),
            _ => text,
        }
    }

    /// Says whose key the examples show, or how to get one.
    pub(super) fn notice(&self, page: &Page) -> Markup {
        html! {
            @match &self.key {
                Key::Unused | Key::Hidden => {}
                Key::Unknown => {
                    p.notice {
                        a href={ "/app/sign-in?next=" (page.path) } { "Sign in" }
                        " to see your own test key in the examples."
                    }
                }
                Key::Missing => {
                    p.notice {
                        a href="/app/clients/new" { "Create an API client" }
                        " for development to see its key in the examples."
                    }
                }
                Key::Own(client) => {
                    p.notice {
                        "The examples show the key of your API client "
                        a href={ "/app/clients/" (client.id) } { (client.name) }
                        ". Its secret was shown once, when it was created; the page of the client \
                         makes a new one."
                    }
                }
            }
        }
    }
}

/// Finds the newest key that is meant for tests and works.
async fn find_key(ctx: &PageContext) -> Result<Key, Error> {
    let Identity::Person(caller) = &ctx.identity else { return Ok(Key::Unknown) };
    if role::may(caller.role, caller.tenant_type, Right::ManageClients).is_err() {
        return Ok(Key::Hidden);
    }
    let now = ctx.now();
    let works =
        |it: &Client| it.status == ClientStatus::Active && it.expires_at.is_none_or(|at| at > now);
    let all = client::list(ctx.app(), caller).await?.into_iter();
    let own = all.filter(|it| it.environment != Environment::Production && works(it));
    let newest = own.max_by_key(|it| it.created_at);
    Ok(newest.map_or(Key::Missing, |it| Key::Own(Box::new(it))))
}
