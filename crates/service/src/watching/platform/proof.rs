//! The checks that prove control of a domain.

use grantor_domain::platform::{Platform, PlatformDomain, Proof, VerificationMethod};

use super::page::meta_contents;
use crate::App;
use grantor_outbound::{OutboundRequest, Purpose};

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofResult {
    /// The verification method.
    pub method: VerificationMethod,
    /// What is missing, as shown to the user; `None` if the proof was found.
    pub missing: Option<String>,
}

/// Runs one check, or all of them concurrently.
pub(super) async fn run_checks(
    app: &App,
    platform: &Platform,
    only: Option<VerificationMethod>,
) -> Vec<ProofResult> {
    let proof = &Proof::of(&app.service_name, &platform.domain, &platform.token);
    let run = |method| async move {
        if only.is_some_and(|it| it != method) {
            return None;
        }
        let found = match method {
            VerificationMethod::Dns => dns(app, proof).await,
            VerificationMethod::MetaTag => meta_tag(app, &platform.domain, proof).await,
            VerificationMethod::File => file(app, &platform.domain, proof).await,
        };
        Some(ProofResult { method, missing: found.err() })
    };
    let [dns, tag, file] = VerificationMethod::ALL.map(run);
    let (dns, tag, file) = tokio::join!(dns, tag, file);
    [dns, tag, file].into_iter().flatten().collect()
}

async fn dns(app: &App, proof: &Proof) -> Result<(), String> {
    let Some(record) = &proof.dns else {
        return Err("an IP address has no DNS records: use the meta tag or the file".to_owned());
    };
    let name = &record.name;
    let texts = app.outbound.txt_records(name).await;
    let texts = texts.map_err(|_| format!("the TXT records of {name} could not be looked up"))?;
    if texts.iter().any(|it| it.trim_ascii() == record.value.as_bytes()) {
        return Ok(());
    }
    Err(match texts.len() {
        0 => format!("{name} has no TXT record"),
        _ => format!("{name} has no TXT record with the expected value"),
    })
}

async fn meta_tag(app: &App, domain: &PlatformDomain, proof: &Proof) -> Result<(), String> {
    let page = fetch(app, domain, "/").await?;
    let tag = &proof.meta_tag;
    let contents = meta_contents(&page, &tag.name);
    if contents.iter().any(|it| it == tag.content.as_bytes()) {
        return Ok(());
    }
    Err(match contents.len() {
        0 => format!("the head of the home page has no meta tag named {}", tag.name),
        _ => format!("the meta tag named {} does not have the expected content", tag.name),
    })
}

async fn file(app: &App, domain: &PlatformDomain, proof: &Proof) -> Result<(), String> {
    let body = fetch(app, domain, &proof.file.path).await?;
    // Some editors start a text file with a byte order mark.
    let text = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&body).trim_ascii();
    if text == proof.file.content.as_bytes() {
        return Ok(());
    }
    Err(format!("{} does not have the expected content", proof.file.path))
}

/// Fetches a page of the domain. Plain HTTP is tried only on networks that the operator allows, and
/// first: a server without TLS may leave a handshake hanging.
async fn fetch(app: &App, domain: &PlatformDomain, path: &str) -> Result<Vec<u8>, String> {
    let [http, https] = ["http", "https"].map(|it| format!("{it}://{}{path}", domain.as_str()));
    let mut missing = None;
    if app.outbound.vet(&http).await.is_ok() {
        match read(app, http, path).await {
            Ok(body) => return Ok(body),
            Err(reason) => missing = Some(reason),
        }
    }
    read(app, https, path).await.map_err(|reason| missing.unwrap_or(reason))
}

async fn read(app: &App, url: String, path: &str) -> Result<Vec<u8>, String> {
    let answer = app.outbound.send(Purpose::VerificationPage, OutboundRequest::get(url)).await;
    let answer = answer.map_err(|error| format!("{path} could not be read: {error}"))?;
    if answer.status.is_success() {
        return Ok(answer.body);
    }
    Err(format!("{path} returned status {}", answer.status.as_u16()))
}
