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
fn redis_is_reached_without_tls_at_an_address_its_client_reads() {
    assert_eq!(
        Given::default().flag("redis-url", "rediss://:hunter2@cache").problem(),
        "--redis-url (flag): TLS to Redis (rediss://) is not supported; use redis://"
    );
    for text in ["http://:hunter2@cache", "redis://:hunter2@cache/first"] {
        assert_eq!(
            env("GRANTOR_REDIS_URL", text).problem(),
            "GRANTOR_REDIS_URL (environment): the value (hidden because it may be secret) is not \
             a URL such as redis://localhost:6379"
        );
    }
    assert!(env("GRANTOR_REDIS_URL", "redis://:hunter2@cache:6380/1").load().is_ok());
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
