//! `/`: the front page. It says what Grantor is and leads on. A server with sample data on this
//! machine also has buttons that enter it.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::audit::Scheme;
use grantor_messages::{named, text};
use grantor_service::identity::sample::{self, Entrance, SampleAccount};
use http::HeaderMap;
use maud::{Markup, html};
use serde_json::json;

use crate::asset;
use crate::frame::{
    Ceremony, CookieName, Device, Failure, Guest, Identity, Outcome, PageContext, Segment,
    is_local_request, start_session,
};
use crate::sign_in::proceed;
use crate::view::{self, LinkPreview, PreviewPicture, card};

/// What each kind of visitor does here: the keys of their name and of the text.
const VISITORS: [(&str, &str); 3] = [
    ("landing-talents", "landing-talents-about"),
    ("landing-brands", "landing-brands-about"),
    ("landing-platforms", "landing-platforms-about"),
];

/// Pages that need no account: address, and the keys of the title and of what one does there.
const OPEN_PAGES: [(&str, &str, &str); 4] = [
    ("/app/catalog", "landing-catalog", "landing-catalog-about"),
    ("/app/catalog/check", "landing-check", "landing-check-about"),
    ("/verify", "landing-verify", "landing-verify-about"),
    ("/docs/", "landing-docs", "landing-docs-about"),
];

/// Shows the front page.
pub(crate) async fn show(Guest(ctx): Guest, headers: HeaderMap) -> Response {
    let (title, lead) = (text!("landing-title"), text!("landing-lead"));
    let preview = LinkPreview {
        title: title.to_owned(),
        description: lead.to_owned(),
        url: format!("{}/", ctx.app().public_url),
        picture: Some(PreviewPicture {
            url: format!("{}{}", ctx.app().public_url, asset::url("preview.png")),
            media_type: "image/png",
            width: 1_200,
            height: 630,
            alt: "Grantor".to_owned(),
        }),
        data: json!({
            "@context": "https://schema.org",
            "@type": "WebSite",
            "name": "Grantor",
            "description": lead,
            "url": format!("{}/", ctx.app().public_url),
        }),
    };
    let enters = is_local_request(&ctx, &headers) && !ctx.is_viewed();
    let entrances: &[Entrance] = if enters { &ctx.web.entrances } else { &[] };
    let body = html! {
        section.hero {
            h1 { (title) }
            p.lead { (lead) }
            div.row { (ways_on(&ctx)) }
        }
        @if !entrances.is_empty() { (entrance_card(entrances)) }
        div.cards.even {
            @for (visitor, about) in VISITORS {
                (card(text(visitor), html! { p { (text(about)) } }))
            }
        }
        section.card {
            h2 { (text!("landing-open")) }
            ul.open-pages {
                @for (path, title, about) in OPEN_PAGES {
                    li { a href=(path) { (text(title)) } p.quiet { (text(about)) } }
                }
            }
        }
    };
    view::front(&ctx, &preview, body).into_response()
}

/// The first buttons.
fn ways_on(ctx: &PageContext) -> Markup {
    html! {
        @if matches!(ctx.identity, Identity::Anonymous) {
            a.button href="/app/sign-up" { (text!("landing-sign-up")) }
            a.button.plain href="/app/sign-in" { (text!("landing-sign-in")) }
        } @else {
            a.button href="/app" { (text!("landing-console")) }
        }
        a.button.plain href="/app/catalog/check" { (text!("landing-check")) }
    }
}

/// The ways into the sample data.
fn entrance_card(entrances: &[Entrance]) -> Markup {
    html! {
        section.card {
            h2 { (text!("landing-sample")) }
            p { (text!("landing-sample-about")) }
            div.entrances {
                @for it in entrances {
                    form method="post" action={ "/app/sample/" (it.name) } {
                        button { (named("landing-enter", it.name).unwrap_or(it.name)) }
                        p.quiet {
                            @match it.account {
                                SampleAccount::Staff(_) => (text!("landing-this-server")),
                                SampleAccount::Person(_) => (it.organization),
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Signs in as an account of the sample data. There is no such form without sample data.
pub(crate) async fn enter(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    Segment(name): Segment<String>,
) -> Outcome {
    if !is_local_request(&ctx, &headers) {
        return Err(Failure::not_found());
    }
    let entrance = ctx.web.entrances.iter().find(|it| it.name == name);
    match entrance.map(|it| it.account).ok_or_else(Failure::not_found)? {
        SampleAccount::Person(user) => {
            let (device, ceremony) = (Device::of(&mut ctx, &headers), Ceremony::begin(&ctx));
            let entered = sample::enter(ctx.app(), &ctx.context, user, ceremony.secret()).await?;
            Ok(proceed(&ctx, &device, &ceremony, entered, "/app"))
        }
        SampleAccount::Staff(admin) => {
            ctx.context.origin.scheme = Scheme::Admin;
            let tokens = sample::enter_staff(ctx.app(), &ctx.context, admin).await?;
            let to = Redirect::to("/app/admin").into_response();
            Ok(ctx.with_cookie(to, &start_session(CookieName::Staff, &tokens)))
        }
    }
}
