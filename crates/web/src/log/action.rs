//! The actions of the log in words, so that nobody has to know their names.

/// The actions that an organization's log contains, by label. Reads have none.
const ACTIONS: &[(&str, &str)] = &[
    ("client.create", "API client created"),
    ("client.delete", "API client deleted"),
    ("client.warn", "API client expiration reminder sent"),
    ("client.rotate", "API client secret rotated"),
    ("client.update", "API client updated"),
    ("bill.settle", "Bill settled"),
    ("bookmark.create", "Bookmark created"),
    ("bookmark.delete", "Bookmark deleted"),
    ("bookmark.update", "Bookmark updated"),
    ("card.create", "Card added"),
    ("card.delete", "Card deleted"),
    ("card.warn", "Card expiration reminder sent"),
    ("case.comment", "Case comment added"),
    ("case.create", "Case opened"),
    ("case.update", "Case updated"),
    ("chat_address.create", "Chat address added"),
    ("chat_address.delete", "Chat address deleted"),
    ("chat_address.disable", "Chat address disabled"),
    ("chat_address.test", "Chat address tested"),
    ("chat_address.update", "Chat address updated"),
    ("check.create", "Check made"),
    ("code.resend", "Code sent again"),
    ("mention.record_source", "Content of a source recorded"),
    ("pax.push", "Content pushed"),
    ("mention.record", "Content recorded"),
    ("organization.set_findable", "Findability by name changed"),
    ("grant.remind", "Grant reminder sent"),
    ("grant.revoke", "Grant revoked"),
    ("grant.advance", "Grant started or ended"),
    ("image.add", "Image added"),
    ("image.remove", "Image removed"),
    ("pax.create", "Ingest key created"),
    ("pax.revoke", "Ingest key revoked"),
    ("invitation.accept", "Invitation accepted"),
    ("case.letter", "Letter sent"),
    ("letter_template.restore", "Letter template restored"),
    ("letter_template.update", "Letter template updated"),
    ("license.create", "License created"),
    ("license.delete", "License deleted"),
    ("license.expire", "License expired"),
    ("license.remind", "License reminder sent"),
    ("license.update", "License updated"),
    ("log.export", "Log exported"),
    ("mention.update", "Mention reviewed"),
    ("request.message", "Message sent"),
    ("notification.update", "Notification settings changed"),
    ("request.accept", "Offer accepted"),
    ("request.offer", "Offer made"),
    ("organization.change", "Organization changed by staff"),
    ("session.switch", "Organization switched"),
    ("organization.update", "Organization updated"),
    ("case.look", "Page of a case checked"),
    ("user.change_password", "Password changed"),
    ("password.reset", "Password reset"),
    ("password.forgot", "Password reset requested"),
    ("permission.grant", "Permission granted"),
    ("permission.revoke", "Permission revoked"),
    ("platform.create", "Platform created"),
    ("platform.delete", "Platform deleted"),
    ("platform.update", "Platform updated"),
    ("platform.verify", "Platform verified"),
    ("profile.claim", "Profile claimed"),
    ("profile.delete", "Profile deleted"),
    ("profile.verify", "Profile verified"),
    ("registration.create", "Registration started"),
    ("registration.verify", "Registration verified"),
    ("request.lapse", "Request lapsed"),
    ("request.decline", "Request or offer declined"),
    ("request.withdraw", "Request or offer withdrawn"),
    ("request.read", "Request read"),
    ("request.create", "Request sent"),
    ("pod.create", "Scanner created"),
    ("pod.pause", "Scanner paused"),
    ("platform.ask_scanner", "Scanner requested"),
    ("pod.scan", "Scanner run on demand"),
    ("pod.start", "Scanner started"),
    ("pod.stop", "Scanner stopped"),
    ("pod.pause_all", "Scanners paused"),
    ("pod.start_all", "Scanners started"),
    ("pod.stop_all", "Scanners stopped"),
    ("shared_link.create", "Shared link created"),
    ("shared_link.withdraw", "Shared link withdrawn"),
    ("session.create", "Sign-in"),
    ("magic_link.verify", "Sign-in by email"),
    ("session.warn", "Sign-in failures reported"),
    ("magic_link.create", "Sign-in link sent"),
    ("session.renew", "Sign-in renewed"),
    ("session.delete", "Sign-out"),
    ("source.create", "Source created"),
    ("source.delete", "Source deleted"),
    ("source.failing", "Source failure reported"),
    ("source.resume", "Source resumed by staff"),
    ("source.scan", "Source scanned on demand"),
    ("source.stop", "Source stopped by staff"),
    ("source.update", "Source updated"),
    ("source.stop_all", "Sources stopped by staff"),
    ("subscription.cancel", "Subscription canceled"),
    ("subscription.create", "Subscription created"),
    ("subscription.renew", "Subscription renewed"),
    ("talent.create", "Talent created"),
    ("talent.invite", "Talent invited"),
    ("talent.update", "Talent updated"),
    ("team.create", "Team created"),
    ("team.delete", "Team deleted"),
    ("team.change_member", "Team member changed"),
    ("team.invite", "Team member invited"),
    ("team.remove_member", "Team member removed"),
    ("token.create", "Token created"),
    ("token.refresh", "Token refreshed"),
    ("token.revoke", "Token revoked"),
    ("notification.unsubscribe", "Unsubscribed from notifications"),
    ("user.set_status", "User status changed"),
    ("user.update", "User updated"),
    ("webhook.create", "Webhook created"),
    ("webhook.delete", "Webhook deleted"),
    ("webhook.replay", "Webhook deliveries replayed"),
    ("webhook.retry", "Webhook delivery retried"),
    ("webhook.disable", "Webhook disabled"),
    ("webhook.warn", "Webhook failure reported"),
    ("webhook.rotate_secret", "Webhook secret rotated"),
    ("webhook.test", "Webhook tested"),
    ("webhook.update", "Webhook updated"),
];

/// Returns an action in words, or its name if it has no label.
pub(crate) fn label(action: &str) -> &str {
    ACTIONS.iter().find(|(name, _)| *name == action).map_or(action, |(_, label)| label)
}

/// The choices of a filter by action. A chosen action without a label is one of them.
pub(super) fn choices(chosen: Option<&str>) -> Vec<(String, String)> {
    let owned = |(name, label): (&str, &str)| (name.to_owned(), label.to_owned());
    let unlabeled = chosen.filter(|it| !it.is_empty() && label(it) == *it);
    ACTIONS.iter().copied().chain(unlabeled.map(|it| (it, it))).map(owned).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Staff and operators act in no organization.
    const ELSEWHERE: [&str; 3] = ["admin.", "keys.", "mail_template."];

    /// The names of the acts in the sources of a folder.
    fn acts(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() {
                found.extend(acts(&path));
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(str::trim).filter(|it| it.starts_with("const ACTION"));
            found.extend(lines.filter_map(|it| Some(it.split('"').nth(1)?.to_owned())));
        }
        found
    }

    #[test]
    fn every_act_has_a_label() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/src");
        let mut unlabeled = acts(&folder);
        assert!(unlabeled.len() > ACTIONS.len() / 2, "the control: acts are found");
        unlabeled.retain(|it| label(it) == it && !ELSEWHERE.iter().any(|of| it.starts_with(of)));
        assert_eq!(unlabeled, [""; 0]);
        assert!(ACTIONS.is_sorted_by_key(|(_, label)| label));
    }

    #[test]
    fn a_chosen_action_stays_chosen() {
        assert_eq!(choices(Some("team.create")).len(), ACTIONS.len());
        let more = choices(Some("license.show"));
        assert_eq!(more.last().unwrap().0, "license.show");
        assert_eq!(choices(Some("")).len(), choices(None).len());
    }
}
