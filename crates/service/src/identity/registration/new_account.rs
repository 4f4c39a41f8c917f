//! The form of a registration.

use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::organization::NewOrganization;
use grantor_domain::password::{Password, PasswordPolicy};
use grantor_domain::person::FullName;
use grantor_domain::{Error, Result};

/// A registration form.
pub struct NewAccount {
    /// The person's name.
    pub fullname: FullName,
    /// The email address to verify.
    pub email: Email,
    /// The chosen password.
    pub password: Password,
    /// The organization to create; `None` for an individual.
    pub organization: Option<NewOrganization>,
}

impl NewAccount {
    /// Parses the form. `fields` holds the errors found in the organization; the error lists every
    /// invalid field.
    pub fn parse(
        fullname: Option<&str>,
        email: Option<&str>,
        password: Option<&str>,
        organization: Option<NewOrganization>,
        policy: PasswordPolicy,
        mut fields: Fields,
    ) -> Result<Self> {
        for (name, given) in [("fullname", fullname), ("email", email), ("password", password)] {
            if given.is_none_or(str::is_empty) {
                fields.add(name, "is required");
            }
        }
        let [fullname, email, password] =
            [fullname, email, password].map(Option::unwrap_or_default);
        let about = [fullname, email, organization.as_ref().map_or("", |it| it.name.as_str())];
        let password = fields.take("password", Password::choose(password, &about, policy));
        let fullname = fields.take("fullname", FullName::parse(fullname));
        let email = fields.take("email", Email::parse(email));
        fields.finish()?;
        match (fullname, email, password) {
            (Some(fullname), Some(email), Some(password)) => {
                Ok(Self { fullname, email, password, organization })
            }
            _ => Err(Error::validation("Some fields are not valid")),
        }
    }
}
