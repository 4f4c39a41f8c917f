//! What a URL may say, and how others are refused.

use super::*;

fn primary(url: &str) -> ServerUrl {
    ServerUrl::parse(url, DatabaseRole::Primary).unwrap()
}

fn refusal(url: &str, role: DatabaseRole) -> String {
    ServerUrl::parse(url, role).unwrap_err()
}

fn places(url: &ServerUrl) -> Vec<&str> {
    url.servers.iter().map(|it| it.place.as_str()).collect()
}

#[test]
fn each_host_is_a_server_of_its_own() {
    let url = primary("postgres://u:p%40?w@a,b:6000,[::1]:7000/g?connect_timeout=3");
    assert_eq!(places(&url), ["a:5432", "b:6000", "[::1]:7000"]);
    for server in &url.servers {
        let config = &server.config;
        assert_eq!((config.get_user(), config.get_dbname()), (Some("u"), Some("g")));
        assert_eq!(config.get_password(), Some(b"p@?w".as_slice()));
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(3)));
        assert_eq!((config.get_hosts().len(), config.get_ports().len()), (1, 1));
    }
}

#[test]
fn several_hosts_are_for_failover() {
    let target = |url: &str, role| ServerUrl::parse(url, role).unwrap().target;
    let (one, several) = ("postgres://a/g", "postgres://a,b/g");
    assert_eq!(target(one, DatabaseRole::Primary), Target::Any);
    assert_eq!(target(one, DatabaseRole::Replica), Target::Any);
    assert_eq!(target(several, DatabaseRole::Primary), Target::Primary);
    assert_eq!(target(several, DatabaseRole::Replica), Target::Standby);
    for name in ["read-write", "primary"] {
        let url = format!("{one}?target_session_attrs={name}");
        assert_eq!(target(&url, DatabaseRole::Primary), Target::Primary);
    }
    for name in ["standby", "read-only", "prefer-standby"] {
        let url = format!("{one}?target_session_attrs={name}");
        assert_eq!(target(&url, DatabaseRole::Replica), Target::Standby);
    }
}

#[test]
fn targets_that_cannot_work_are_refused() {
    let with = |name: &str| format!("postgres://a,b/g?target_session_attrs={name}");
    let of = |name: &str, role| refusal(&with(name), role);
    assert_eq!(
        of("standby", DatabaseRole::Primary),
        "target_session_attrs=standby leads to servers that refuse writes; name them in \
         database_replica_url"
    );
    assert_eq!(
        of("any", DatabaseRole::Primary),
        "target_session_attrs=any would also read from standbys; with several hosts use \
         read-write, the default"
    );
    assert_eq!(
        of("read-write", DatabaseRole::Replica),
        "target_session_attrs=read-write leads to the primary, which needs no replica; use \
         standby"
    );
    assert_eq!(
        of("master", DatabaseRole::Replica),
        "target_session_attrs=master is not one of any, read-write, primary, read-only, \
         standby and prefer-standby"
    );
}

#[test]
fn sslmode_decides_what_is_verified() {
    let of = |text: &str| {
        let url = primary(&format!("postgres://a/g{text}"));
        (url.tls.verification, url.servers[0].config.get_ssl_mode())
    };
    assert_eq!(of(""), (Verification::None, SslMode::Prefer));
    assert_eq!(of("?sslmode=disable"), (Verification::NoTls, SslMode::Disable));
    assert_eq!(of("?sslmode=prefer"), (Verification::None, SslMode::Prefer));
    assert_eq!(of("?sslmode=verify-ca"), (Verification::Chain, SslMode::Require));
    for name in ["require", "verify-full"] {
        let full = (Verification::ChainAndName, SslMode::Require);
        assert_eq!(of(&format!("?sslmode={name}")), full);
    }
    let socket = primary("postgres://%2Frun%2Fpostgresql/g?sslmode=verify-full");
    assert_eq!(socket.servers[0].config.get_ssl_mode(), SslMode::Disable);
}

#[test]
fn certificates_are_files() {
    let url = primary(
        "postgres://a/g?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem&sslcert=c.pem&sslkey=k",
    );
    assert_eq!(url.tls.roots, Roots::File("/etc/ca.pem".into()));
    let files = ClientFiles { cert: "c.pem".into(), key: "k".into() };
    assert_eq!(url.tls.client, Some(files));
    let system = primary("postgres://a/g?sslmode=verify-full&sslrootcert=system");
    assert_eq!(system.tls.roots, Roots::System);
}

#[test]
fn a_url_that_cannot_mean_what_it_says_is_refused() {
    let table = [
        (
            "?sslmode=allow",
            "sslmode is not one of disable, prefer, require, verify-ca and verify-full",
        ),
        ("?sslrootcert=ca.pem", "sslrootcert requires sslmode=verify-full, verify-ca or require"),
        ("?sslcert=c.pem", "sslcert requires sslkey"),
        ("?sslkey=k.pem", "sslkey requires sslcert"),
        ("?sslmode=disable&sslcert=c&sslkey=k", "sslcert has no effect with sslmode=disable"),
        ("?sslmode=require&sslmode=disable", "sslmode is in the URL twice"),
        ("?sslrootcert=", "sslrootcert in the URL has no value"),
        ("?port=1,2", "the URL has different numbers of hosts, addresses and ports"),
        (
            "?load_balance_hosts=random",
            "load_balance_hosts=random is not supported: servers are tried in the order of \
             the URL",
        ),
        (
            "?passfile=x",
            "the URL is not valid: invalid connection string: unknown option `passfile`",
        ),
    ];
    for (parameters, expected) in table {
        let url = format!("postgres://u:secret@a/g{parameters}");
        assert_eq!(refusal(&url, DatabaseRole::Primary), expected, "{parameters}");
    }
    assert_eq!(refusal("postgres:///g", DatabaseRole::Primary), "the URL has no host");
}
