//! The application on a loopback port, for browsers.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use grantor_demo::Sample;
use grantor_domain::limit::Limits;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::app::{TestApp, TestConfig};
use crate::browser::Browser;
use crate::{Engine, Fixture as _, store::TestStore};

/// An application with sample data that browsers can open. Tests control its clock and read its
/// mails with [`TestApp::mailed_code`] and similar methods.
pub struct Site {
    /// The application.
    pub app: TestApp,
    /// The sample data.
    pub sample: Sample,
    served: Served,
}

impl Site {
    /// Starts an application without rate limits, on `SQLite`.
    pub async fn start() -> Self {
        Self::with_config(TestConfig { limits: Limits::off(), ..TestConfig::default() }).await
    }

    /// Like [`Self::start`], at the name `localhost`, where browsers allow passkeys.
    pub async fn at_localhost() -> Self {
        let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        Self::at(BoundPort::named("localhost").await, config).await
    }

    /// Starts an application with a test's own configuration, on `SQLite`.
    pub async fn with_config(config: TestConfig) -> Self {
        Self::at(BoundPort::bind().await, config).await
    }

    /// Like [`Self::start`], with ways into the sample data on the front page.
    pub async fn with_entrances() -> Self {
        let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        let port = BoundPort::bind().await;
        let (app, sample) = Self::filled(&port, config).await;
        let entrances = grantor_demo::entrances(&app.app).await.expect("ways in");
        let app = app.with_entrances(entrances);
        let served = port.serve(app.router());
        Self { app, sample, served }
    }

    async fn at(port: BoundPort, config: TestConfig) -> Self {
        let (app, sample) = Self::filled(&port, config).await;
        let served = port.serve(app.router());
        Self { app, sample, served }
    }

    /// An application with sample data at the address of a port.
    async fn filled(port: &BoundPort, config: TestConfig) -> (TestApp, Sample) {
        let config = TestConfig { origin: Some(port.origin()), ..config };
        let app = TestApp::in_database(TestStore::on(Engine::Sqlite).await, config);
        let sample = Box::pin(grantor_demo::fill(&app.app)).await;
        let sample = sample.unwrap_or_else(|error| panic!("{error}"));
        (app, sample)
    }

    /// A browser in which nobody is signed in.
    pub async fn browser(&self) -> Browser {
        self.served.browser().await
    }

    /// A browser in which an account of the sample data is signed in: 0 is the agency, 1 the brand,
    /// 2 the platform, 3 the individual.
    pub async fn browser_of(&self, account: usize) -> Browser {
        let browser = self.browser().await;
        let account = &self.sample.accounts[account];
        browser.sign_in(&account.email, account.password.expose()).await;
        browser
    }

    /// A browser in which staff is signed in. Works only once, because the token does.
    pub async fn browser_of_staff(&self) -> Browser {
        let browser = self.browser().await;
        browser.sign_in_as_staff(self.sample.token.token.expose()).await;
        browser
    }
}

/// Pages on a loopback port; they stop when dropped.
pub struct Served {
    origin: String,
    task: JoinHandle<()>,
}

impl Served {
    /// Serves a test's own pages.
    pub async fn pages(router: Router) -> Self {
        BoundPort::bind().await.serve(router)
    }

    /// A browser for these pages.
    pub async fn browser(&self) -> Browser {
        Browser::start(&self.origin).await
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A port bound before anything is served, because the application must know its own URL.
struct BoundPort {
    listener: TcpListener,
    host: &'static str,
}

impl BoundPort {
    async fn bind() -> Self {
        Self::named("127.0.0.1").await
    }

    async fn named(host: &'static str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        Self { listener, host }
    }

    fn origin(&self) -> String {
        let address = self.listener.local_addr().expect("an address");
        format!("http://{}:{}", self.host, address.port())
    }

    fn serve(self, router: Router) -> Served {
        let origin = self.origin();
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let task = tokio::spawn(async move {
            // Ends only when the task is aborted.
            let _ = axum::serve(self.listener, service).await;
        });
        Served { origin, task }
    }
}
