//! Unknown and read-only fields of a request body. They are ignored, and the response lists them in
//! `X-Ignored-Fields`.

use std::collections::BTreeMap;

use axum::extract::{FromRequest, Request};
use grantor_http::body;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::de::{DeserializeOwned, IgnoredAny};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use super::extract::{expect_json, read};
use super::problem::Problem;
use super::state::ApiState;

/// A JSON body, with the names of the fields that its schema doesn't define.
#[derive(Clone, Debug)]
pub(crate) struct JsonWithIgnored<T> {
    /// The parsed body.
    pub(crate) body: T,
    /// The names of the ignored fields.
    pub(crate) ignored: Vec<String>,
}

impl<T: DeserializeOwned + ToSchema> FromRequest<ApiState> for JsonWithIgnored<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        expect_json(&request)?;
        let bytes = body::read(request, state).await?;
        let body = read(&bytes)?;
        let members: BTreeMap<String, IgnoredAny> = read(&bytes)?;
        let known = |name: &String| match T::schema() {
            RefOr::T(Schema::Object(object)) => object.properties.contains_key(name),
            _ => true,
        };
        let ignored = members.into_keys().filter(|it| !known(it)).collect();
        Ok(Self { body, ignored })
    }
}

/// Adds `X-Ignored-Fields` to the response headers if any field was ignored.
pub(crate) fn add_ignored_header(headers: &mut HeaderMap, names: &[String]) {
    if let Some(list) = header_list(names) {
        headers.insert(HeaderName::from_static("x-ignored-fields"), list);
    }
}

/// The maximum length of the header value. Proxies reject long headers.
const MAX_LIST_LENGTH: usize = 2_000;

/// Joins names into a header value. Characters that a header can't carry are percent-encoded; names
/// that don't fit are counted at the end.
fn header_list(names: &[String]) -> Option<HeaderValue> {
    let mut text = String::new();
    for (shown, name) in names.iter().enumerate() {
        let name = escape(name);
        if text.len() + name.len() > MAX_LIST_LENGTH {
            let rest = names.len() - shown;
            text.push_str(
                &[if shown == 0 { "" } else { ", " }, "...+", &rest.to_string()].concat(),
            );
            break;
        }
        text.push_str(if shown == 0 { "" } else { ", " });
        text.push_str(&name);
    }
    if names.is_empty() { None } else { HeaderValue::from_str(&text).ok() }
}

fn escape(name: &str) -> String {
    let plain = |it: u8| (b'!'..=b'~').contains(&it) && !b",%\"".contains(&it);
    name.bytes()
        .map(|it| if plain(it) { char::from(it).to_string() } else { format!("%{it:02X}") })
        .collect()
}
