//! `/user/notifications`, `/user/notices`.

use std::collections::BTreeMap;

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::NoticeId;
use grantor_domain::notice::{
    Channel, DigestHour, MAX_MARKED, Notice, NoticeKind, NotificationSettings, Zone,
};
use grantor_domain::patch::Patch;
use grantor_domain::{Result, Timestamp};
use grantor_messages::Language;
use grantor_service::notices::{self, Inbox, NoticeList, SettingsChange, SettingsView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::Data;
use super::paging::Paging;
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, whole};
use crate::frame::page::ConsolePagination;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// How the user gets notifications. It applies to all organizations of the user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationSettingsBody {
    /// The kinds of notifications.
    kinds: Vec<NotificationKind>,
    /// The hour of the day at which the daily digest comes.
    #[schema(minimum = 0, maximum = 23)]
    digest_hour: u8,
    /// The IANA time zone of the user: of the hour, and of all times on pages.
    time_zone: String,
    /// The language of pages and emails. Null for the language of the browser.
    #[schema(required, inline, value_type = Option<value::LanguageCode>)]
    language: Option<&'static str>,
    /// The address that emails go to.
    email: String,
    /// Whether the mail server of the address refuses emails, so that no notifications are sent
    /// there. Sign-in codes and links are still sent.
    email_refused: bool,
}

/// How the user gets one kind of notifications.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NotificationKind {
    /// The kind.
    #[schema(inline, value_type = value::NoticeKindName)]
    kind: &'static str,
    /// What it is about.
    description: &'static str,
    /// `now`: an email at once. `digest`: in the daily digest. `off`: no email.
    #[schema(inline, value_type = value::ChannelName)]
    channel: &'static str,
    /// What applies until the user chooses.
    #[schema(inline, value_type = value::ChannelName)]
    default: &'static str,
}

/// The settings to change. Omitted settings stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationChanges {
    /// The new channels by kind: `now`, `digest` or `off`.
    #[schema(inline, value_type = Option<value::ChannelsByKind>)]
    channels: Option<BTreeMap<String, String>>,
    /// The hour of the day at which the daily digest comes.
    #[serde(default, deserialize_with = "whole")]
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 23)]
    digest_hour: Option<i64>,
    /// The IANA time zone of the user, such as `Europe/Berlin`: of the hour, and of all times on
    /// pages.
    #[schema(inline, value_type = Option<value::TimeZoneName>)]
    time_zone: Option<String>,
    /// The language of pages and emails. Null for the language of the browser.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::LanguageCode>)]
    language: Patch<String>,
    /// Send emails again to an address whose mail server refused them.
    resume_email: Option<bool>,
}

/// Which notifications to list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct NoticeParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Whether to list only unread notifications.
    #[param(value_type = Option<bool>, default = false)]
    unread: Option<String>,
}

/// Notifications of the user in the session's organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoticeListBody {
    /// The notifications, newest first.
    notices: Vec<NoticeBody>,
    /// How many notifications are unread. At most 10,000 are counted.
    unread_count: u64,
    /// The position of the page.
    pagination: ConsolePagination,
}

/// A notification.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NoticeBody {
    /// The notification's ID.
    #[schema(inline, value_type = value::Id)]
    notice_id: String,
    /// What it is about.
    #[schema(inline, value_type = value::NoticeKindName)]
    kind: &'static str,
    /// What happened.
    summary: String,
    /// The URL of the page about it.
    #[schema(format = "uri")]
    url: String,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the user read it. Null while it is unread.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    read_at: Option<Timestamp>,
}

/// Which notifications to mark as read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadNotices {
    /// The IDs of notifications. Omit them to mark all as read. Unknown ones are ignored.
    #[schema(inline, value_type = Option<value::NoticeIdList>)]
    notice_ids: Option<Vec<String>>,
}

/// How many notifications are unread.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UnreadCount {
    /// How many notifications are unread. At most 100 are counted.
    unread_count: u64,
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Data<NotificationSettingsBody>, Problem> {
    let view = notices::show(&state.app, Inbox::from(&*caller)).await?;
    Ok(Data(body(view), "Your notification settings"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(input): Json<NotificationChanges>,
) -> Result<Data<NotificationSettingsBody>, Problem> {
    let change = read(&input)?;
    notices::change(&state.app, &context, Inbox::from(&*caller), change).await?;
    let view = notices::show(&state.app, Inbox::from(&*caller)).await?;
    Ok(Data(body(view), "Notification settings updated"))
}

fn read(input: &NotificationChanges) -> Result<SettingsChange> {
    let mut fields = Fields::default();
    let mut channels = BTreeMap::new();
    for (kind, channel) in input.channels.iter().flatten() {
        let known = fields.take("channels", NoticeKind::parse_of_members(kind));
        let Some(kind) = known else { continue };
        let at = format!("channels.{kind}");
        if let Some(channel) = fields.take(&at, channel.parse::<Channel>()) {
            channels.insert(kind, channel);
        }
    }
    let hour = input.digest_hour.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    let hour = hour.and_then(|it| fields.take("digestHour", DigestHour::new(it)));
    let zone = input.time_zone.as_deref();
    let zone = zone.and_then(|it| fields.take("timeZone", Zone::parse(it)));
    let language = input.language.clone();
    let language = language.parse(|it| fields.take("language", notices::parse_language(&it)));
    fields.finish()?;
    let resume_email = input.resume_email.unwrap_or(false);
    Ok(SettingsChange { channels, hour, zone, language, resume_email })
}

fn body(view: SettingsView) -> NotificationSettingsBody {
    let SettingsView { kinds, settings, email, email_refused, language } = view;
    let NotificationSettings { schedule, .. } = &settings;
    let kinds = kinds.into_iter().map(|kind| NotificationKind {
        kind: kind.name(),
        description: kind.label(),
        channel: settings.channel(kind).name(),
        default: kind.default_channel().name(),
    });
    NotificationSettingsBody {
        kinds: kinds.collect(),
        digest_hour: schedule.hour.get(),
        time_zone: schedule.zone.as_str().to_owned(),
        language: language.map(Language::code),
        email,
        email_refused,
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(params): Query<NoticeParams>,
) -> Result<Data<NoticeListBody>, Problem> {
    let mut fields = Fields::default();
    let page = Paging::new(params.page, params.limit).read();
    let page = fields.take_all(page);
    let unread = match params.unread.as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            fields.add("unread", "must be true or false");
            false
        }
    };
    fields.finish()?;
    let Some(page) = page else { return Err(Problem::field("page", "is not valid")) };
    let inbox = Inbox::from(&*caller);
    let NoticeList { page, unread } = notices::list(&state.app, inbox, unread, page).await?;
    let pagination = ConsolePagination::from(&page);
    let origin = &state.app.public_url;
    let notices = page.items.into_iter().map(|it| notice_body(origin, it)).collect();
    let list = NoticeListBody { notices, unread_count: unread, pagination };
    Ok(Data(list, "Your notifications"))
}

fn notice_body(origin: &str, notice: Notice) -> NoticeBody {
    NoticeBody {
        notice_id: notice.id.to_string(),
        kind: notice.kind.name(),
        summary: notice.summary,
        url: format!("{origin}{}", notice.link),
        created_at: notice.created_at,
        read_at: notice.read_at,
    }
}

pub(super) async fn mark_read(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Json(input): Json<ReadNotices>,
) -> Result<Data<UnreadCount>, Problem> {
    let inbox = Inbox::from(&*caller);
    match input.notice_ids {
        None => notices::mark_all_read(&state.app, inbox).await?,
        Some(ids) => {
            let ids = read_ids(&ids).map_err(|error| Problem::field("noticeIds", error))?;
            notices::mark_read(&state.app, inbox, ids).await?;
        }
    }
    let unread_count = notices::unread(&state.app, inbox).await?;
    Ok(Data(UnreadCount { unread_count }, "Notifications marked as read"))
}

fn read_ids(ids: &[String]) -> Result<Vec<NoticeId>, String> {
    if ids.len() > MAX_MARKED {
        return Err(format!("must contain at most {MAX_MARKED} IDs"));
    }
    ids.iter().map(|it| it.parse().map_err(|_| "must contain UUIDs".to_owned())).collect()
}
