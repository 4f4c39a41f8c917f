### Die Seiten des Betreiberteams.
admin-organization = Organisation
admin-organizations = Organisationen
admin-organizations-all = Alle Organisationen
admin-organizations-view = Organisationen anzeigen
admin-one-organization = Es wird eine Organisation angezeigt.
admin-licenses = Lizenzen
admin-platform = Plattform
admin-platforms = Plattformen
admin-logs = Protokoll
admin-scanners = Scanner
admin-sources = Quellen
admin-staff = Betreiberteam
admin-overview = Übersicht
admin-role = Rolle
admin-plan = Tarif
admin-reason = Grund
admin-details = Details
admin-added = Hinzugefügt
admin-never = nie
admin-any-type = Beliebige Art
admin-any-status = Beliebiger Status
admin-search-name = Nach Namen suchen
admin-organizations-search = Name oder E-Mail-Adresse eines Mitglieds
admin-fewer-filters = Versuchen Sie es mit einem anderen Namen oder weniger Filtern.
admin-clear-filters = Filter zurücksetzen
admin-suspend = Sperren
admin-reactivate = Reaktivieren
admin-percent = { $whole },{ $tenths } %

## Die Übersicht.

admin-overview-lead = Wie dieser Server wächst, was fehlschlägt und was auf Sie wartet.
admin-growth-organizations = Organisationen
admin-growth-people = Personen
admin-growth-licenses = Lizenzen
admin-growth-grants = Nutzungsrechte
admin-growth-mentions = Erwähnungen
admin-growth-recent = +{ $count } in 30 Tagen
admin-fails = Was fehlschlägt
admin-fails-nothing = Nichts schlägt fehl.
admin-fails-scanners = Scanner, deren letzter Scan fehlgeschlagen ist
admin-fails-sources = Quellen, die nicht gelesen werden können
admin-fails-emails = Nicht gesendete E-Mails, letzte 7 Tage
admin-fails-webhooks = Webhooks, die fehlschlagen
admin-fails-payments = Abgelehnte Karten
admin-waits = Was wartet
admin-waits-nothing = Nichts wartet auf Sie.
admin-waits-platforms = Plattformen, die einen Scanner angefragt haben
admin-waits-help = Hilfeanfragen
admin-chart-created = In den letzten 30 Tagen erstellt
admin-chart-mentions = Erwähnungen und Nutzungsrechte der letzten 30 Tage
admin-series-organizations = Organisationen
admin-series-people = Personen
admin-series-licenses = Lizenzen
admin-series-mentions = Erwähnungen
admin-series-grants = Nutzungsrechte

## Was fehlschlägt.

admin-failure-times = { $count ->
    [one] { $count } Mal
   *[other] { $count } Mal
}
admin-failed-emails = Fehlgeschlagene E-Mails
admin-failed-emails-lead = E-Mails der letzten 7 Tage, die nicht gesendet werden konnten. Text und Empfänger sind gelöscht.
admin-failed-emails-none = Keine fehlgeschlagenen E-Mails
admin-failed-emails-none-why = Hier erscheinen E-Mails, die der Mailserver ablehnt oder die ihn nicht erreichen.
admin-failed-email-tried = Versucht
admin-failed-email-queued = Eingereiht
admin-failed-email-given-up = Aufgegeben
admin-failed-email-unknown = Unbekannt
admin-failing-webhooks = Fehlschlagende Webhooks
admin-failing-webhooks-lead = Webhooks, deren Zustellungen alle fehlschlagen. Nach 5 Tagen werden sie deaktiviert.
admin-failing-webhooks-none = Keine fehlschlagenden Webhooks
admin-failing-webhooks-none-why = Hier erscheinen Webhooks, solange ihre Empfänger Zustellungen ablehnen oder nicht erreichbar sind.
admin-failing-webhook-receiver = Empfänger
admin-failing-webhook-since = Fehlerhaft seit
admin-failing-webhook-success = Letzter Erfolg
admin-declined-payments = Abgelehnte Zahlungen
admin-declined-payments-lead = Organisationen, deren Karte abgelehnt wurde. Sie werden per E-Mail informiert.
admin-declined-payments-none = Keine abgelehnten Zahlungen
admin-declined-payments-none-why = Hier erscheinen Organisationen, solange ihre Karte abgelehnt wird.
admin-declined-payment-count = Abgelehnt
admin-declined-payment-next = Nächster Versuch

## Hilfeanfragen.

admin-help = Hilfeanfragen
admin-help-lead = Was Personen in der Konsole fragen. Ihre Antwort erhalten sie per E-Mail.
admin-help-tabs = Anfragen
admin-help-waiting = Wartend
admin-help-none = Keine Hilfeanfragen
admin-help-none-why = Personen bitten auf ihrer Hilfeseite um Hilfe. Ihre Anfragen erscheinen hier.
admin-help-question = Frage
admin-help-person = Person
admin-help-asked = Gestellt
admin-help-request = Anfrage von { $name }
admin-help-all = Alle Anfragen
admin-help-answer = Antwort
admin-help-sent = Gesendet { $when }
admin-help-your-answer = Ihre Antwort
admin-help-your-answer-hint = Geht per E-Mail an die Person. Bis zu 5.000 Zeichen.
admin-help-send = Antwort senden
admin-help-answered = Antwort gesendet

## Lizenzen.

admin-licenses-lead = Alle Lizenzen auf diesem Server. Bedingungen und Gebühren sind ausgeblendet.
admin-licenses-none-found = Keine Lizenzen gefunden
admin-licenses-none = Noch keine Lizenzen
admin-licenses-none-why = Hier erscheinen Lizenzen, sobald Agenturen und Talente sie erstellen.
admin-license-talent = Talent
admin-license-images = Bilder
admin-license-ends = Endet

## Protokoll.

admin-logs-lead = Alle Aktivitäten auf diesem Server.
admin-logs-none = Keine Protokolleinträge gefunden
admin-logs-none-why = Versuchen Sie es mit weniger Filtern oder einem anderen Bereich.
admin-log-area = Bereich
admin-log-area-admin = Betreiberteam
admin-log-area-console = Konsole
admin-log-area-external = Externe API
admin-log-area-system = System
admin-log-search = Nachricht, Objekt oder Benutzer suchen
admin-log-level = Stufe
admin-log-category = Kategorie
admin-log-category-changes = Änderungen und Anmeldungen
admin-log-category-reads = Lesezugriffe
admin-log-category-all = Änderungen und Lesezugriffe
admin-log-action = Aktion
admin-log-start-date = Startdatum
admin-log-end-date = Enddatum
admin-log-event = Ereignis
admin-log-user = Benutzer
admin-log-resource = Objekt
admin-log-organization = Organisation anzeigen
admin-log-details = Details{ $of }
admin-log-details-of = zu { $action } am { $time }
admin-log-time = Genaue Zeit
admin-log-resource-id = Objekt-ID
admin-log-user-id = Benutzer-ID
admin-log-ip-address = IP-Adresse
admin-log-user-agent = User-Agent
admin-log-duration = Dauer
admin-log-request-id = Anfrage-ID
admin-log-data = Daten

## Das Betreiberteam.

admin-staff-lead = Personen, die diesen Server betreiben.
admin-staff-invite = Mitglied einladen
admin-staff-invite-lead = Das neue Mitglied des Betreiberteams erhält eine Einladung per E-Mail.
admin-staff-you = (Sie)
admin-staff-role-of = Rolle von { $name }
admin-staff-role-change = Ändern{ $what }
admin-staff-role-change-what = (Rolle von { $name })
admin-staff-role-changed = Rolle geändert
admin-staff-suspend-question = Das Mitglied wird abgemeldet und kann sich bis zur Reaktivierung nicht anmelden.
admin-staff-changed = Mitglied des Betreiberteams geändert
admin-staff-invited = Einladung gesendet
admin-staff-full-name = Vollständiger Name
admin-staff-role-hint = Support-Admins haben nur Lesezugriff. Admins verwalten auch Scanner, E-Mail-Vorlagen und Tarife.
admin-staff-invitation = Einladung
admin-staff-send = Einladung senden

## Organisationen.

admin-organizations-lead = Alle Organisationen und Einzelpersonen auf diesem Server.
admin-organizations-none-found = Keine Organisationen gefunden
admin-organizations-none = Noch keine Organisationen
admin-organizations-none-why = Hier erscheinen Organisationen, sobald sie sich registrieren.
admin-organizations-sign-up = Registrierungsseite öffnen
admin-organization-any-plan = Beliebiger Tarif
admin-organization-users = Benutzer
admin-organization-id = ID
admin-organization-links = Links
admin-organization-plan-hint = Der Organisation wird nichts berechnet, und ein kostenpflichtiges Abonnement endet.
admin-organization-plan-change = Tarif wechseln
admin-organization-plan-changed = Tarif gewechselt
admin-organization-access = Zugang
admin-organization-access-open = Benutzer und API-Clients haben Zugang.
admin-organization-access-closed = Benutzer und API-Clients haben keinen Zugang.
admin-organization-suspend-question = Benutzer und API-Clients verlieren den Zugang, bis Sie die Organisation reaktivieren.
admin-organization-reactivated = Organisation reaktiviert
admin-organization-suspended = Organisation gesperrt

## Die Personen einer Organisation.

admin-people = Personen
admin-people-joined = Beigetreten
admin-people-reset = Passwort-Reset senden{ $to }
admin-people-reset-to = an { $name }
admin-people-reset-sent = Passwort-Reset gesendet
admin-people-factor = Zweiten Faktor zurücksetzen{ $whom }
admin-people-factor-of = von { $name }
admin-people-view = Ansicht als{ $whom }
admin-people-invitations = Ausstehende Einladungen
admin-people-invitation-sent = Gesendet
admin-people-invitation-expires = Läuft ab
admin-people-talent = Talent
admin-people-resend = Erneut senden{ $to }
admin-people-resend-to = an { $email }
admin-people-resent = Einladung erneut gesendet. Der frühere Link funktioniert nicht mehr.

## Eine Organisation ansehen.

admin-view-title = Ansicht als { $name }
admin-view-before = Bevor Sie beginnen
admin-view-read-only = Sie sehen die Konsole so wie { $name }. Sie können nichts ändern, und Geheimnisse sind ausgeblendet.
admin-view-ends = Die Ansicht endet nach { $minutes } Minuten oder wenn Sie sie beenden.
admin-view-pages = Sie können die Seiten öffnen, die { $name } ({ $role }) öffnen kann, außer Profil, Anmeldesicherheit, Sprache und Benachrichtigungseinstellungen.
admin-view-told = { $name } und die Administratoren der Organisation erfahren jetzt per E-Mail Ihren Grund, was Sie sehen können und bis wann. Jede Seite, die Sie öffnen, steht in ihrem Protokoll.
admin-view-reason-hint = 10 bis 500 Zeichen. Die Organisation erhält ihn per E-Mail.
admin-view-start = Ansicht starten
admin-view-stopped = Sie haben die Ansicht beendet

## Einen zweiten Faktor zurücksetzen.

admin-factor = Zweiter Faktor
admin-factor-title = Zweiten Faktor zurücksetzen
admin-factor-lead = Für Personen, die ihr Telefon, ihre Passkeys und ihre Wiederherstellungscodes verloren haben. Vergewissern Sie sich vorher, dass es wirklich die Person ist.
admin-factor-nobody = Niemand gefunden
admin-factor-nobody-why = Kein Konto hat diese E-Mail-Adresse.
admin-factor-reason-hint = Wie Sie die Identität geprüft haben. Die Person erhält den Grund, und er steht im Protokoll.
admin-factor-remove = Zweite Faktoren entfernen
admin-factor-nothing = Es gibt nichts zurückzusetzen.
admin-factor-removed = Zweite Faktoren entfernt. Die Person wurde per E-Mail informiert.

## Plattformen.

admin-platforms-lead = Alle Plattformen auf diesem Server.
admin-platforms-search = Nach Namen oder Domain suchen
admin-platforms-none-found = Keine Plattformen gefunden
admin-platforms-none-found-why = Versuchen Sie es mit einem anderen Namen oder einer anderen Domain.
admin-platforms-none = Noch keine Plattformen
admin-platforms-none-why = Hier erscheinen Plattformen, sobald Organisationen ihre Websites hinzufügen.
admin-platform-domain = Domain
admin-platform-scanner = Scanner anzeigen
admin-platform-scanner-of = Scanner von { $name } anzeigen
admin-platform-type-Social-Media = Social Media
admin-platform-type-News-Media = Nachrichtenmedien
admin-platform-type-E-Commerce = E-Commerce
admin-platform-type-Video = Video
admin-platform-type-Forum-Community = Forum/Community
admin-platform-type-Website-Blog = Website/Blog
admin-platform-type-Mobile-App = Mobile App
admin-platform-type-Partner-Site = Partnerseite

## Scanner.

admin-scanner = Scanner
admin-scanners-lead = Jeder Scanner überwacht eine Plattform.
admin-scanners-all = Alle Scanner
admin-scanners-failing = Letzter Scan fehlgeschlagen
admin-scanners-failing-none = Keine fehlerhaften Scanner
admin-scanners-failing-none-why = Hier erscheinen Scanner, deren letzter Scan fehlgeschlagen ist.
admin-scanners-none = Noch keine Scanner
admin-scanners-none-why = Ein Scanner liest die Feeds einer Plattform und sucht nach den Namen und Bildern von Talenten.
admin-scanners-waiting = Warten auf einen Scanner
admin-scanners-waiting-asked = Angefragt
admin-scanners-start = Alle starten
admin-scanners-start-question = Alle pausierten und angehaltenen Scanner werden gestartet.
admin-scanners-pause = Alle pausieren
admin-scanners-pause-question = Alle laufenden Scanner pausieren, bis Sie sie wieder starten.
admin-scanners-stop = Alle anhalten
admin-scanners-stop-question = Keine Plattform wird überwacht, bis Sie wieder Scanner starten.
admin-scanners-now = { $status ->
    [running] { $count ->
        [0] Keine Scanner geändert
        [one] { $count } Scanner läuft jetzt
       *[other] { $count } Scanner laufen jetzt
    }
    [paused] { $count ->
        [0] Keine Scanner geändert
        [one] { $count } Scanner ist jetzt pausiert
       *[other] { $count } Scanner sind jetzt pausiert
    }
   *[stopped] { $count ->
        [0] Keine Scanner geändert
        [one] { $count } Scanner ist jetzt angehalten
       *[other] { $count } Scanner sind jetzt angehalten
    }
}
admin-scanner-now = { $status ->
    [running] Der Scanner läuft jetzt
    [paused] Der Scanner ist jetzt pausiert
   *[stopped] Der Scanner ist jetzt angehalten
}
admin-scanner-next = Nächster Scan
admin-scanner-next-now = jetzt
admin-scanner-no-feeds = nichts zu lesen: keine Feeds
admin-scanner-requests = Abrufe
admin-scanner-failed = Fehlgeschlagen
admin-scanner-started = Gestartet
admin-scanner-uptime = Laufzeit
admin-scanner-start = Starten
admin-scanner-pause = Pausieren
admin-scanner-stop = Anhalten
admin-scanner-scan = Jetzt scannen
admin-scanner-scan-requested = Scan angefordert. Er beginnt in wenigen Sekunden.
admin-scanner-for = Scanner für { $name }
admin-scanner-recent = Letzte Scans
admin-scanner-blocked = Dieser Scanner läuft, kann aber nicht scannen:
admin-scanner-blocker-pod-not-running = Der Scanner läuft nicht.
admin-scanner-blocker-scope-crawl-missing = Dem Scanner fehlt der Scope „Crawlen“.
admin-scanner-blocker-platform-not-verified = Die Domain der Plattform ist nicht verifiziert.
admin-scanner-blocker-crawling-disabled = Das Crawlen ist für die Plattform ausgeschaltet.
admin-scanner-blocker-no-feeds = Die Plattform hat keine Feeds. Ihre Organisation muss einen hinzufügen.
admin-scanner-scopes = Scopes
admin-scanner-scope-read = Lesen
admin-scanner-scope-write = Schreiben
admin-scanner-scope-crawl = Crawlen
admin-scanner-scopes-hint = Zum Scannen braucht ein Scanner den Scope „Crawlen“.
admin-scanner-new = Neuer Scanner
admin-scanner-new-for = Neuer Scanner für { $name }
admin-scanner-new-lead = Ein Scanner überwacht eine Plattform.
admin-scanner-choose = Wählen Sie eine Plattform
admin-scanner-platform = { $name } ({ $domain }), { $owner }
admin-scanner-search = Plattformen nach Namen oder Domain suchen
admin-scanner-create = Scanner erstellen
admin-scanner-created = Scanner erstellt. Starten Sie ihn, wenn Sie bereit sind.

## Anmelden.

admin-sign-in-title = Anmeldung für das Betreiberteam
admin-sign-in-token = Einmal-Token
admin-sign-in-token-hint = Aus Ihrer E-Mail oder auf dem Server erstellt. Jedes Token funktioniert einmal.
admin-sign-in-submit = Anmelden
admin-sign-in-no-token = Sie haben kein Token?
admin-sign-in-operator = Ein Betreiber kann eines auf dem Server erstellen:
admin-sign-in-command = Befehl
admin-sign-in-not-staff = Nicht im Betreiberteam? Zur Anmeldung in der Konsole
admin-sign-in-signed-out = Sie sind abgemeldet

## Quellen.

admin-sources-lead = Die Adressen, die Organisationen überwachen.
admin-source = Quelle
admin-source-read = Was gelesen wird
admin-source-state = Zustand
admin-source-next = Nächster Scan
admin-source-new = neue Quelle
admin-sources-new = neue Quellen
admin-sources-stop-all = Alle anhalten
admin-sources-stop-question = Keine Quelle irgendeiner Organisation wird gescannt, bis Sie sie fortsetzen.
admin-sources-unreadable = Nicht lesbar
admin-sources-any = Angehalten oder nicht
admin-sources-stopped = Angehalten
admin-sources-not-stopped = Nicht angehalten
admin-source-resume = Fortsetzen
admin-source-stop = Anhalten
admin-sources-none-found = Keine Quellen gefunden
admin-sources-none-found-why = Keine Quellen entsprechen Ihren Filtern.
admin-sources-none = Noch keine Quellen
admin-sources-none-why = Hier erscheinen Quellen, sobald Organisationen Adressen überwachen.
admin-source-was-stopped = Quelle angehalten
admin-source-was-resumed = Quelle fortgesetzt
admin-sources-were-stopped = { $count ->
    [0] Keine Quellen geändert
    [one] { $count } Quelle angehalten
   *[other] { $count } Quellen angehalten
}

## E-Mail-Vorlagen.

admin-templates = E-Mail-Vorlagen
admin-templates-lead = Der Text aller E-Mails, die dieser Server sendet.
admin-templates-all = Alle Vorlagen
admin-template-subject = Betreff
admin-template-body = Inhalt
admin-template-text = Text
admin-template-built-in = integriert
admin-template-preview = Vorschau
admin-template-preview-text = Vorschau als Text
admin-template-preview-note = Mit Beispielwerten. Betreff: „{ $subject }“.
admin-template-preview-frame = E-Mail-Vorschau
admin-template-preview-subject = Betreff: { $subject }
admin-template-invalid = Diese Vorlage ist ungültig.
admin-template-problem = Feld „{ $field }“: { $problem }.
admin-template-variables = Variablen
admin-template-required = erforderlich
admin-template-hint = Trennen Sie Absätze durch eine Leerzeile. Ein Code, ein Token oder [Beschriftung]({"{{link}}"}) in einer eigenen Zeile wird hervorgehoben.
admin-template-save = Änderungen speichern
admin-template-saved = E-Mail-Vorlage geändert
admin-template-original = Integrierter Text
admin-template-customized = Diese Vorlage wurde vom Betreiberteam angepasst.
admin-template-uses-original = Diese Vorlage verwendet den integrierten Text.
admin-template-restore = Integrierten Text wiederherstellen
admin-template-restore-question = Der angepasste Text wird endgültig gelöscht.
admin-template-restored = Integrierter Text wiederhergestellt
admin-template-staff-invitation = Einladung ins Betreiberteam
admin-template-staff-token = Anmelde-Token für das Betreiberteam
admin-template-sign-in-warning = Anmeldewarnung

## Die Arten von E-Mails und ihr Zweck.

admin-mail-registration = Registrierung
admin-mail-password-reset = Zurücksetzen des Passworts
admin-mail-magic-link = Anmeldelink
admin-mail-no-account = Kein Konto
admin-mail-password-changed = Passwort geändert
admin-mail-sign-in-warning = Anmeldewarnung
admin-mail-new-device = Neues Gerät
admin-mail-second-factor-changed = Zweiter Faktor geändert
admin-mail-second-factor-reset = Zweiter Faktor zurückgesetzt
admin-mail-team-invitation = Teameinladung
admin-mail-talent-invitation = Talenteinladung
admin-mail-license-shared = Lizenz geteilt
admin-mail-admin-invitation = Admin-Einladung
admin-mail-admin-token = Admin-Token
admin-mail-webhook-disabled = Webhook deaktiviert
admin-mail-payment-declined = Zahlung abgelehnt
admin-mail-subscription-ended = Abonnement beendet
admin-mail-offer-invitation = Angebot mit Einladung
admin-mail-offer-withdrawn = Angebot zurückgezogen
admin-mail-request-received = Anfrage erhalten
admin-mail-offer-received = Angebot erhalten
admin-mail-request-message = Nachricht zu einer Anfrage
admin-mail-request-declined = Anfrage abgelehnt
admin-mail-request-withdrawn = Anfrage zurückgezogen
admin-mail-request-lapsed = Anfrage verfallen
admin-mail-offer-blocked = Angebot blockiert
admin-mail-grant-made = Nutzungsrecht erteilt
admin-mail-grant-expiring = Nutzungsrecht endet bald
admin-mail-grant-revoked = Nutzungsrecht widerrufen
admin-mail-mention-found = Erwähnung gefunden
admin-mail-mention-removed = Erwähnung entfernt
admin-mail-mention-marked-removed = Erwähnung als entfernt markiert
admin-mail-mention-marked-not-removed = Erwähnung als nicht entfernt markiert
admin-mail-mention-back = Erwähnung wieder da
admin-mail-case-assigned = Fall zugewiesen
admin-mail-license-received = Lizenz erhalten
admin-mail-license-expiring = Lizenz läuft bald ab
admin-mail-client-expiring = API-Client läuft bald ab
admin-mail-card-expiring = Karte läuft bald ab
admin-mail-webhook-failing = Webhook schlägt fehl
admin-mail-chat-disabled = Chat-Adresse deaktiviert
admin-mail-source-failing = Quelle nicht lesbar
admin-mail-platform-verified = Plattform verifiziert
admin-mail-scanner-stopped = Scanner angehalten
admin-mail-staff-viewed = Ansicht durch das Betreiberteam
admin-mail-platform-waiting = Plattform wartet
admin-mail-help-requested = Hilfe angefragt
admin-mail-help-answered = Hilfeanfrage beantwortet
admin-mail-several-notices = Mehrere Mitteilungen
admin-mail-digest = Zusammenfassung
admin-mail-purpose-registration = Der Code zum Abschließen einer Registrierung
admin-mail-purpose-password-reset = Code und Link zum Zurücksetzen eines Passworts
admin-mail-purpose-magic-link = Link und Code zum Anmelden ohne Passwort
admin-mail-purpose-no-account = Der Hinweis, dass kein Konto diese E-Mail-Adresse hat
admin-mail-purpose-password-changed = Der Hinweis, dass ein Passwort geändert wurde
admin-mail-purpose-sign-in-warning = Die Warnung vor fehlgeschlagenen Anmeldungen
admin-mail-purpose-new-device = Der Hinweis, dass sich jemand von einem neuen Gerät angemeldet hat
admin-mail-purpose-second-factor-changed = Der Hinweis, dass sich die zweiten Faktoren einer Person geändert haben
admin-mail-purpose-second-factor-reset = Der Hinweis, dass das Betreiberteam die zweiten Faktoren einer Person entfernt hat
admin-mail-purpose-team-invitation = Die Einladung in ein Team
admin-mail-purpose-talent-invitation = Die Einladung, einen Talenteintrag zu beanspruchen
admin-mail-purpose-license-shared = Der Hinweis, dass eine Lizenz mit dieser E-Mail-Adresse geteilt wurde
admin-mail-purpose-admin-invitation = Die Einladung ins Betreiberteam
admin-mail-purpose-admin-token = Ein Einmal-Token für die Anmeldung des Betreiberteams
admin-mail-purpose-webhook-disabled = Der Hinweis, dass ein Webhook deaktiviert wurde
admin-mail-purpose-payment-declined = Der Hinweis, dass eine Zahlung abgelehnt wurde
admin-mail-purpose-subscription-ended = Der Hinweis, dass ein Abonnement nach fehlgeschlagenen Zahlungen beendet wurde
admin-mail-purpose-offer-invitation = Ein Angebot an eine E-Mail-Adresse
admin-mail-purpose-offer-withdrawn = Der Hinweis, dass ein Angebot an eine E-Mail-Adresse zurückgezogen wurde
admin-mail-purpose-request-received = Eine Lizenzanfrage, an die Inhaber der Lizenz
admin-mail-purpose-offer-received = Ein Angebot, an die Organisation, der es gemacht wurde
admin-mail-purpose-request-message = Eine Nachricht zu einer Anfrage, an die andere Partei
admin-mail-purpose-request-declined = Der Hinweis, dass eine Anfrage oder ein Angebot abgelehnt wurde
admin-mail-purpose-request-withdrawn = Der Hinweis, dass eine Anfrage oder ein Angebot zurückgezogen wurde
admin-mail-purpose-request-lapsed = Der Hinweis, dass eine Anfrage oder ein Angebot verfallen ist, an beide Parteien
admin-mail-purpose-offer-blocked = Der Hinweis, dass ein exklusives Nutzungsrecht die Annahme eines Angebots verhindert, an den Lizenzgeber
admin-mail-purpose-grant-made = Der Hinweis auf ein neues Nutzungsrecht, an beide Parteien
admin-mail-purpose-grant-expiring = Die Erinnerung, dass ein Nutzungsrecht bald endet, an beide Parteien
admin-mail-purpose-grant-revoked = Der Hinweis, dass ein Nutzungsrecht widerrufen wurde, an den Lizenznehmer
admin-mail-purpose-mention-found = Der Hinweis, dass eine Erwähnung gefunden wurde
admin-mail-purpose-mention-removed = Der Hinweis, dass eine Erwähnung mit einem Fall entfernt wurde
admin-mail-purpose-mention-marked-removed = Der Hinweis, dass jemand eine Erwähnung mit einem Fall als entfernt markiert hat
admin-mail-purpose-mention-marked-not-removed = Der Hinweis, dass jemand eine entfernte Erwähnung als nicht entfernt markiert hat
admin-mail-purpose-mention-back = Der Hinweis, dass eine entfernte Erwähnung wieder da ist
admin-mail-purpose-case-assigned = Der Hinweis, dass ein Fall zugewiesen wurde
admin-mail-purpose-license-received = Der Hinweis, dass eine Lizenz mit einer Organisation geteilt wurde
admin-mail-purpose-license-expiring = Die Erinnerung, dass eine Lizenz bald abläuft
admin-mail-purpose-client-expiring = Die Warnung, dass ein API-Client bald abläuft
admin-mail-purpose-card-expiring = Die Warnung, dass eine Zahlungskarte bald abläuft
admin-mail-purpose-webhook-failing = Der Hinweis, dass Zustellungen an einen Webhook fehlschlagen
admin-mail-purpose-chat-disabled = Der Hinweis, dass eine Chat-Adresse deaktiviert wurde
admin-mail-purpose-source-failing = Der Hinweis, dass eine Quelle nicht gelesen werden kann
admin-mail-purpose-platform-verified = Der Hinweis, dass die Domain einer Plattform verifiziert wurde
admin-mail-purpose-scanner-stopped = Der Hinweis, dass das Betreiberteam den Scanner einer Plattform angehalten hat
admin-mail-purpose-staff-viewed = Der Hinweis, dass das Betreiberteam eine Organisation so angesehen hat, wie eine ihrer Personen sie sieht
admin-mail-purpose-platform-waiting = Der Hinweis an das Betreiberteam, dass eine Plattform auf einen Scanner wartet
admin-mail-purpose-help-requested = Der Hinweis an das Betreiberteam, dass jemand um Hilfe bittet
admin-mail-purpose-help-answered = Die Antwort des Betreiberteams auf eine Hilfeanfrage
admin-mail-purpose-several-notices = Mehrere Mitteilungen einer Art in einer E-Mail
admin-mail-purpose-digest = Die tägliche Zusammenfassung
