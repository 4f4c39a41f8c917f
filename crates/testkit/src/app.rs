//! The whole application in one process: a real database, the real router, and a clock and
//! randomness that the test controls. Requests go straight to the router, without a port.

use std::collections::HashSet;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use grantor_api::frame::route::Route;
use grantor_api::{Api, ApiState};
use grantor_domain::delivery::Schedule;
use grantor_domain::id::IdGenerator;
use grantor_domain::limit::Limits;
use grantor_domain::network::AllowedNetworks;
use grantor_domain::notice::FOLDING;
use grantor_domain::password::PasswordPolicy;
use grantor_domain::plan::Plans;
use grantor_domain::{Clock, Entropy};
use grantor_http::{HttpState, Settings};
use grantor_keys::Keys;
use grantor_mcp::Mcp;
use grantor_media::Images;
use grantor_outbound::{Dns, Outbound, SystemDns, TimeLimits};
use grantor_service::billing::Sandbox;
use grantor_service::billing::processor::Processor;
use grantor_service::billing::quota::Quotas;
use grantor_service::identity::access::Access;
use grantor_service::identity::hasher::{Hasher, Strength};
use grantor_service::identity::sample::Entrance;
use grantor_service::identity::session::guard::Warnings;
use grantor_service::licensing::receipt::{CertificateFonts, StatusLists};
use grantor_service::log::read_access::ReadAccessLog;
use grantor_service::log::refusal::Refusals;
use grantor_service::mail::{Files, Mailer};
use grantor_service::notices;
use grantor_service::operations::health::Health;
use grantor_service::operations::latency::Latencies;
use grantor_service::operations::limit::Limiter;
use grantor_service::operations::node::Nodes;
use grantor_service::operations::trace::Tracer;
use grantor_service::operations::wakeup::Wakeups;
use grantor_service::watching::likeness::{LikenessMemory, Likenesses};
use grantor_service::watching::pod::Pace;
use grantor_service::watching::source::Looks;
use grantor_service::watching::talent_names::TalentNames;
use grantor_service::watching::{HostedApis, RecognitionLimits};
use grantor_service::{App, Parts};
use grantor_storage::Store;
use grantor_storage::counter::Memory;
use grantor_storage::object::Objects;
use http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Notify, watch};

use crate::clock::MockClock;
use crate::document::Documented;
use crate::entropy::SeededEntropy;
pub use crate::request::{Answer, TestRequest};
use crate::store::TestStore;
use crate::{Engine, Fixture};

/// The public URL of the application.
pub const ORIGIN: &str = "https://grantor.test";

/// For machines that are busy with other tests, too.
const MINUTE: Duration = Duration::from_mins(1);
const PATIENT: RecognitionLimits = RecognitionLimits { check: MINUTE, turn: MINUTE, hints: MINUTE };

/// What a test configures before the application starts.
#[derive(Default)]
pub struct TestConfig {
    /// The rate limits.
    pub limits: Limits,
    /// The policy for new passwords.
    pub password_policy: PasswordPolicy,
    /// The price and limits of each plan.
    pub plans: Plans,
    /// The request-handling settings.
    pub settings: Settings,
    /// Additional routes of the external API.
    pub external: Vec<Route>,
    /// Additional routes of the console API.
    pub console: Vec<Route>,
    /// The object store; a temporary directory by default.
    pub objects: Option<Objects>,
    /// Networks that requests may reach besides the public internet.
    pub allowed: AllowedNetworks,
    /// Time limits of outbound requests.
    pub times: TimeLimits,
    /// The DNS resolver; the system's by default.
    pub dns: Option<Arc<dyn Dns>>,
    /// The payment processor; the sandbox by default.
    pub processor: Option<Arc<dyn Processor>>,
    /// The official APIs of hosted services; none by default.
    pub hosted_apis: HostedApis,
    /// The pause between the requests of a look at an address; none by default.
    pub look_pause: Duration,
    /// The most memory for finding reference images; enough by default.
    pub likeness_memory: LikenessMemory,
    /// The public URL; [`ORIGIN`] by default, which is not reachable.
    pub origin: Option<String>,
    /// Records spans; none by default.
    pub tracer: Tracer,
}

/// The mails that a test has found.
#[derive(Default)]
struct Mails {
    known: HashSet<OsString>,
    /// In the order in which they were found, because names written at the same time have no order.
    files: Vec<PathBuf>,
}

impl Mails {
    /// Adds the new ones of a folder.
    fn find(&mut self, folder: &Path) {
        let entries = std::fs::read_dir(folder).expect("a folder of mails");
        let names = entries.map(|it| it.expect("a mail").file_name());
        let mut new: Vec<_> = names.filter(|it| self.known.insert(it.clone())).collect();
        new.sort();
        self.files.extend(new.iter().map(|it| folder.join(it)));
    }
}

/// A running application.
pub struct TestApp {
    /// The service layer.
    pub app: App,
    /// The application's clock.
    pub clock: Arc<MockClock>,
    pub(crate) router: Router,
    pub(crate) documented: Documented,
    data: TempDir,
    mails: Mutex<Mails>,
    /// The application's database, dropped after all that uses it.
    pub database: TestStore,
}

impl Fixture for TestApp {
    async fn on(engine: Engine) -> Self {
        Self::with_config(engine, TestConfig::default()).await
    }
}

impl TestApp {
    /// Starts an application with a test's own configuration.
    pub async fn with_config(engine: Engine, config: TestConfig) -> Self {
        Self::in_database(TestStore::on(engine).await, config)
    }

    /// Like [`Self::with_config`], with an existing database.
    #[must_use]
    pub fn in_database(database: TestStore, config: TestConfig) -> Self {
        let clock = Arc::new(MockClock::default());
        let data = tempfile::tempdir().expect("a data directory");
        let objects = config.objects.unwrap_or_else(|| Objects::local(data.path().join("objects")));
        crate::install_tls_provider();
        let dns = config.dns.unwrap_or_else(|| Arc::new(SystemDns::default()));
        let outbound =
            Outbound::new(dns, config.allowed, config.times).expect("an outbound client");
        let time: Arc<dyn Clock> = Arc::clone(&clock) as Arc<dyn Clock>;
        let sandbox = || Arc::new(Sandbox::new(database.store.clone(), time)) as Arc<dyn Processor>;
        let processor = config.processor.unwrap_or_else(sandbox);
        let origin = config.origin.unwrap_or_else(|| ORIGIN.to_owned());
        let parts = NodeParts {
            limits: config.limits,
            password_policy: config.password_policy,
            plans: config.plans,
            objects,
            outbound,
            hosted_apis: config.hosted_apis,
            look_pause: config.look_pause,
            likeness_memory: config.likeness_memory,
            processor,
            origin,
            tracer: config.tracer,
            seed: 7,
        };
        let app = service(database.store.clone(), &clock, &data, parts);
        let http = HttpState::new(app.clone(), config.settings);
        let state = ApiState::new(http.clone());
        let mut external = grantor_api::external::routes(&app.service_name);
        let mut console = grantor_api::console::routes();
        let mut documented = Documented::default();
        documented.add(Api::External, &external);
        documented.add(Api::Console, &console);
        external.extend(config.external);
        console.extend(config.console);
        let pages = grantor_web::router(&http).merge(Mcp::new(&state).router());
        let router = grantor_api::assemble(&state, external, console, pages);
        Self { app, clock, database, router, documented, data, mails: Mutex::default() }
    }

    /// Adds ways into the sample data to the pages.
    #[must_use]
    pub fn with_entrances(self, entrances: Vec<Entrance>) -> Self {
        let http = HttpState::new(self.app.clone(), Settings::default());
        let state = ApiState::new(http.clone());
        let external = grantor_api::external::routes(&self.app.service_name);
        let console = grantor_api::console::routes();
        let pages = grantor_web::router_with_sample(&http, entrances);
        let pages = pages.merge(Mcp::new(&state).router());
        let router = grantor_api::assemble(&state, external, console, pages);
        Self { router, ..self }
    }

    /// Another node on the same database, with the same keys, clock, payment processor and allowed
    /// networks.
    pub async fn another_node(&self, seed: u64) -> App {
        let store = Store::open(&self.database.options).await.expect("the database opens");
        let parts = NodeParts {
            limits: self.app.limiter.limits().clone(),
            password_policy: self.app.password_policy,
            plans: self.app.plans.clone(),
            objects: Objects::local(self.object_folder()),
            outbound: self.app.outbound.clone(),
            hosted_apis: self.app.hosted_apis.clone(),
            look_pause: self.app.looks.pace().pause,
            likeness_memory: LikenessMemory::default(),
            processor: Arc::clone(&self.app.processor),
            origin: self.app.public_url.clone(),
            tracer: Tracer::default(),
            seed,
        };
        service(store, &self.clock, &self.data, parts)
    }

    /// Starts building a request.
    #[must_use]
    pub fn request(&self, method: Method, path: &str) -> TestRequest<'_> {
        let peer = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7)), 40_000);
        TestRequest::new(self, method, path, peer)
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path).send().await
    }

    /// Sends a POST request with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.request(Method::POST, path).json(body).send().await
    }

    /// The router itself.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Signs a user in at the console and returns the response's data, or null.
    pub async fn sign_in(&self, username: &str, password: &str) -> Value {
        let body = json!({ "username": username, "password": password });
        self.post("/v1.0.1/auth/login", &body).await.json()["data"].clone()
    }

    /// Sends all pending mails and returns the code in the newest mail with one to this address.
    pub async fn mailed_code(&self, to: &str) -> String {
        let code = |mail: &str| {
            let line = mail.lines().find_map(|line| line.strip_prefix("    "))?;
            Some(line.trim().to_owned())
        };
        self.send_answers().await;
        self.find_sent(to, code).expect("a mail with a code on a line of its own")
    }

    /// Sends all pending mails and returns the token in the newest mail with one to this address.
    pub async fn mailed_token(&self, to: &str) -> String {
        let token = |mail: &str| {
            let found = grantor_domain::secret::find_leaked(mail).into_iter().next()?;
            Some(mail[found].to_owned())
        };
        self.send_answers().await;
        self.find_sent(to, token).expect("a mail with a token")
    }

    /// Composes the emails about all notices that are told at once, without waiting for the time in
    /// which they are folded, and sends all pending mails.
    pub async fn send_mails(&self) {
        let at = self.clock.now().plus(FOLDING);
        notices::compose_due(&self.app, at).await.expect("emails are composed");
        self.app.mailer.send_due(1_000).await.expect("mails are sent");
    }

    /// Sends all pending mails and returns the newest one to this address.
    pub async fn newest_mail(&self, to: &str) -> String {
        self.send_mails().await;
        self.find_sent(to, |mail| Some(mail.to_owned())).expect("a mail to this address")
    }

    /// Sends all pending mails, apart from emails about notices, which are composed later.
    async fn send_answers(&self) {
        self.app.mailer.send_due(1_000).await.expect("mails are sent");
    }

    /// What is found in the newest mail to this address that has it.
    fn find_sent(&self, to: &str, part: impl Fn(&str) -> Option<String>) -> Option<String> {
        let mut mails = self.mails.lock().unwrap_or_else(PoisonError::into_inner);
        mails.find(&self.mail_folder());
        let texts = mails.files.iter().rev().map(|it| std::fs::read_to_string(it).expect("a mail"));
        let addressed = format!("\r\nTo: {to}\r\n");
        let mut addressed = texts.filter(|text| text.contains(&addressed));
        // Quoted-printable breaks long lines with an equals sign.
        addressed.find_map(|it| part(&it.replace("=\r\n", "").replace("=3D", "=")))
    }

    /// The directory of the object store, unless configured otherwise.
    #[must_use]
    pub fn object_folder(&self) -> PathBuf {
        self.data.path().join("objects")
    }

    /// The directory to which mails are written.
    #[must_use]
    pub fn mail_folder(&self) -> PathBuf {
        self.data.path().join("mail")
    }
}

/// What differs between applications and between nodes.
struct NodeParts {
    limits: Limits,
    password_policy: PasswordPolicy,
    plans: Plans,
    objects: Objects,
    outbound: Outbound,
    hosted_apis: HostedApis,
    look_pause: Duration,
    likeness_memory: LikenessMemory,
    processor: Arc<dyn Processor>,
    origin: String,
    tracer: Tracer,
    seed: u64,
}

fn service(store: Store, clock: &Arc<MockClock>, data: &TempDir, parts: NodeParts) -> App {
    let NodeParts { limits, password_policy, plans, objects, outbound, .. } = parts;
    let (hosted_apis, processor) = (parts.hosted_apis, parts.processor);
    let (origin, seed) = (parts.origin, parts.seed);
    let looks = Looks::new(Pace { pause: parts.look_pause });
    let time: Arc<dyn Clock> = Arc::clone(clock) as Arc<dyn Clock>;
    let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(seed));
    let keys = Keys::open(data.path(), Arc::clone(&time), Arc::clone(&entropy));
    let keys = Arc::new(keys.expect("a key ring"));
    let ids = IdGenerator::new(Arc::clone(&time), Arc::clone(&entropy));
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
        nodes: Nodes::new(uuid::Uuid::from_u128(u128::from(seed)).into()),
        started: time.now(),
        clock: time,
        entropy,
        ids,
        keys,
        mailer,
        objects,
        images: Images::new(2),
        likenesses: Likenesses::new(parts.likeness_memory, data.path().join("index")),
        recognition_limits: PATIENT,
        outbound,
        hosted_apis,
        looks,
        processor,
        names: TalentNames::default(),
        plans,
        health: Health::default(),
        latencies: Latencies::default(),
        tracer: parts.tracer,
        quotas: Quotas::default(),
        schedule: Schedule::default(),
        public_url: origin,
        service_name: "grantor".to_owned(),
        wakeups: Wakeups::default(),
        answered: Notify::new(),
        status_lists: StatusLists::default(),
        certificate_fonts: CertificateFonts::default(),
        stopping: watch::Sender::new(false),
        read_accesses: ReadAccessLog::default(),
        refusals: Refusals::default(),
        warnings: Warnings::default(),
    })
}
