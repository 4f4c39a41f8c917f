### Was alle E-Mails gemeinsam haben, und die Werte, die in ihren Texten stehen.

mail-greeting = Guten Tag,
mail-greeting-named = Guten Tag { $name },

## Das Ende der E-Mails über Benachrichtigungen.

mail-footer-about = Diese E-Mail betrifft { $organizations }.
mail-organizations = { $others } und { $last }
mail-footer-text =
    Um { $what } abzubestellen:
    { $unsubscribe }
    Um auszuwählen, was wir Ihnen per E-Mail senden:
    { $settings }
mail-footer-html = Sie möchten { $what } nicht mehr erhalten? { $unsubscribe }. { $settings }.
mail-footer-unsubscribe = Abbestellen
mail-footer-settings = Auswählen, was wir Ihnen per E-Mail senden
# Was abbestellt wird.
mail-footer-kind = E-Mails wie diese ({ $kind })
mail-footer-digest = die tägliche Zusammenfassung

## Die Arten von Benachrichtigungen.

mail-kind-mention-unlicensed = Eine nicht lizenzierte Erwähnung wurde gefunden
mail-kind-mention-needs-review = Eine zu prüfende Erwähnung wurde gefunden
mail-kind-mention-licensed = Eine lizenzierte Erwähnung wurde gefunden
mail-kind-mention-removed = Eine Erwähnung mit einem Fall wurde entfernt, als entfernt markiert oder ist wieder da
mail-kind-case-assigned = Ein Fall wurde Ihnen zugewiesen
mail-kind-request = Eine Lizenz wurde angefragt oder eine Anfrage endete
mail-kind-offer = Sie haben ein Angebot erhalten oder Ihr Angebot ist blockiert
mail-kind-message = Sie haben eine Nachricht zu einer Anfrage erhalten
mail-kind-grant-made = Ein Angebot wurde angenommen
mail-kind-grant-ending = Ein Nutzungsrecht endet bald
mail-kind-grant-revoked = Ein Nutzungsrecht wurde widerrufen
mail-kind-license-shared = Eine Lizenz wurde mit Ihnen geteilt
mail-kind-license-ending = Eine Lizenz läuft bald ab
mail-kind-client-expiring = Ein API-Client läuft bald ab
mail-kind-card-expiring = Eine Zahlungskarte läuft bald ab
mail-kind-webhook-failing = Zustellungen an einen Webhook schlagen fehl
mail-kind-webhook-disabled = Ein Webhook oder eine Chat-Adresse wurde deaktiviert
mail-kind-source-failing = Eine Quelle kann nicht gelesen werden
mail-kind-platform-verified = Die Domain einer Plattform wurde bestätigt
mail-kind-scanner-stopped = Der Scanner einer Plattform wurde gestoppt
mail-kind-staff-viewed = Das Betreiberteam hat Ihre Organisation angesehen
mail-kind-platform-waiting = Eine Plattform wartet auf einen Scanner
mail-kind-help-requested = Jemand bittet um Hilfe

## Mehrere Benachrichtigungen in einer E-Mail.

# $count von mail-several-notices und mail-digest.
mail-count = { $count ->
    [one] { $count } Benachrichtigung
   *[other] { $count } Benachrichtigungen
}
mail-more = und { $count } weitere

## Was jemand versucht hat: $purpose von mail-no-account.

mail-purpose-sign-in = sich anzumelden
mail-purpose-reset = ein Passwort zurückzusetzen

## Was endete: $item der E-Mails über Anfragen.

mail-declined-request = Ihre Anfrage
mail-declined-offer = Ihr Angebot
mail-withdrawn-request = die Anfrage
mail-withdrawn-offer = das Angebot
mail-lapsed-request = Die Anfrage
mail-lapsed-offer = Das Angebot

## Gründe.

mail-reason-no-response = Niemand hat rechtzeitig geantwortet.
mail-reason-license-changed = Die Lizenz wurde geändert und erlaubt das Angebot nicht mehr.
mail-reason-in-review = Der Rechteinhaber entscheidet darüber.
mail-reason-webhook-gone = Der Endpunkt hat mit 410 Gone geantwortet und nimmt daher keine Ereignisse mehr an.
mail-reason-webhook-fails = Seit fünf Tagen ist jede Zustellung an diese URL fehlgeschlagen.
mail-reason-chat-gone = Laut dem Chat gibt es diese Adresse nicht mehr.
mail-reason-chat-fails = Seit fünf Tagen ist jede Nachricht an diese Adresse fehlgeschlagen.
mail-error-unfinished = der Scan wurde nicht abgeschlossen

## Bewertungen von Erwähnungen.

mail-verdict-licensed = lizenziert
mail-verdict-unlicensed = nicht lizenziert
mail-verdict-needs-review = zu prüfen
mail-verdict-in-review = in Prüfung

## Rollen bei einer Lizenz.

mail-role-viewer = Betrachter
mail-role-trustee = Treuhänder
mail-role-licensor = Lizenzgeber

## Wie sich eine Person anmeldet: $change von mail-second-factor-changed.

mail-change-app-added = Eine Authenticator-App wurde eingerichtet.
mail-change-app-removed = Die Authenticator-App wurde entfernt.
mail-change-passkey-added = Der Passkey „{ $name }“ wurde hinzugefügt.
mail-change-passkey-removed = Der Passkey „{ $name }“ wurde entfernt.
mail-change-code-used = Ein Wiederherstellungscode wurde verwendet. { $left ->
    [one] { $left } Code ist übrig.
   *[other] { $left } Codes sind übrig.
}
mail-change-codes-created = Neue Wiederherstellungscodes wurden erstellt. Die bisherigen funktionieren nicht mehr.

## Geräte.

# Zum Beispiel: Firefox unter Windows.
mail-device = { $program } unter { $system }
mail-device-unknown = Unbekanntes Gerät
# Eine IP-Adresse.
mail-inviter-unknown = Die Administration
mail-address-unknown = unbekannt

## Zeiten und Zahlungen.

# $time der E-Mails über das, was endet, wie in: in 7 Tagen.
mail-days = { $count ->
    [one] { $count } Tag
   *[other] { $count } Tagen
}
# Wie in: Ihre Visa-Karte mit den Endziffern 4242 läuft ab.
mail-card = { $brand }-Karte mit den Endziffern { $last4 }
mail-bill = { $whole },{ $cents } { $currency } (Tarif { $plan }, ein Monat ab { $day })
