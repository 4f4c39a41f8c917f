//! The table of settings. Flags, environment variables, file keys, `--help`, `check-config` and the
//! reference are all generated from it.

/// The groups of settings, in the order in which help shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Serving,
    Storage,
    Objects,
    Mail,
    Certificates,
    Payments,
    Delivery,
    Watching,
    Retention,
    Running,
}

impl Group {
    /// The heading over the group's settings.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Serving => "Serving",
            Self::Storage => "Storage",
            Self::Objects => "Objects (images)",
            Self::Mail => "Mail",
            Self::Certificates => "Certificates",
            Self::Payments => "Payments",
            Self::Delivery => "Limits and delivery",
            Self::Watching => "Watching",
            Self::Retention => "Retention",
            Self::Running => "Running and logging",
        }
    }
}

/// How much of a value may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrecy {
    /// All of it.
    Public,
    /// Everything except the password of a URL.
    Password,
    /// Nothing.
    Secret,
}

/// What applies when a setting is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fallback {
    /// This value, parsed like a given one.
    Text(&'static str),
    /// No value; the text describes what Grantor does then.
    Unset(&'static str),
}

impl Fallback {
    /// The text for help and the reference.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Text(text) | Self::Unset(text) => text,
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The key in `grantor.toml`.
    pub(crate) key: &'static str,
    /// The key for a file that contains the value; only for secrets.
    pub(crate) key_file: &'static str,
    /// The environment variable.
    pub(crate) env: &'static str,
    /// The environment variable for a file.
    pub(crate) env_file: &'static str,
    /// The command-line flag without its dashes.
    pub(crate) flag: &'static str,
    /// The command-line flag for a file.
    pub(crate) flag_file: &'static str,
    /// The placeholder for the value in help.
    pub(crate) placeholder: &'static str,
    /// The group it is listed in.
    pub(crate) group: Group,
    /// How much of the value may be shown.
    pub(crate) secrecy: Secrecy,
    /// The default.
    pub(crate) fallback: Fallback,
    /// The description, one sentence.
    pub(crate) help: &'static str,
}

impl Setting {
    /// Whether the value may also be read from a file.
    pub(crate) const fn may_be_file(&self) -> bool {
        !matches!(self.secrecy, Secrecy::Public)
    }

    /// Whether its flag takes no value and turns the setting off.
    pub(crate) const fn is_switch(&self) -> bool {
        self.placeholder.is_empty()
    }
}

/// Defines a static for each setting and the list of all settings.
macro_rules! settings {
    ($($name:ident $key:literal $flag:literal $placeholder:literal
       $group:ident $secrecy:ident $fallback:ident($words:literal) $help:literal;)*) => {
        $(pub(crate) static $name: Setting = Setting {
            key: $key,
            key_file: concat!($key, "_file"),
            env: concat!("GRANTOR_", stringify!($name)),
            env_file: concat!("GRANTOR_", stringify!($name), "_FILE"),
            flag: $flag,
            flag_file: concat!($flag, "-file"),
            placeholder: $placeholder,
            group: Group::$group,
            secrecy: Secrecy::$secrecy,
            fallback: Fallback::$fallback($words),
            help: $help,
        };)*

        /// Every setting, grouped.
        pub(crate) static SETTINGS: &[&Setting] = &[$(&$name),*];
    };
}

settings! {
    LISTEN "listen" "listen" "ADDRESS" Serving Public Text("127.0.0.1:8080")
        "Address and port to listen on.";
    PUBLIC_URL "public_url" "public-url" "URL" Serving Public Unset("http(s)://<listen>")
        "Origin at which clients reach this server, without a path; required when listening on \
         0.0.0.0 or [::], and behind a proxy unless listening on loopback.";
    SERVICE_NAME "service_name" "service-name" "NAME" Serving Public Text("grantor")
        "Name of the discovery document under /.well-known/.";
    TLS_CERT "tls_cert" "tls-cert" "PATH" Serving Public Unset("plain HTTP")
        "PEM file with the certificate chain; requires tls_key.";
    TLS_KEY "tls_key" "tls-key" "PATH" Serving Public Unset("plain HTTP")
        "PEM file with the private key; requires tls_cert.";
    TRUSTED_PROXIES "trusted_proxies" "trusted-proxies" "NETWORKS" Serving Public Unset("none")
        "Comma-separated networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are \
         trusted.";
    KEEP_ALIVE "keep_alive" "keep-alive" "SECONDS" Serving Public Text("75")
        "Seconds that a connection may be idle between requests; at most 60 on HTTP/2.";
    DRAIN_DELAY "drain_delay" "drain-delay" "SECONDS" Serving Public Text("5")
        "Seconds that serve goes on answering after SIGTERM while /readyz is 503, so that load \
         balancers notice; 0 stops at once.";
    CONNECTIONS_PER_ADDRESS "connections_per_address" "connections-per-address" "NUMBER" Serving
        Public Text("256")
        "Maximum number of connections per client address (IPv6: per /64); no limit for trusted \
         proxies.";
    METRICS_LISTEN "metrics_listen" "metrics-listen" "ADDRESS" Serving Public
        Text("127.0.0.1:9090")
        "Address and port for metrics, or off.";

    DATA_DIR "data_dir" "data-dir" "PATH" Storage Public Text("./data")
        "Directory for keys and all data that is not stored elsewhere.";
    KEY_RING_FILE "key_ring_file" "key-ring-file" "PATH" Storage Public
        Unset("keys.json in the data directory")
        "Key ring that is mounted, for example as a secret; it is never written.";
    KEY_RING_SECRET "key_ring_secret" "key-ring-secret" "BASE64" Storage Secret
        Unset("the key ring is a file")
        "Secret of 32 bytes that seals the key ring in the database, so that nodes need no file.";
    DATABASE_URL "database_url" "database-url" "URL" Storage Password
        Unset("SQLite file grantor.sqlite in the data directory")
        "Database URL: postgres://… or sqlite:PATH; postgres://a,b,c/name uses the server that \
         accepts writes.";
    DATABASE_REPLICA_URL "database_replica_url" "database-replica-url" "URL" Storage Password
        Unset("none")
        "PostgreSQL replica for the catalog and the lists of logs; of several hosts, the first standby that \
         responds.";
    REDIS_URL "redis_url" "redis-url" "URL" Storage Password Unset("in memory, for one node")
        "Redis or Valkey for shared counters: redis://…, rediss://… with TLS, or \
         redis+sentinel://HOST,HOST/MASTER. Without it, each node counts rate limits for itself.";

    OBJECT_STORE "object_store" "object-store" "STORE" Objects Public Text("auto")
        "Where images are stored without a bucket: files (in the data directory), database, or \
         auto (database with PostgreSQL, files with SQLite).";
    S3_ENDPOINT "s3_endpoint" "s3-endpoint" "URL" Objects Public
        Unset("Amazon's for the region")
        "URL of the S3 service.";
    S3_BUCKET "s3_bucket" "s3-bucket" "NAME" Objects Public Unset("images are stored as object_store says")
        "Bucket for images.";
    S3_REGION "s3_region" "s3-region" "NAME" Objects Public Unset("us-east-1")
        "Region of the bucket.";
    S3_ACCESS_KEY_ID "s3_access_key_id" "s3-access-key-id" "ID" Objects Secret Unset("none")
        "Access key ID for the bucket.";
    S3_SECRET_ACCESS_KEY "s3_secret_access_key" "s3-secret-access-key" "KEY" Objects Secret
        Unset("none")
        "Secret access key for the bucket.";

    SMTP_URL "smtp_url" "smtp-url" "URL" Mail Password Unset(".eml files in the data directory")
        "Mail server URL: smtp://… or smtps://….";
    MAIL_FROM "mail_from" "mail-from" "MAILBOX" Mail Public
        Text("Grantor <no-reply@localhost>")
        "Sender of all emails.";

    CERTIFICATE_FONTS "certificate_fonts" "certificate-fonts" "PATHS" Certificates Public
        Unset("the built-in font, for Latin, Greek, Cyrillic, Georgian and Armenian")
        "Comma-separated TTF, OTF or TTC files, tried in this order for characters that the \
         built-in font of certificates lacks.";

    STRIPE_SECRET_KEY "stripe_secret_key" "stripe-secret-key" "KEY" Payments Secret
        Unset("the built-in sandbox")
        "Secret key of the Stripe account for payments.";
    STRIPE_API_BASE "stripe_api_base" "stripe-api-base" "URL" Payments Public
        Unset("https://api.stripe.com")
        "URL of the Stripe API.";

    PLANS_FILE "plans_file" "plans-file" "PATH" Payments Public Unset("the built-in plans")
        "TOML file with the prices and limits of the plans.";

    LIMITS "limits" "limits" "LIMITS" Delivery Public Unset("the documented limits")
        "Rate limits to override, for example external=100/60s, or off to disable all.";
    PASSWORD_POLICY "password_policy" "password-policy" "POLICY" Delivery Public Text("standard")
        "Rules for new passwords: standard (at least 8 characters, with uppercase, lowercase, a \
         digit and a special character) or strict (also hard to guess).";
    WEBHOOK_SCHEDULE "webhook_schedule" "webhook-schedule" "SECONDS" Delivery Public
        Text("0,5,300,1800,7200,18000,36000,50400,72000,86400")
        "Comma-separated delays in seconds before each webhook attempt.";
    OUTBOUND_ALLOW "outbound_allow" "outbound-allow" "NETWORKS" Delivery Public Unset("none")
        "Networks that webhooks and scans may reach in addition to the public internet; plain \
         HTTP is allowed there.";

    YOUTUBE_API_KEY "youtube_api_key" "youtube-api-key" "KEY" Watching Secret
        Unset("channels are only watched by what YouTube announces")
        "Key of the YouTube Data API v3, with which channels and playlists are read.";
    REDDIT_CLIENT_ID "reddit_client_id" "reddit-client-id" "ID" Watching Secret
        Unset("Reddit cannot be watched")
        "Client ID of a Reddit app, with which subreddits and users are read; requires \
         reddit_client_secret.";
    REDDIT_CLIENT_SECRET "reddit_client_secret" "reddit-client-secret" "KEY" Watching Secret
        Unset("Reddit cannot be watched")
        "Client secret of the Reddit app; requires reddit_client_id.";
    RECOGNITION_MEMORY "recognition_memory" "recognition-memory" "MEGABYTES" Watching Public
        Text("256")
        "Most memory for the names and reference images that content is compared with, from 1 to \
         1000000 MB. Names and hashes beyond it are read from the database, and parts of the \
         index of local features from files in data_dir/index; 2000 hold a million of each.";

    RETENTION_EVENTS "retention_events" "retention-events" "DAYS" Retention Public Text("30")
        "Days to keep events.";
    RETENTION_ACCESS "retention_access" "retention-access" "DAYS" Retention Public Text("30")
        "Days to keep the access log.";
    RETENTION_AUDIT "retention_audit" "retention-audit" "DAYS" Retention Public Text("730")
        "Days to keep the audit log.";
    RETENTION_EVIDENCE "retention_evidence" "retention-evidence" "DAYS" Retention Public Text("730")
        "Days to keep the evidence of mentions.";

    WORKERS "workers" "no-workers" "" Running Public Text("true")
        "Whether serve also runs background work (true or false).";
    LOG "log" "log" "FILTER" Running Public Text("info")
        "Log filter, for example info or warn,grantor_service=debug.";
    LOG_FORMAT "log_format" "log-format" "FORMAT" Running Public Text("auto")
        "Log format: human, json, or auto (human on a terminal, json otherwise).";
    LOG_REQUESTS "log_requests" "log-requests" "NUMBER" Running Public Text("20")
        "Requests per second that are logged at level info, besides those that fail or take a \
         second.";
    OTLP_ENDPOINT "otlp_endpoint" "otlp-endpoint" "URL" Running Public Unset("none")
        "OpenTelemetry collector that gets traces and metrics by OTLP over HTTP, for example \
         http://localhost:4318.";
    OTLP_HEADERS "otlp_headers" "otlp-headers" "HEADERS" Running Secret Unset("none")
        "Comma-separated headers for the collector, for example authorization=Bearer TOKEN; \
         requires otlp_endpoint.";
    OTLP_SAMPLING "otlp_sampling" "otlp-sampling" "PERCENT" Running Public Text("10")
        "Percentage of requests whose traces are sent, unless the caller's traceparent decides.";
    MESSAGES_DIR "messages_dir" "messages-dir" "PATH" Running Public Unset("English and German")
        "Directory with a folder of message files for each additional or changed language.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_in_three_spellings() {
        for setting in SETTINGS {
            assert_eq!(setting.env, format!("GRANTOR_{}", setting.key.to_uppercase()));
            let flag = setting.flag.strip_prefix("no-").unwrap_or(setting.flag);
            assert_eq!(flag, setting.key.replace('_', "-"));
            assert!(setting.help.ends_with('.'), "{}: help is one sentence", setting.key);
        }
    }

    #[test]
    fn rows_are_grouped_and_unique() {
        assert!(SETTINGS.is_sorted_by_key(|setting| setting.group));
        let mut keys: Vec<_> = SETTINGS.iter().map(|setting| setting.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), SETTINGS.len());
    }
}
