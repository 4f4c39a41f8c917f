//! The whole house in one process: a real database, the real router, a clock and randomness of
//! the test's own. Requests go straight to the router, without a port.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use grantor_api::frame::route::Route;
use grantor_api::{ApiState, Settings, Surface};
use grantor_domain::delivery::Schedule;
use grantor_domain::id::IdSource;
use grantor_domain::limit::Limits;
use grantor_domain::network::AllowedNetworks;
use grantor_domain::password::PasswordPolicy;
use grantor_domain::plan::Plans;
use grantor_domain::{Clock, Entropy};
use grantor_service::access::Access;
use grantor_service::billing::Sandbox;
use grantor_service::billing::processor::Processor;
use grantor_service::hasher::{Hasher, Strength};
use grantor_service::health::Health;
use grantor_service::image::Images;
use grantor_service::keys::Keys;
use grantor_service::likeness::Likenesses;
use grantor_service::limit::Limiter;
use grantor_service::mail::{Files, Mailer};
use grantor_service::names::Names;
use grantor_service::outbound::{Dns, Outbound, SystemDns, TimeLimits};
use grantor_service::quota::Quotas;
use grantor_service::refusal::Refusals;
use grantor_service::session::guard::Warnings;
use grantor_service::visit::Visits;
use grantor_service::wake::Wakes;
use grantor_service::{App, Parts};
use grantor_storage::Store;
use grantor_storage::counter::Memory;
use grantor_storage::object::Objects;
use http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Notify, watch};

use crate::clock::MockClock;
use crate::document::Statuses;
use crate::entropy::SeededEntropy;
pub use crate::request::{Answer, TestRequest};
use crate::store::TestStore;
use crate::{Engine, Fixture};

/// The address everything is reachable at, as far as the house knows.
pub const ORIGIN: &str = "https://grantor.test";

/// What a test changes about the house before it stands.
#[derive(Default)]
pub struct Plan {
    /// Limits in force.
    pub limits: Limits,
    /// Which new passwords are taken.
    pub password_policy: PasswordPolicy,
    /// What each plan costs and allows.
    pub plans: Plans,
    /// The frame's settings.
    pub settings: Settings,
    /// Routes beside the external API's own.
    pub external: Vec<Route>,
    /// Routes beside the console API's own.
    pub console: Vec<Route>,
    /// Where pictures are kept; files of the test's own without it.
    pub objects: Option<Objects>,
    /// Networks that requests may reach besides the public internet.
    pub allowed: AllowedNetworks,
    /// How long requests that leave the house may take.
    pub times: TimeLimits,
    /// Who resolves names; the system without it.
    pub dns: Option<Arc<dyn Dns>>,
    /// Who takes payments; the sandbox without it.
    pub processor: Option<Arc<dyn Processor>>,
    /// Where the house is reachable; [`ORIGIN`] without it, where it is not.
    pub origin: Option<String>,
}

/// A running house.
pub struct TestApp {
    /// The service.
    pub app: App,
    /// The clock it reads.
    pub clock: Arc<MockClock>,
    /// Its database.
    pub database: TestStore,
    pub(crate) router: Router,
    pub(crate) statuses: Statuses,
    data: TempDir,
    /// Mails in the order in which they were seen: names of one instant have none.
    mails: Mutex<Vec<PathBuf>>,
}

impl Fixture for TestApp {
    async fn on(engine: Engine) -> Self {
        Self::planned(engine, Plan::default()).await
    }
}

impl TestApp {
    /// A house after a test's own plan.
    pub async fn planned(engine: Engine, plan: Plan) -> Self {
        Self::in_database(TestStore::on(engine).await, plan)
    }

    /// The same in a database that is there already.
    #[must_use]
    pub fn in_database(database: TestStore, plan: Plan) -> Self {
        let clock = Arc::new(MockClock::default());
        let data = tempfile::tempdir().expect("a data directory");
        let objects = plan.objects.unwrap_or_else(|| Objects::local(data.path().join("objects")));
        crate::install_tls_provider();
        let dns = plan.dns.unwrap_or_else(|| Arc::new(SystemDns::default()));
        let outbound = Outbound::new(dns, plan.allowed, plan.times).expect("an outbound client");
        let time: Arc<dyn Clock> = Arc::clone(&clock) as Arc<dyn Clock>;
        let sandbox = || Arc::new(Sandbox::new(database.store.clone(), time)) as Arc<dyn Processor>;
        let processor = plan.processor.unwrap_or_else(sandbox);
        let origin = plan.origin.unwrap_or_else(|| ORIGIN.to_owned());
        let own = Own {
            limits: plan.limits,
            password_policy: plan.password_policy,
            plans: plan.plans,
            objects,
            outbound,
            processor,
            origin,
            seed: 7,
        };
        let app = service(database.store.clone(), &clock, &data, own);
        let state = ApiState::new(app.clone(), plan.settings);
        let mut external = grantor_api::external::routes(&app.service_name);
        let mut console = grantor_api::console::routes();
        let mut statuses = Statuses::default();
        statuses.note(Surface::External, &external);
        statuses.note(Surface::Console, &console);
        external.extend(plan.external);
        console.extend(plan.console);
        let router =
            grantor_api::assemble(&state, external, console, grantor_web::router(app.clone()));
        Self { app, clock, database, router, statuses, data, mails: Mutex::default() }
    }

    /// Another node on the same database, with the same keys, clock, processor and reach.
    pub async fn another_node(&self, seed: u64) -> App {
        let store = Store::open(&self.database.options).await.expect("the database opens");
        let own = Own {
            limits: self.app.limiter.limits().clone(),
            password_policy: self.app.password_policy,
            plans: self.app.plans.clone(),
            objects: Objects::local(self.object_folder()),
            outbound: self.app.outbound.clone(),
            processor: Arc::clone(&self.app.processor),
            origin: self.app.public_url.clone(),
            seed,
        };
        service(store, &self.clock, &self.data, own)
    }

    /// Begins a request.
    #[must_use]
    pub fn request(&self, method: Method, path: &str) -> TestRequest<'_> {
        let peer = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7)), 40_000);
        TestRequest::new(self, method, path, peer)
    }

    /// A GET without anything.
    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path).send().await
    }

    /// A POST of a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.request(Method::POST, path).json(body).send().await
    }

    /// The router itself, for who sends without reading.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Signs a person in at the console; what the answer holds, or null.
    pub async fn sign_in(&self, username: &str, password: &str) -> Value {
        let body = json!({ "username": username, "password": password });
        self.post("/v1.0.1/auth/login", &body).await.json()["data"].clone()
    }

    /// Sends what waits and gives the code in the newest mail to this address.
    pub async fn mailed_code(&self, to: &str) -> String {
        let mail = self.newest_mail(to).await;
        let code = mail.lines().find_map(|line| line.strip_prefix("    "));
        code.expect("a code on a line of its own").trim().to_owned()
    }

    /// Sends what waits and gives the token in the newest mail to this address.
    pub async fn mailed_token(&self, to: &str) -> String {
        let mail = self.newest_mail(to).await;
        let found = grantor_domain::secret::find_leaked(&mail).into_iter().next();
        mail[found.expect("a token in the mail")].to_owned()
    }

    /// Sends what waits and gives the newest mail to this address.
    pub async fn newest_mail(&self, to: &str) -> String {
        self.app.mailer.send_due(1_000).await.expect("mails are sent");
        let mut mails = self.mails.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = std::fs::read_dir(self.mail_folder()).expect("a folder of mails");
        let folder = folder.map(|it| it.expect("a mail").path());
        let mut new: Vec<PathBuf> = folder.filter(|it| !mails.contains(it)).collect();
        new.sort();
        mails.extend(new);
        let texts = mails.iter().rev().map(|it| std::fs::read_to_string(it).expect("a mail"));
        let addressed = format!("\r\nTo: {to}\r\n");
        let mail = texts.into_iter().find(|text| text.contains(&addressed));
        // Quoted-printable breaks long lines with an equals sign.
        mail.expect("a mail to this address").replace("=\r\n", "").replace("=3D", "=")
    }

    /// Where pictures are kept, unless the plan says otherwise.
    #[must_use]
    pub fn object_folder(&self) -> PathBuf {
        self.data.path().join("objects")
    }

    /// Where mails are written.
    #[must_use]
    pub fn mail_folder(&self) -> PathBuf {
        self.data.path().join("mail")
    }
}

/// What differs from house to house, and from node to node.
struct Own {
    limits: Limits,
    password_policy: PasswordPolicy,
    plans: Plans,
    objects: Objects,
    outbound: Outbound,
    processor: Arc<dyn Processor>,
    origin: String,
    seed: u64,
}

fn service(store: Store, clock: &Arc<MockClock>, data: &TempDir, own: Own) -> App {
    let Own { limits, password_policy, plans, objects, outbound, processor, origin, seed } = own;
    let time: Arc<dyn Clock> = Arc::clone(clock) as Arc<dyn Clock>;
    let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(seed));
    let keys = Keys::open(data.path(), Arc::clone(&time), Arc::clone(&entropy));
    let keys = Arc::new(keys.expect("a key ring"));
    let ids = IdSource::new(Arc::clone(&time), Arc::clone(&entropy));
    let files = Arc::new(Files::new(data.path().join("mail"), Arc::clone(&time)));
    let mailer = Mailer::new(
        store.clone(),
        Arc::clone(&keys),
        Arc::clone(&time),
        ids.clone(),
        files,
        "Grantor <no-reply@grantor.test>",
    )
    .expect("a sender");
    App::new(Parts {
        access: Access::default(),
        hasher: Hasher::new(Arc::clone(&entropy), 2, Strength::Test),
        password_policy,
        limiter: Limiter::new(limits, Memory::new(Arc::clone(&time))),
        store,
        started: time.now(),
        clock: time,
        entropy,
        ids,
        keys,
        mailer,
        objects,
        images: Images::new(2),
        likenesses: Likenesses::default(),
        outbound,
        processor,
        names: Names::default(),
        plans,
        health: Health::default(),
        quotas: Quotas::default(),
        schedule: Schedule::default(),
        public_url: origin,
        service_name: "grantor".to_owned(),
        wakes: Wakes::default(),
        answered: Notify::new(),
        stopping: watch::Sender::new(false),
        visits: Visits::default(),
        refusals: Refusals::default(),
        warnings: Warnings::default(),
    })
}
