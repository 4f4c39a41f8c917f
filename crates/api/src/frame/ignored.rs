//! Members of a body that nobody can write: allowed, and named in a header of the answer.

use std::collections::BTreeMap;

use axum::extract::{FromRequest, Request};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::de::{DeserializeOwned, IgnoredAny};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use super::extract::{body, expect_json, read};
use super::problem::Problem;
use super::settings::ApiState;

/// A JSON body, with the names of its members that the schema does not know.
#[derive(Clone, Debug)]
pub(crate) struct Known<T> {
    /// What was read.
    pub(crate) body: T,
    /// What was not.
    pub(crate) ignored: Vec<String>,
}

impl<T: DeserializeOwned + ToSchema> FromRequest<ApiState> for Known<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        expect_json(&request)?;
        let bytes = body(request, state).await?;
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

/// Names them in the answer's headers, where there are any.
pub(crate) fn name_ignored(headers: &mut HeaderMap, names: &[String]) {
    if let Some(list) = header_list(names) {
        headers.insert(HeaderName::from_static("x-ignored-fields"), list);
    }
}

/// How long a list of names in a header gets at most: proxies refuse long heads.
const LONGEST_LIST: usize = 2_000;

/// Names in a header. What cannot stand in one is escaped as in an address; what does not fit is
/// counted at the end.
fn header_list(names: &[String]) -> Option<HeaderValue> {
    let mut text = String::new();
    for (shown, name) in names.iter().enumerate() {
        let name = escape(name);
        if text.len() + name.len() > LONGEST_LIST {
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
