//! Objects in an S3-compatible bucket.

use std::fmt;
use std::time::Duration;

use grantor_domain::Timestamp;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::{ClientOptions, HttpClient, HttpConnector};
use object_store::list::{PaginatedListOptions, PaginatedListStore as _};
use object_store::path::Path;
use object_store::signer::{Method, SignedUrlOptions, Signer as _};
use object_store::{
    Attribute, Attributes, BackoffConfig, ObjectStore as _, ObjectStoreExt as _, PutOptions,
    RetryConfig,
};
use reqwest::redirect;
use secrecy::{ExposeSecret as _, SecretString};
use url::{Host, Url};

use super::{Cursor, ObjectInfo, ObjectKey, ObjectKind, ObjectPage};
use crate::{Error, Result};

const CONNECT: Duration = Duration::from_secs(3);
/// Timeout of one attempt, body included. An HTTP request to Grantor ends after 30 seconds.
const ONE_TRY: Duration = Duration::from_secs(15);
const ALL_TRIES: Duration = Duration::from_secs(10);

/// The bucket and its credentials.
#[derive(Clone, Debug)]
pub struct S3Settings {
    /// The URL of the service; by default Amazon's for the region.
    pub endpoint: Option<Url>,
    /// The name of the bucket.
    pub bucket: String,
    /// The region of the bucket.
    pub region: String,
    /// The access key id.
    pub access_key_id: SecretString,
    /// The secret access key.
    pub secret_access_key: SecretString,
}

/// Invalid S3 settings.
#[derive(Debug, thiserror::Error)]
pub enum InvalidS3 {
    /// Credentials and pictures would cross a network unencrypted.
    #[error("plain http is allowed only for an S3 service on this machine: use https")]
    PlainHttp,
    /// Usually because the system has no trusted certificates.
    #[error("the S3 client cannot start: {0}")]
    Client(#[from] reqwest::Error),
    /// The client rejected the settings.
    #[error("the S3 settings are invalid: {0}")]
    Settings(#[from] object_store::Error),
}

#[derive(Clone)]
pub(super) struct S3 {
    bucket: AmazonS3,
}

impl fmt::Debug for S3 {
    /// The client's own implementation would show the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S3({})", self.bucket)
    }
}

impl S3 {
    pub(super) fn new(settings: &S3Settings) -> Result<Self, InvalidS3> {
        let plain = settings.endpoint.as_ref().is_some_and(|url| url.scheme() == "http");
        if plain && !settings.endpoint.as_ref().is_some_and(is_loopback) {
            return Err(InvalidS3::PlainHttp);
        }
        // A dot in the name would not match the certificate of Amazon's `*.s3.…` hosts, and other
        // services rarely have a host per bucket.
        let own_host = settings.endpoint.is_none() && !settings.bucket.contains('.');
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&settings.bucket)
            .with_region(&settings.region)
            .with_access_key_id(settings.access_key_id.expose_secret())
            .with_secret_access_key(settings.secret_access_key.expose_secret())
            .with_virtual_hosted_style_request(own_host)
            .with_allow_http(plain)
            // Not every service supports bulk deletion.
            .with_disable_bulk_delete(true)
            .with_http_connector(Client(client(plain)?))
            .with_retry(RetryConfig {
                backoff: BackoffConfig::default(),
                max_retries: 2,
                retry_timeout: ALL_TRIES,
            });
        if let Some(endpoint) = &settings.endpoint {
            builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/'));
        }
        Ok(Self { bucket: builder.build()? })
    }

    pub(super) async fn put(
        &self,
        key: ObjectKey,
        bytes: Vec<u8>,
        content_type: &str,
    ) -> Result<()> {
        let mut attributes = Attributes::new();
        attributes.insert(Attribute::ContentType, content_type.to_owned().into());
        let options = PutOptions { attributes, ..PutOptions::default() };
        let put = self.bucket.put_opts(&path(key), bytes.into(), options).await;
        put.map(drop).map_err(|error| unavailable(key, &error))
    }

    pub(super) async fn get(&self, key: ObjectKey) -> Result<Option<Vec<u8>>> {
        let got = match self.bucket.get(&path(key)).await {
            Ok(got) => got,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(unavailable(key, &error)),
        };
        let bytes = got.bytes().await.map_err(|error| unavailable(key, &error))?;
        Ok(Some(bytes.into()))
    }

    pub(super) async fn size(&self, key: ObjectKey) -> Result<Option<u64>> {
        match self.bucket.head(&path(key)).await {
            Ok(about) => Ok(Some(about.size)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(unavailable(key, &error)),
        }
    }

    pub(super) async fn delete(&self, key: ObjectKey) -> Result<()> {
        match self.bucket.delete(&path(key)).await {
            Err(error) if !is_absent(&error) => Err(unavailable(key, &error)),
            _ => Ok(()),
        }
    }

    pub(super) async fn list(
        &self,
        kind: ObjectKind,
        after: Option<Cursor>,
        at_most: usize,
    ) -> Result<ObjectPage> {
        let options = PaginatedListOptions {
            max_keys: Some(at_most),
            page_token: after.map(|Cursor(token)| token),
            ..PaginatedListOptions::default()
        };
        let folder = format!("{}/", kind.as_str());
        let page = self.bucket.list_paginated(Some(&folder), options).await;
        let page = page.map_err(|error| unavailable(&folder, &error))?;
        let objects = page.result.objects.into_iter().filter_map(|it| {
            let written_at = Timestamp::from_micros(it.last_modified.timestamp_micros());
            Some(ObjectInfo { key: it.location.as_ref().parse().ok()?, written_at })
        });
        Ok(ObjectPage { objects: objects.collect(), next: page.page_token.map(Cursor) })
    }

    pub(super) async fn presign(
        &self,
        key: ObjectKey,
        content_type: &str,
        expires_in: Duration,
    ) -> Result<Url> {
        // Signed too, so that the bucket answers with this type whatever it has stored.
        let options =
            SignedUrlOptions::default().with_query([("response-content-type", content_type)]);
        let signed =
            self.bucket.signed_url_opts(Method::GET, &path(key), expires_in, &options).await;
        signed.map_err(|error| unavailable(key, &error))
    }
}

/// Grantor's own HTTP client, because the library's reads proxies from the environment and follows
/// redirects.
#[derive(Debug)]
struct Client(reqwest::Client);

impl HttpConnector for Client {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the operator configures this address; it may be private"
)]
fn client(plain: bool) -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .https_only(!plain)
        .no_proxy()
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        // A compressed object would have another length than stated.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        .connect_timeout(CONNECT)
        .timeout(ONE_TRY)
        .build()
}

fn is_loopback(endpoint: &Url) -> bool {
    match endpoint.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

fn path(key: ObjectKey) -> Path {
    Path::from(key.to_string())
}

/// A missing bucket is an error, not an absent object.
fn is_absent(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::NotFound { source, .. }
        if !source.to_string().contains("NoSuchBucket"))
}

/// Reports only the code of an answer, because services quote the access key and the signed text.
fn unavailable(what: impl fmt::Display, error: &object_store::Error) -> Error {
    let text = error.to_string();
    let code = text.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
    let reason = match code {
        Some((code, _)) => format!("the S3 service returned {}", short(code, 64)),
        None => short(&text, 300),
    };
    Error::Objects(format!("{what}: {reason}"))
}

fn short(text: &str, most: usize) -> String {
    text.chars().take(most).filter(|it| !it.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(endpoint: Option<&str>) -> S3Settings {
        S3Settings {
            endpoint: endpoint.map(|url| url.parse().unwrap()),
            bucket: "pictures".into(),
            region: "eu-central-1".into(),
            access_key_id: "hunter-id".into(),
            secret_access_key: "hunter2".into(),
        }
    }

    async fn url(settings: &S3Settings) -> String {
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let key = ObjectKey::new(super::super::ObjectKind::Image, uuid::Uuid::nil());
        let s3 = S3::new(settings).unwrap();
        s3.presign(key, "image/png", Duration::from_hours(1)).await.unwrap().into()
    }

    #[tokio::test]
    async fn amazon_has_a_host_for_each_bucket_and_other_services_a_path() {
        let path = "images/00000000-0000-0000-0000-000000000000?";
        let amazon = url(&settings(None)).await;
        let start = format!("https://pictures.s3.eu-central-1.amazonaws.com/{path}");
        assert!(amazon.starts_with(&start), "{amazon}");
        let dotted = url(&S3Settings { bucket: "my.pictures".into(), ..settings(None) }).await;
        let start = format!("https://s3.eu-central-1.amazonaws.com/my.pictures/{path}");
        assert!(dotted.starts_with(&start), "{dotted}");
        let other = url(&settings(Some("https://storage.example.com/"))).await;
        let start = format!("https://storage.example.com/pictures/{path}");
        assert!(other.starts_with(&start), "{other}");
    }

    #[test]
    fn plain_http_stays_on_the_machine() {
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        for (endpoint, fits) in [
            ("http://127.0.0.1:9000", true),
            ("http://[::1]:9000", true),
            ("http://localhost:9000", true),
            ("http://192.0.2.7:9000", false),
            ("http://storage.example.com", false),
            ("http://localhost.example.com", false),
            ("https://storage.example.com", true),
        ] {
            let made = S3::new(&settings(Some(endpoint)));
            assert_eq!(made.is_ok(), fits, "{endpoint}: {made:?}");
        }
    }

    #[test]
    fn the_secret_is_never_shown() {
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let settings = settings(None);
        assert!(!format!("{settings:?}").contains("hunter"));
        let made = S3::new(&settings).unwrap();
        assert!(!format!("{made:?}").contains("hunter"), "{made:?}");
    }
}
