//! The templates of a tenant's letters.

use grantor_domain::audit::Resource;
use grantor_domain::case::{LetterKind, LetterTemplate};
use grantor_domain::id::TenantId;
use grantor_domain::role::Right;
use grantor_domain::{Error, Result};
use grantor_messages::Language;
use grantor_storage::{Tx, case};

use super::{App, Context, TenantCaller, UnitOfWork, built_in};
use crate::act::{Act, Done};
use crate::organizations::rights;

/// A template as its tenant sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateView {
    /// The template.
    pub template: LetterTemplate,
    /// Whether it is the built-in one.
    pub is_built_in: bool,
}

/// A change of a template. What is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateChange {
    /// The new subject.
    pub subject: Option<String>,
    /// The new text.
    pub text: Option<String>,
}

/// Lists a tenant's templates, one of each kind.
pub async fn list(app: &App, caller: TenantCaller) -> Result<Vec<TemplateView>> {
    let language = Language::current();
    app.store.read(move |tx| views(tx, caller.tenant, language)).await
}

/// Returns a tenant's template.
pub async fn get(app: &App, caller: TenantCaller, kind: LetterKind) -> Result<TemplateView> {
    let language = Language::current();
    app.store.read(move |tx| view(tx, caller.tenant, kind, language)).await
}

/// Changes a tenant's template.
pub async fn change(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    kind: LetterKind,
    change: TemplateChange,
) -> Result<TemplateView> {
    app.act(context, ChangeTemplate { caller, kind, change }).await
}

/// Restores the built-in template.
pub async fn restore(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    kind: LetterKind,
) -> Result<TemplateView> {
    app.act(context, RestoreTemplate { caller, kind }).await
}

/// A tenant's templates, in the order of their kinds. Built-in ones are in the writer's language.
pub(super) fn of_tenant(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    language: Language,
) -> Result<Vec<LetterTemplate>> {
    Ok(views(tx, tenant, language)?.into_iter().map(|it| it.template).collect())
}

fn views(tx: &mut Tx<'_>, tenant: TenantId, language: Language) -> Result<Vec<TemplateView>> {
    let own = case::find_templates(tx, tenant)?;
    let view = |kind| -> Result<TemplateView> {
        let found = own.iter().find(|it| it.kind == kind).cloned();
        let is_built_in = found.is_none();
        let template = match found {
            Some(own) => own,
            None => built_in::template(kind, language)?,
        };
        Ok(TemplateView { template, is_built_in })
    };
    LetterKind::ALL.into_iter().map(view).collect()
}

fn view(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    kind: LetterKind,
    language: Language,
) -> Result<TemplateView> {
    let found = views(tx, tenant, language)?.into_iter().find(|it| it.template.kind == kind);
    found.ok_or_else(|| Error::not_found("Letter template"))
}

/// The template as the person sees it who changes it.
fn view_in(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    kind: LetterKind,
) -> Result<TemplateView> {
    let language = unit.language.unwrap_or_else(Language::english);
    view(unit.tx, tenant, kind, language)
}

struct ChangeTemplate {
    caller: TenantCaller,
    kind: LetterKind,
    change: TemplateChange,
}

impl Act for ChangeTemplate {
    type Permit = TemplateView;
    type Output = TemplateView;
    const ACTION: &'static str = "letter_template.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<TemplateView> {
        rights::require(unit, Right::ManageOrganization)?;
        view_in(unit, self.caller.tenant, self.kind)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        known: TemplateView,
    ) -> Result<Done<TemplateView>> {
        let subject = self.change.subject.as_deref().unwrap_or(&known.template.subject);
        let text = self.change.text.as_deref().unwrap_or(&known.template.text);
        let template = LetterTemplate::parse(self.kind, subject, text)?;
        if template != known.template {
            case::put_template(unit.tx, self.caller.tenant, &template, unit.now)?;
        }
        let changed = view_in(unit, self.caller.tenant, self.kind)?;
        Ok(Done::new(changed, resource(self.kind), "A letter template was updated"))
    }
}

struct RestoreTemplate {
    caller: TenantCaller,
    kind: LetterKind,
}

impl Act for RestoreTemplate {
    type Permit = ();
    type Output = TemplateView;
    const ACTION: &'static str = "letter_template.restore";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        rights::require(unit, Right::ManageOrganization)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<TemplateView>> {
        case::delete_template(unit.tx, self.caller.tenant, self.kind)?;
        let restored = view_in(unit, self.caller.tenant, self.kind)?;
        let message = "The built-in letter template was restored";
        Ok(Done::new(restored, resource(self.kind), message))
    }
}

fn resource(kind: LetterKind) -> Resource {
    Resource { kind: "letter_template", id: None, name: Some(kind.label().to_owned()) }
}
