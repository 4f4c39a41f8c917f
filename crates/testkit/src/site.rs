//! The house on a port of loopback, for browsers.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use grantor_domain::limit::Limits;
use grantor_service::demo::{self, Sample};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::app::{Plan, TestApp};
use crate::browser::Browser;
use crate::{Engine, Fixture as _, store::TestStore};

/// A house that browsers can visit, with the sample in it. Its clock is the test's own; mails wait
/// in it for [`TestApp::mailed_code`] and its like.
pub struct Site {
    /// The house.
    pub house: TestApp,
    /// Who and what is in it.
    pub sample: Sample,
    served: Served,
}

impl Site {
    /// A house without limits, on `SQLite`.
    pub async fn start() -> Self {
        Self::planned(Plan { limits: Limits::off(), ..Plan::default() }).await
    }

    /// A house after a test's own plan, on `SQLite`.
    pub async fn planned(plan: Plan) -> Self {
        let door = Door::open().await;
        let plan = Plan { origin: Some(door.origin()), ..plan };
        let house = TestApp::in_database(TestStore::on(Engine::Sqlite).await, plan);
        let sample = demo::fill(&house.app).await.unwrap_or_else(|error| panic!("{error}"));
        let served = door.serve(house.router());
        Self { house, sample, served }
    }

    /// A browser before it, where nobody is signed in.
    pub async fn browser(&self) -> Browser {
        self.served.browser().await
    }

    /// A browser in which an account of the sample is signed in: 0 is the agency, 1 the brand, 2 the
    /// platform, 3 the person who manages themself.
    pub async fn browser_of(&self, account: usize) -> Browser {
        let browser = self.browser().await;
        let account = &self.sample.accounts[account];
        browser.sign_in(&account.email, account.password.expose()).await;
        browser
    }

    /// A browser in which staff is signed in, which can be had once: so is the sample's token.
    pub async fn browser_of_staff(&self) -> Browser {
        let browser = self.browser().await;
        browser.sign_in_as_staff(self.sample.token.token.expose()).await;
        browser
    }
}

/// Pages on a port of loopback; they end when dropped.
pub struct Served {
    origin: String,
    task: JoinHandle<()>,
}

impl Served {
    /// Serves pages of a test's own.
    pub async fn pages(router: Router) -> Self {
        Door::open().await.serve(router)
    }

    /// A browser before them.
    pub async fn browser(&self) -> Browser {
        Browser::start(&self.origin).await
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A port that is ours before anything is behind it: the house has to know its own address.
struct Door(TcpListener);

impl Door {
    async fn open() -> Self {
        Self(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port"))
    }

    fn origin(&self) -> String {
        format!("http://{}", self.0.local_addr().expect("an address"))
    }

    fn serve(self, router: Router) -> Served {
        let origin = self.origin();
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let task = tokio::spawn(async move {
            // Ends with the task alone.
            let _ = axum::serve(self.0, service).await;
        });
        Served { origin, task }
    }
}
