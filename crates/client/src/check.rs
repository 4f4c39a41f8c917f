//! Checks: one look at a picture, an address or a text.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::client::{Client, JSON};
use crate::connection::Request;
use crate::error::Result;
use crate::record::Named;

/// A check may upload a picture, or wait for another site.
const TIMEOUT: Duration = Duration::from_mins(2);

/// What to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckInput<'a> {
    /// A JPEG, PNG or WebP picture.
    Image(&'a [u8]),
    /// A text, plain or HTML.
    Text(&'a str),
    /// The address of a page, a feed or a picture.
    Url(&'a str),
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct CheckResult {
    /// The licenses whose talents were recognized, most confident first.
    pub matches: Vec<CheckMatch>,
    /// Pictures of a page that could not be checked.
    pub skipped: Vec<SkippedPicture>,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl CheckResult {
    /// Whether everything that was recognized may be used, or nothing was.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.matches.iter().all(|it| it.decision.is_allowed())
    }
}

/// A license whose talent was recognized.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct CheckMatch {
    /// The talent.
    pub talent: Named,
    /// The ID of the license.
    pub license_id: String,
    /// What was recognized: a `name` or an `image`.
    pub kind: String,
    /// How it was recognized, such as `full_name`.
    pub method: String,
    /// The name that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// Whether the likeness may be used.
    pub decision: Decision,
    /// Other members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Whether a likeness may be used.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Decision {
    /// The decision: `allowed`, `denied` or `ask`.
    pub decision: String,
    /// The reasons.
    pub reasons: Vec<DecisionReason>,
    /// Other members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Decision {
    /// Whether the use is allowed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.decision == "allowed"
    }
}

/// A reason of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct DecisionReason {
    /// The code, such as `NO_GRANT`.
    pub code: String,
    /// The reason, for people.
    pub message: String,
    /// Other members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A picture that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SkippedPicture {
    /// Its address.
    pub url: String,
    /// The reason.
    pub reason: String,
}

impl Client {
    /// Checks whether a picture, an address or a text shows or names somebody with a license.
    /// Needs the scope `mention:read`.
    pub async fn check(&self, input: CheckInput<'_>) -> Result<CheckResult> {
        // Nothing of a check is kept, so it can be repeated.
        let request = Request::post(&["checks"]).timeout(TIMEOUT).repeatable();
        let request = match input {
            CheckInput::Image(image) => {
                let (content_type, body) = form(image);
                request.body(&content_type, body)
            }
            CheckInput::Text(text) => request.body(JSON, json!({ "text": text }).to_string()),
            CheckInput::Url(url) => request.body(JSON, json!({ "url": url }).to_string()),
        };
        self.fetch(&request).await
    }
}

/// A form with one file, and its content type.
fn form(image: &[u8]) -> (String, Vec<u8>) {
    let mut boundary = "grantor-form".to_owned();
    // The boundary must not be part of the file.
    while contains(image, boundary.as_bytes()) {
        boundary.push('-');
    }
    let head = format!(
        "--{boundary}\r\ncontent-disposition: form-data; name=\"image\"; filename=\"image\"\r\n\
         content-type: application/octet-stream\r\n\r\n"
    );
    let end = format!("\r\n--{boundary}--\r\n");
    let content_type = format!("multipart/form-data; boundary={boundary}");
    (content_type, [head.as_bytes(), image, end.as_bytes()].concat())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|it| it == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_the_boundary_gets_another_one() {
        let (content_type, body) = form(b"grantor-form-");
        assert_eq!(content_type, "multipart/form-data; boundary=grantor-form--");
        assert!(body.starts_with(b"--grantor-form--\r\ncontent-disposition: "));
        assert!(body.ends_with(b"\r\n\r\ngrantor-form-\r\n--grantor-form----\r\n"));
    }
}
