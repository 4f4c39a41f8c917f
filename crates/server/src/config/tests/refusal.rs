//! Settings that cannot work are refused at the start, with their source.

use super::{Given, env};

#[test]
fn the_document_does_not_take_the_place_of_the_keys() {
    assert_eq!(
        Given::default().flag("service-name", "jwks.json").problem(),
        "--service-name (flag): \"jwks.json\" is reserved for the public keys; choose another name"
    );
    assert_eq!(
        Given::default().flag("service-name", "jwt-vc-issuer").problem(),
        "--service-name (flag): \"jwt-vc-issuer\" is reserved for the receipt issuer; choose \
         another name"
    );
    assert!(env("GRANTOR_SERVICE_NAME", "keys.json").load().is_ok());
}

#[test]
fn others_need_an_address_that_they_can_use() {
    let no_url = "public_url (default): must be set, because clients cannot use the listen address";
    let by_proxy = "public_url (default): must be set, because clients use the proxy's address";
    let tls = |given: Given| given.env("GRANTOR_TLS_CERT", "c").env("GRANTOR_TLS_KEY", "k");
    let proxy = |given: Given| given.env("GRANTOR_TRUSTED_PROXIES", "10.0.0.2");
    let listen = |address| env("GRANTOR_LISTEN", address);
    for everywhere in ["0.0.0.0:80", "[::]:80", "[::ffff:0.0.0.0]:80"] {
        assert_eq!(tls(listen(everywhere)).problem(), no_url);
        assert_eq!(proxy(listen(everywhere)).problem(), no_url);
        let named = listen(everywhere).env("GRANTOR_PUBLIC_URL", "https://grantor.example");
        assert!(proxy(named).load().is_ok());
        // Both problems are reported at once.
        assert!(listen(everywhere).problem().ends_with(&format!("\n{no_url}")));
    }
    assert_eq!(proxy(listen("10.0.0.1:80")).problem(), by_proxy);
    assert_eq!(proxy(tls(listen("10.0.0.1:80"))).problem(), by_proxy);
    let direct = tls(listen("10.0.0.1:8443")).config();
    assert_eq!(direct.public_url.to_string(), "https://10.0.0.1:8443");
    let local = proxy(listen("127.0.0.1:81")).config();
    assert_eq!(local.public_url.to_string(), "http://127.0.0.1:81");
}

#[test]
fn redis_is_reached_at_an_address_its_client_reads() {
    for text in ["http://:hunter2@cache", "redis://:hunter2@cache/first"] {
        assert_eq!(
            env("GRANTOR_REDIS_URL", text).problem(),
            "GRANTOR_REDIS_URL (environment): the value (hidden because it may be secret) is not \
             a URL such as redis://localhost:6379"
        );
    }
    assert_eq!(
        Given::default().flag("redis-url", "redis://:hunter2@cache?sslrootcert=ca").problem(),
        "--redis-url (flag): it names certificates, which only rediss:// uses"
    );
    for text in [
        "redis://:hunter2@cache:6380/1",
        "rediss://:hunter2@cache:6380",
        "redis+sentinel://:hunter2@a,b:26380/mymaster",
    ] {
        assert!(env("GRANTOR_REDIS_URL", text).load().is_ok(), "{text}");
    }
}

#[test]
fn a_collector_gets_secrets_only_where_nobody_else_reads_them() {
    let headers = |endpoint: &str| {
        let given = Given::default().flag("otlp-headers", "authorization=Bearer hunter2");
        given.flag("otlp-endpoint", endpoint)
    };
    assert_eq!(
        headers("http://collector.internal:4318").problem(),
        "--otlp-headers (flag): may contain a secret, so otlp_endpoint must be https or on this \
         machine"
    );
    for endpoint in ["https://collector.internal", "http://localhost:4318", "http://[::1]:4318"] {
        assert!(headers(endpoint).load().is_ok(), "{endpoint}");
    }
    assert_eq!(
        Given::default().flag("otlp-headers", "a=b").problem(),
        "--otlp-headers (flag): requires otlp_endpoint, which is not set"
    );
    for (name, value, what) in [
        ("drain-delay", "301", "a number of seconds from 0 to 300"),
        ("log-requests", "-1", "a number from 0 to 100000"),
        ("otlp-sampling", "101", "a percentage such as 10 or 0.5"),
    ] {
        assert_eq!(
            Given::default().flag(name, value).problem(),
            format!("--{name} (flag): \"{value}\" is not {what}")
        );
    }
}

#[test]
fn mail_is_not_sent_readable_to_anybody() {
    for (text, what) in [
        ("smtp://u:hunter2@mail.test", "it would send mail unencrypted: "),
        ("smtps://hunter2@mail.test", "it must contain both a user and a password, or neither"),
        ("smtps://[::1]", "it must contain a host name or an IPv4 address"),
        ("smtp://mail.test?tls=hunter2", "it may only have ?tls=required or ?tls=opportunistic"),
        ("smtps://u:hunter2@mail.test/a\tb", "the value (hidden because it may be secret) "),
    ] {
        let sentence = Given::default().flag("smtp-url", text).problem();
        assert!(sentence.starts_with(&format!("--smtp-url (flag): {what}")), "{sentence}");
        assert!(!sentence.contains("hunter2"), "{sentence}");
    }
    for text in ["smtp://localhost:25", "smtp://m.test?tls=required", "smtps://u:p@m.test"] {
        assert!(env("GRANTOR_SMTP_URL", text).load().is_ok(), "{text}");
    }
}

#[test]
fn fonts_must_be_fonts_that_can_be_read() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("font.ttf");
    let named = path.to_str().unwrap();
    let list = format!("{named}, /no/such.otf");
    std::fs::write(&path, "wOF2 is compressed for the web").unwrap();
    assert_eq!(
        env("GRANTOR_CERTIFICATE_FONTS", &list).problem(),
        format!(
            "GRANTOR_CERTIFICATE_FONTS (environment): {named} is not a TrueType or OpenType font"
        )
    );
    std::fs::write(&path, dejavu::sans::regular()).unwrap();
    assert_eq!(
        Given::default().flag("certificate-fonts", &list).problem(),
        "--certificate-fonts (flag): /no/such.otf cannot be read: No such file or directory (os \
         error 2)"
    );
    assert_eq!(env("GRANTOR_CERTIFICATE_FONTS", named).config().certificate_fonts.len(), 1);
    assert!(Given::default().config().certificate_fonts.is_empty());
}

#[test]
fn every_bad_limit_is_named() {
    assert_eq!(
        env("GRANTOR_LIMITS", "login=5/1d,metadata=60/60s,admin=5/32h,console=9/800h").problem(),
        "GRANTOR_LIMITS (environment): \"5/1d\" has an unknown unit; use s, m or h; \
         \"9/800h\" must last from one second to 31 days"
    );
}

#[test]
fn a_database_url_must_be_able_to_work() {
    for (parameters, what) in [
        ("?sslmode=allow", "sslmode is not one of disable, prefer, require, verify-ca and "),
        ("?sslmode=verify-full&sslrootcert=/no/ca.pem", "sslrootcert: /no/ca.pem: "),
        ("?target_session_attrs=standby", "target_session_attrs=standby leads to servers that "),
        ("?passfile=p", "the URL is not valid: invalid connection string: unknown option "),
    ] {
        let text = format!("postgres://u:hunter2@db/g{parameters}");
        let sentence = Given::default().flag("database-url", &text).problem();
        assert!(sentence.starts_with(&format!("--database-url (flag): {what}")), "{sentence}");
        assert!(!sentence.contains("hunter2"), "{sentence}");
    }
    let text = "postgres://db/g?target_session_attrs=standby";
    let given = env("GRANTOR_DATABASE_URL", "postgres://a,b/g");
    assert!(given.env("GRANTOR_DATABASE_REPLICA_URL", text).load().is_ok());
}

#[test]
fn the_key_ring_is_in_one_place() {
    let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    assert_eq!(
        env("GRANTOR_KEY_RING_SECRET", secret).flag("key-ring-file", "ring.json").problem(),
        "--key-ring-file (flag): the key ring is either there or in the database, but \
         key_ring_secret is set"
    );
    assert_eq!(
        env("GRANTOR_KEY_RING_SECRET", "hunter2").problem(),
        "GRANTOR_KEY_RING_SECRET (environment): the value (hidden because it may be secret) is \
         not 32 bytes in base64: run `openssl rand -base64 32`"
    );
    assert!(env("GRANTOR_KEY_RING_SECRET", secret).load().is_ok());
    assert!(Given::default().flag("key-ring-file", "ring.json").load().is_ok());
}

#[test]
fn images_are_in_one_place() {
    let bucket = env("GRANTOR_S3_BUCKET", "pictures").env("GRANTOR_S3_ACCESS_KEY_ID", "id");
    let bucket = bucket.env("GRANTOR_S3_SECRET_ACCESS_KEY", "secret");
    assert_eq!(
        bucket.flag("object-store", "files").problem(),
        "--object-store (flag): cannot be combined with s3_bucket"
    );
    for (name, value, what) in [
        ("object-store", "s3", "one of auto, database and files"),
        ("recognition-memory", "0", "a number of megabytes from 1 to 1000000"),
    ] {
        assert_eq!(
            Given::default().flag(name, value).problem(),
            format!("--{name} (flag): \"{value}\" is not {what}")
        );
    }
}
