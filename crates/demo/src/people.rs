//! Sample people: organizations with one user each, a self-managed individual, and the agency's
//! roster. All names are invented; all email addresses end in `.example`, which receives no mail.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::client::{ClientName, Environment};
use grantor_domain::email::Email;
use grantor_domain::id::{TalentId, TeamId, TenantId, UserId};
use grantor_domain::locale::Locale;
use grantor_domain::organization::{
    NewOrganization, OrganizationDescription, OrganizationName, OrganizationType, Plan,
};
use grantor_domain::password::{Password, PasswordPolicy};
use grantor_domain::person::{Bio, FullName};
use grantor_domain::role::TenantType;
use grantor_domain::scope::Scopes;
use grantor_domain::talent::{Aliases, SocialMedia, TalentStatus};
use grantor_domain::{Entropy, Error, Result};
use grantor_storage::user::User;

use super::invalid;
use super::portrait::{Cut, Look};
use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_service::identity::access::{Caller, ClientCaller};
use grantor_service::identity::client::{self, NewClient};
use grantor_service::identity::registration::{self, AccountDetails, NewAccount};
use grantor_service::licensing::talent::{self, NewTalent};
use grantor_service::organizations::membership::TenantMembership;
use grantor_service::{App, Context};

/// A sample account, with its credentials.
pub struct Account {
    /// The tenant.
    pub tenant: TenantId,
    /// The tenant's name.
    pub name: String,
    /// The tenant's type.
    pub kind: TenantType,
    /// The user.
    pub user: UserId,
    /// The email address to sign in with.
    pub email: String,
    /// The password, shown only once.
    pub password: Password,
    /// The API client, with its secret, which is shown only once.
    pub client: client::ClientWithSecret,
    pub(super) caller: Arc<Caller>,
}

impl Account {
    /// The context of the user.
    pub(super) fn context(&self, app: &App) -> Context {
        Context { actor: self.caller.actor(), ..Context::operator(app.clock.monotonic()) }
    }

    /// The parsed email address.
    pub(super) fn address(&self) -> Result<Email> {
        Email::parse(&self.email).map_err(invalid)
    }

    /// The API client as a caller of the external API.
    pub(super) fn client_caller(&self) -> ClientCaller {
        let client = &self.client.client;
        ClientCaller {
            client: client.id,
            name: client.name.clone(),
            user: self.user,
            role: self.caller.role,
            tenant: self.tenant,
            tenant_type: self.kind,
            plan: Plan::default(),
            scopes: client.scopes,
        }
    }
}

/// A user with an account.
pub(super) struct Member {
    fullname: &'static str,
    pub(super) email: &'static str,
    organization: Option<(&'static str, OrganizationType, &'static str)>,
}

/// The sample accounts.
pub(super) const MEMBERS: [Member; 4] = [
    Member {
        fullname: "Marguerite Ashdown",
        email: "marguerite@quillfeather.example",
        organization: Some((
            "Quillfeather Talent",
            OrganizationType::Agency,
            "A small agency for faces and voices. Sample data: these people do not exist.",
        )),
    },
    Member {
        fullname: "Henrik Solvang",
        email: "rights@marrowby.example",
        organization: Some((
            "Marrowby Outdoor",
            OrganizationType::Brand,
            "Tents, boots and the people who wear them in our campaigns. Sample data.",
        )),
    },
    Member {
        fullname: "Dolores Ibáñez-Kerr",
        email: "trust@loopwell.example",
        organization: Some((
            "Loopwell",
            OrganizationType::Platform,
            "Short films and a magazine, with a rights team. Sample data.",
        )),
    },
    Member { fullname: SELF_MANAGED.fullname, email: "noa@elmaleh.example", organization: None },
];

/// Indexes into [`MEMBERS`].
pub(super) const AGENCY: usize = 0;
pub(super) const BRAND: usize = 1;
pub(super) const PLATFORM: usize = 2;
pub(super) const PERSON: usize = 3;

/// The staff account: email address and name.
pub(super) const STAFF: (&str, &str) = ("staff@grantor.example", "Sample Staff");

/// A talent of the roster.
pub(super) struct SampleTalent {
    pub(super) fullname: &'static str,
    pub(super) aliases: &'static [&'static str],
    bio: &'static str,
    handle: &'static str,
    pub(super) look: Look,
}

const SAND: [[u8; 3]; 2] = [[244, 214, 178], [214, 151, 120]];
const SEA: [[u8; 3]; 2] = [[160, 210, 219], [64, 124, 150]];
const MOSS: [[u8; 3]; 2] = [[196, 214, 170], [104, 140, 104]];
const PLUM: [[u8; 3]; 2] = [[214, 186, 220], [122, 86, 140]];
const ROSE: [[u8; 3]; 2] = [[250, 206, 206], [206, 112, 124]];
const SLATE: [[u8; 3]; 2] = [[200, 208, 220], [96, 108, 132]];
const GOLD: [[u8; 3]; 2] = [[250, 226, 150], [222, 162, 64]];
const MINT: [[u8; 3]; 2] = [[190, 232, 214], [84, 160, 146]];
const DUSK: [[u8; 3]; 2] = [[246, 190, 160], [112, 92, 150]];

const BLACK: [u8; 3] = [42, 34, 38];
const BROWN: [u8; 3] = [96, 62, 44];
const RED: [u8; 3] = [170, 84, 44];
const BLOND: [u8; 3] = [222, 184, 110];
const GRAY: [u8; 3] = [168, 166, 170];

const fn look(
    wall: [[u8; 3]; 2],
    skin: [u8; 3],
    hair: [u8; 3],
    clothes: [u8; 3],
    cut: Cut,
) -> Look {
    Look { wall, skin, hair, clothes, cut, beard: false, glasses: false }
}

/// The agency's roster.
pub(super) const TALENTS: [SampleTalent; 8] = [
    SampleTalent {
        fullname: "Zoë Lindqvåg",
        aliases: &["Zoe Lindqvag", "ZL"],
        bio: "Climber and presenter. Speaks Swedish, English and a little too fast.",
        handle: "@zoe.climbs",
        look: look(SEA, [246, 214, 190], BLOND, [38, 70, 96], Cut::Long),
    },
    SampleTalent {
        fullname: "Amadou N'Diabaré",
        aliases: &["Amadou ND"],
        bio: "Actor and voice of three audiobooks a year.",
        handle: "@amadou.reads",
        look: Look { beard: true, ..look(GOLD, [116, 76, 54], BLACK, [46, 92, 84], Cut::Short) },
    },
    SampleTalent {
        fullname: "星野うらら",
        aliases: &["Urara Hoshino", "ほしの うらら"],
        bio: "Illustrator who became the face of the books she draws.",
        handle: "@urara.draws",
        look: look(ROSE, [248, 218, 196], BLACK, [240, 236, 228], Cut::Bob),
    },
    SampleTalent {
        fullname: "Søren Vestergårdh",
        aliases: &["Soren Vestergardh"],
        bio: "Retired sailor and active grandfather, in demand for both.",
        handle: "@soren.ashore",
        look: Look { beard: true, ..look(SLATE, [238, 198, 172], GRAY, [52, 60, 92], Cut::Bald) },
    },
    SampleTalent {
        fullname: "Inés Quintaflor",
        aliases: &["Ines Quintaflor", "La Quinta"],
        bio: "Dancer and choreographer.",
        handle: "@laquinta",
        look: look(PLUM, [212, 160, 124], BROWN, [176, 52, 72], Cut::Bun),
    },
    SampleTalent {
        fullname: "Олена Ясновець",
        aliases: &["Olena Yasnovets"],
        bio: "Concert pianist; her hands are licensed more often than her face.",
        handle: "@olena.keys",
        look: Look { glasses: true, ..look(MINT, [244, 208, 184], RED, [52, 48, 56], Cut::Bob) },
    },
    SampleTalent {
        fullname: "Tadhg Ó Marcáin",
        aliases: &["Tadhg Marcain"],
        bio: "Chef of a restaurant with eleven seats.",
        handle: "@eleven.seats",
        look: Look { beard: true, ..look(MOSS, [246, 206, 184], RED, [236, 232, 224], Cut::Short) },
    },
    SampleTalent {
        fullname: "Priyamvada Rathnakar",
        aliases: &["Priya Rathnakar", "Priya R."],
        bio: "Physicist and the calm voice of a science channel.",
        handle: "@priya.explains",
        look: Look {
            glasses: true,
            ..look(SAND, [150, 98, 68], BLACK, [70, 110, 160], Cut::Round)
        },
    },
];

/// The self-managed individual.
pub(super) const SELF_MANAGED: SampleTalent = SampleTalent {
    fullname: "Noa Elmaleh-Brück",
    aliases: &[],
    bio: "",
    handle: "",
    look: look(DUSK, [196, 144, 110], BROWN, [60, 56, 88], Cut::Round),
};

/// Creates an account with an API client.
pub(super) async fn create_account(
    app: &App,
    operator: &Context,
    member: &Member,
) -> Result<Account> {
    let organization = member.organization.map(organization).transpose()?;
    let name = organization.as_ref().map_or(member.fullname, |it| it.name.as_str()).to_owned();
    let kind = organization.as_ref().map_or(TenantType::Individual, |it| it.kind.tenant_type());
    let (password, chosen) = new_password(&*app.entropy)?;
    let account = NewAccount {
        fullname: FullName::parse(member.fullname).map_err(invalid)?,
        email: Email::parse(member.email).map_err(invalid)?,
        password: chosen,
        organization,
    };
    let entered = AccountDetails::hashed(app, account, None).await?;
    let (user, membership) = app.act(operator, CreateAccount(entered)).await?;
    let caller = Arc::new(Caller {
        user: user.id,
        name: user.fullname,
        role: membership.role,
        tenant: membership.tenant,
        tenant_type: kind,
        // Nobody signed in, so no session has this id.
        session: app.ids.next(),
        has_other_tenants: false,
        method: None,
        signed_in_at: app.clock.now(),
        locale: Locale::default(),
    });
    let context = Context { actor: caller.actor(), ..operator.clone() };
    let new = NewClient {
        name: ClientName::parse("Sample integration").map_err(invalid)?,
        environment: Environment::Development,
        scopes: Scopes::all(),
        expires_at: None,
    };
    let client = client::create(app, &context, Arc::clone(&caller), new).await?;
    let (tenant, user, email) = (caller.tenant, caller.user, user.email);
    Ok(Account { tenant, name, kind, user, email, password, client, caller })
}

/// Adds a talent to the agency's roster.
pub(super) async fn add_talent(
    app: &App,
    agency: &Account,
    face: &SampleTalent,
    team: Option<TeamId>,
) -> Result<TalentId> {
    let new = NewTalent {
        fullname: FullName::parse(face.fullname).map_err(invalid)?,
        aliases: Aliases::parse(face.aliases).map_err(invalid)?,
        email: None,
        phone: None,
        bio: Some(Bio::parse(face.bio).map_err(invalid)?),
        social_media: SocialMedia::parse([("Loopwell", face.handle)]).map_err(invalid)?,
        team,
        external_id: None,
        status: TalentStatus::Active,
    };
    let caller = Arc::clone(&agency.caller);
    Ok(talent::create(app, &agency.context(app), caller, new).await?.talent.id)
}

fn organization(
    (name, kind, description): (&str, OrganizationType, &str),
) -> Result<NewOrganization> {
    let name = OrganizationName::parse(name).map_err(invalid)?;
    let description = Some(OrganizationDescription::parse(description).map_err(invalid)?);
    Ok(NewOrganization { name, kind, description })
}

/// A random password, twice: to be shown and to be hashed.
pub(super) fn new_password(entropy: &dyn Entropy) -> Result<(Password, Password)> {
    // 32 characters each, so that all are equally likely; lookalikes are left out.
    const UPPER: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    const LOWER: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    // One in a few hundred lacks a digit and is replaced.
    for _ in 0..100 {
        let drawn = entropy.bytes::<20>();
        let groups = drawn.chunks(4).enumerate().map(|(at, group)| {
            let letters = if at % 2 == 0 { UPPER } else { LOWER };
            group.iter().map(|it| char::from(letters[usize::from(it % 32)])).collect::<String>()
        });
        let text = groups.collect::<Vec<_>>().join("-");
        let chosen = Password::choose(&text, &[], PasswordPolicy::Strict);
        if let (Ok(chosen), Some(shown)) = (chosen, Password::present(&text)) {
            return Ok((shown, chosen));
        }
    }
    Err(Error::internal("no valid password could be generated"))
}

/// Creates an account without a mailed code, because sample addresses receive no mail.
struct CreateAccount(AccountDetails);

impl Act for CreateAccount {
    type Permit = ();
    type Output = (User, TenantMembership);
    const ACTION: &'static str = "demo.account";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Self::Output>> {
        let (user, membership) = registration::create(unit, &self.0)?;
        let (id, name) = (Some(user.id.to_string()), Some(user.fullname.clone()));
        let tenant = membership.tenant;
        let resource = Resource { kind: "user", id, name };
        let mut done = Done::new((user, membership), resource, "A sample account was created");
        done.tenant = Some(tenant);
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting(std::sync::atomic::AtomicU8);

    impl Entropy for Counting {
        fn fill(&self, buffer: &mut [u8]) {
            let step = self.0.fetch_add(37, std::sync::atomic::Ordering::Relaxed);
            for (at, byte) in (0_u8..).zip(buffer) {
                *byte = at.wrapping_mul(73).wrapping_add(step);
            }
        }
    }

    #[test]
    fn passwords_are_drawn_and_fit_the_rule() {
        let entropy: &dyn Entropy = &Counting(0.into());
        let (one, again) = new_password(entropy).unwrap();
        let (other, _) = new_password(entropy).unwrap();
        assert_eq!((one.expose().len(), one.expose()), (24, again.expose()));
        assert_ne!(one.expose(), other.expose());
    }
}
