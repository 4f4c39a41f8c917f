### Benachrichtigungen, ihre Einstellungen und E-Mails.

notice-title = Benachrichtigungen
notice-lead = Was in { $organization } passiert ist und Sie betrifft.
notice-lead-here = Was in dieser Organisation passiert ist und Sie betrifft.
notice-lead-staff = Was auf das Betreiberteam wartet.
notice-mark-all = Alle als gelesen markieren
notice-all-read = Alle Benachrichtigungen als gelesen markiert
notice-settings-link = Einstellungen
notice-notification = Benachrichtigung
notice-about = Thema
notice-when = Wann
notice-none = Noch keine Benachrichtigungen
notice-none-why = Wenn jemand eine Lizenz anfragt, ein Angebot macht oder eine Erwähnung gefunden wird, sehen Sie es hier.
notice-none-why-staff = Wenn eine Organisation einen Scanner anfordert, sehen Sie es hier.
notice-step-bell = Die Glocke auf jeder Seite zählt, was neu ist.
notice-step-email = Wählen Sie, was Sie auch per E-Mail erhalten: sofort, einmal am Tag oder gar nicht.
notice-choose-emails = E-Mails auswählen

## Nach der Zahl der neuen.

notice-new-one = neue Benachrichtigung
notice-new-many = neue Benachrichtigungen

## In anderen Organisationen.

notice-elsewhere = { $count ->
    [one] { $count } neue Benachrichtigung in { $organization }
   *[other] { $count } neue Benachrichtigungen in { $organization }
}
notice-switch = Zu { $organization } wechseln

## Arten.

notice-kind-mention-unlicensed = Eine nicht lizenzierte Erwähnung wurde gefunden
notice-kind-mention-needs-review = Eine zu prüfende Erwähnung wurde gefunden
notice-kind-mention-licensed = Eine lizenzierte Erwähnung wurde gefunden
notice-kind-mention-removed = Eine Erwähnung mit einem Fall wurde entfernt, als entfernt markiert oder ist wieder da
notice-kind-case-assigned = Ihnen wurde ein Fall zugewiesen
notice-kind-request = Eine Lizenz wurde angefragt oder eine Anfrage wurde beendet
notice-kind-offer = Sie haben ein Angebot erhalten oder Ihr Angebot ist blockiert
notice-kind-message = Sie haben eine Nachricht zu einer Anfrage erhalten
notice-kind-grant-made = Ein Angebot wurde angenommen
notice-kind-grant-ending = Ein Nutzungsrecht endet bald
notice-kind-grant-revoked = Ein Nutzungsrecht wurde widerrufen
notice-kind-license-shared = Eine Lizenz wurde für Sie freigegeben
notice-kind-license-ending = Eine Lizenz läuft bald ab
notice-kind-client-expiring = Ein API-Client läuft bald ab
notice-kind-card-expiring = Eine Zahlungskarte läuft bald ab
notice-kind-webhook-failing = Zustellungen an einen Webhook schlagen fehl
notice-kind-webhook-disabled = Ein Webhook oder eine Chat-Adresse wurde deaktiviert
notice-kind-source-failing = Eine Quelle kann nicht gelesen werden
notice-kind-platform-verified = Die Domain einer Plattform wurde verifiziert
notice-kind-scanner-stopped = Der Scanner einer Plattform wurde angehalten
notice-kind-staff-viewed = Das Betreiberteam hat Ihre Organisation angesehen
notice-kind-platform-waiting = Eine Plattform wartet auf einen Scanner
notice-kind-help-requested = Jemand bittet um Hilfe

## Einstellungen.

notice-settings = Benachrichtigungseinstellungen
notice-settings-lead = E-Mails gehen an { $email }. Jede Benachrichtigung finden Sie auch bei der Glocke.
notice-settings-updated = Benachrichtigungseinstellungen aktualisiert
notice-view = Benachrichtigungen ansehen
notice-back-to-profile = Zurück zum Profil
notice-emails = E-Mails
notice-channel-now = Sofort per E-Mail
notice-channel-digest = Tägliche Zusammenfassung
notice-channel-off = Keine E-Mail
notice-channel-of = { $channel }: { $kind }
notice-digest-hour = Tägliche Zusammenfassung um
notice-digest-hint = Höchstens eine E-Mail pro Tag und keine, wenn nichts passiert ist.
notice-time-zone = Zeitzone
notice-save = Änderungen speichern
notice-refused = Der Mailserver von { $email } hat unsere E-Mails abgelehnt. Deshalb senden wir keine Benachrichtigungen mehr. Anmeldecodes und -links werden weiterhin gesendet.
notice-resume = E-Mails wieder senden
notice-resumed = Wir senden Ihnen Benachrichtigungen wieder per E-Mail

## Abbestellen über den Link in einer E-Mail. $email ist „unknown“, wenn es das Konto nicht mehr gibt.

notice-unsubscribe = Abbestellen
notice-unsubscribe-kind = { $email ->
    [unknown] Möchten Sie E-Mails der Art „{ $kind }“ abbestellen?
   *[other] Möchten Sie E-Mails der Art „{ $kind }“ an { $email } abbestellen?
}
notice-unsubscribe-digest = { $email ->
    [unknown] Möchten Sie die tägliche Zusammenfassung abbestellen?
   *[other] Möchten Sie die tägliche Zusammenfassung an { $email } abbestellen?
}
notice-unsubscribe-still = E-Mails, die Sie selbst anfordern, erhalten Sie weiterhin, zum Beispiel Anmeldelinks und Codes.
notice-unsubscribed = Sie haben die E-Mails abbestellt
notice-unsubscribed-kind = { $email ->
    [unknown] Wir senden keine E-Mails der Art „{ $kind }“ mehr.
   *[other] Wir senden keine E-Mails der Art „{ $kind }“ mehr an { $email }.
}
notice-unsubscribed-digest = { $email ->
    [unknown] Wir senden die tägliche Zusammenfassung nicht mehr.
   *[other] Wir senden die tägliche Zusammenfassung nicht mehr an { $email }.
}
notice-unsubscribed-choose = Auswählen, was wir Ihnen per E-Mail senden

## Das Postfach eines Servers ohne Mailserver.

notice-mailbox = Postfach
notice-mailbox-lead = Es ist kein Mailserver eingerichtet. Deshalb werden E-Mails nicht gesendet, sondern hier abgelegt.
notice-mailbox-empty = Noch keine E-Mails
notice-mailbox-empty-why = Registrieren Sie sich oder fordern Sie einen Anmeldelink an, dann erscheint die E-Mail hier.
notice-mailbox-sign-up = Registrieren
notice-mailbox-all = Alle E-Mails
notice-mail-subject = Betreff
notice-mail-from = Von
notice-mail-to = An
notice-mail-sent = Gesendet
notice-mail-details = Details
notice-mail-text = Text
notice-mail-preview = Vorschau
notice-mail-frame = Vorschau der E-Mail
