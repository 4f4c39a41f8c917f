### Texte des Seitenrahmens und der Bausteine der Seiten.

## Fehlerseiten.

view-problem-read-only = Sie können nur lesen
view-problem-not-found = Seite nicht gefunden
view-problem-no-access = Sie haben keinen Zugriff
view-problem-too-many = Zu viele Anfragen
view-problem-unavailable = Vorübergehend nicht verfügbar
view-problem-internal = Etwas ist schiefgelaufen
view-problem-other = Wir konnten Ihre Anfrage nicht ausführen
view-problem-to-catalog = Zum Katalog
view-problem-to-dashboard = Zur Übersicht
view-problem-check-address = Prüfen Sie die Adresse und versuchen Sie es erneut.
view-problem-wait = { $count ->
    [one] Versuchen Sie es in { $count } Sekunde erneut.
   *[other] Versuchen Sie es in { $count } Sekunden erneut.
}
view-problem-support = Wenn das weiterhin passiert, nennen Sie dem Support diese Anfrage-ID: { $id }

## Navigation und Seitenrahmen.

view-nav-licensing = Lizenzierung
view-nav-monitoring = Überwachung
view-nav-developers = Entwicklung
view-nav-organization = Organisation
view-nav-operations = Betrieb
view-nav-system = System
view-nav-dashboard = Übersicht
view-nav-licenses = Lizenzen
view-nav-talents = Talente
view-nav-requests = Anfragen
view-nav-grants = Nutzungsrechte
view-nav-mentions = Erwähnungen
view-nav-cases = Fälle
view-nav-bookmarks = Lesezeichen
view-nav-catalog = Katalog
view-nav-check = Prüfen
view-nav-sources = Quellen
view-nav-profiles = Social-Media-Profile
view-nav-platforms = Plattformen
view-nav-pax = Ingest-Schlüssel
view-nav-webhooks = Webhooks
view-nav-clients = API-Clients
view-nav-teams = Teams
view-nav-logs = Protokolle
view-nav-billing = Abrechnung
view-nav-help = Hilfe
view-nav-overview = Übersicht
view-nav-organizations = Organisationen
view-nav-help-requests = Hilfeanfragen
view-nav-scanners = Scanner
view-nav-staff = Betreiberteam
view-nav-templates = E-Mail-Vorlagen
view-nav-site = Website
view-nav-console = Konsole
view-nav-verify = Verifizieren
view-nav-docs = Dokumentation
view-nav-sign-in = Anmelden
view-nav-sign-up = Registrieren
view-nav-sign-out = Abmelden
view-nav-open = Menü öffnen
view-nav-close = Schließen
view-nav-unread = ungelesen
view-nav-open-cases = offen
view-description = { $title }: Lizenzen für Namen, Bilder und Bildnisse, mit Grantor.
view-skip = Zum Inhalt springen
view-switch = Wechseln
view-switch-organization = Organisation wechseln
view-theme = Design: { $theme }
view-theme-switch = Design wechseln
view-theme-auto = automatisch
view-theme-light = hell
view-theme-dark = dunkel
view-bell = Benachrichtigungen
view-bell-new = Benachrichtigungen, { $count } neu
view-query-invalid = Einige Filter sind ungültig und wurden ignoriert
view-viewing = Ansicht als
view-viewing-who = Sie sehen { $organization } als { $person }. Sie können nichts ändern. Diese Ansicht endet { $time }.
view-viewing-stop = Ansicht beenden
view-switch-title = Diese Seite gehört zu { $organization }
view-switch-to = Zu { $organization } wechseln
view-switch-why = Sie sind gerade in { $here }. Wechseln Sie zu { $organization }, um die Seite zu öffnen.
view-switch-stay = In { $here } bleiben
view-mailbox = Es ist kein Mailserver eingerichtet. Sie finden E-Mails im { $mailbox }.
view-mailbox-link = lokalen Postfach

## Bausteine der Seiten.

view-copied = Kopiert
view-absent = Keine Angabe
view-for-developers = Für Entwickler
view-step-done = (erledigt)
view-pages = Seiten
view-page-of = Seite { $page } von { $last } · insgesamt { $total }
view-export = Exportieren
view-export-csv = CSV
view-export-excel = CSV für Excel
view-picture = Bild
view-compare = Mehr vom gefundenen Bild oder vom Referenzbild zeigen

## Diagramme.

view-chart-day = Tag
view-chart-total = { $title }: insgesamt { $total }
view-chart-of = { $used } von { $limit }
view-chart-unlimited = { $used }, unbegrenzt
view-chart-label = { $title }: { $text }
view-chart-data = Daten anzeigen

## Filter und Sortierung.

view-filter-clear = Zurücksetzen
view-filter-apply = Anwenden
view-filter-search = Suche
view-filters = Filter
view-filters-set = Filter ({ $count })
view-filters-clear = Filter zurücksetzen
view-chips = Gesetzte Filter
view-chip = { $label }: { $value }
view-chip-remove = Filter entfernen – { $label }: { $value }
view-selected-talent = Das ausgewählte Talent
view-sort = Sortieren nach
view-sort-name = Name A bis Z
view-sort-name-reversed = Name Z bis A

## Gespeicherte Ansichten, ausgewählte Zeilen und Tags.

view-saved = Gespeicherte Ansichten
view-saved-all = Alle
view-saved-manage = Ansichten verwalten
view-saved-save = Ansicht speichern
view-saved-name = Name der Ansicht
view-saved-default = Liste mit dieser Ansicht öffnen
view-selection = Zu ändernde Zeilen
view-selection-rows = Ausgewählte Zeilen
view-selection-page = Alle { $count } auf dieser Seite
view-selection-all = Alle { $count } Treffer
view-selection-batches = Ihre Sammelaktionen
view-selection-row = { $name } auswählen
view-tags = Tags
view-tags-none = Noch keine Tags. Nur Ihre Organisation sieht sie.
view-tags-add = Tags hinzufügen
view-tags-hint = Trennen Sie mehrere mit Kommas.
view-tags-remove = Tag { $tag } entfernen

## Formularfelder.

view-field-choose = Bitte auswählen
view-field-required = (erforderlich)
view-field-required-if = (erforderlich { $when })
view-field-required-note = Mit { $mark } markierte Felder sind Pflichtfelder.
view-field-progress = Fortschritt des Uploads
view-field-party = Der Name einer Organisation oder eine E-Mail-Adresse.
view-combobox-find = Suchen
view-combobox-none = Nichts gefunden
view-combobox-too-many = Zu viele Ergebnisse. Geben Sie mehr ein, um das richtige zu finden.
view-combobox-found = { $count ->
    [one] { $count } Ergebnis
   *[other] { $count } Ergebnisse
}
view-combobox-first = { $count ->
    [one] Das erste Ergebnis. Geben Sie mehr ein, um weitere zu finden.
   *[other] Die ersten { $count } Ergebnisse. Geben Sie mehr ein, um weitere zu finden.
}
view-field-password = Mindestens 8 Zeichen, mit Groß- und Kleinbuchstaben, einer Ziffer und einem Sonderzeichen.
view-password-strength = Passwortstärke
view-password-very-weak = Passwortstärke: sehr schwach
view-password-weak = Passwortstärke: schwach
view-password-fair = Passwortstärke: mittel
view-password-good = Passwortstärke: gut
view-password-strong = Passwortstärke: stark
view-file-choose = Datei auswählen
view-file-drop = Datei hierher ziehen oder auswählen
view-files-choose = Dateien auswählen
view-files-drop = Bilder hierher ziehen oder Dateien auswählen
view-files-drop-anywhere = Bilder an eine beliebige Stelle dieser Seite ziehen oder Dateien auswählen
view-files-not = Kein Bild: { $names }
view-picture-choose = Bild auswählen
view-picture-drop = Bild an eine beliebige Stelle dieser Seite ziehen oder einfügen oder auswählen
view-picture-large = { $name } hat { $size }. Ein Bild darf höchstens { $most } haben.
view-picture-not = { $name } ist kein Bild. Nur Bilder im Format JPEG, PNG oder WebP können geprüft werden.
view-picture-text = { $name } ist kein Bild. Um einen Text zu prüfen, fügen Sie ihn in das Feld unten ein.
view-text-long = { $bytes } Bytes. Ein Text darf höchstens { $most } Bytes (100 KB) haben.
view-passkey-expired = Diese Seite ist abgelaufen. Laden Sie sie neu, melden Sie sich bei Bedarf erneut an und versuchen Sie es noch einmal.
view-passkey-known = Dieses Gerät hat bereits einen Passkey für Ihr Konto.
view-passkey-unused = Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.
view-passkey-failed = Der Passkey konnte nicht verwendet werden. Versuchen Sie es erneut.

## Zeitzonen.

view-zone-search = Zeitzonen suchen
view-zone-example = Nach Stadt suchen
view-zone-region-africa = Afrika
view-zone-region-america = Amerika
view-zone-region-antarctica = Antarktis
view-zone-region-arctic = Arktis
view-zone-region-asia = Asien
view-zone-region-atlantic = Atlantik
view-zone-region-australia = Australien
view-zone-region-europe = Europa
view-zone-region-indian = Indischer Ozean
view-zone-region-pacific = Pazifik
view-zone-city-africa-algiers = Algier
view-zone-city-africa-cairo = Kairo
view-zone-city-africa-addis-ababa = Addis Abeba
view-zone-city-africa-djibouti = Dschibuti
view-zone-city-africa-khartoum = Khartum
view-zone-city-africa-mogadishu = Mogadischu
view-zone-city-africa-ndjamena = N’Djamena
view-zone-city-africa-tripoli = Tripolis
view-zone-city-america-bogota = Bogotá
view-zone-city-america-havana = Havanna
view-zone-city-america-jamaica = Jamaika
view-zone-city-america-mexico-city = Mexiko-Stadt
view-zone-city-america-sao-paulo = São Paulo
view-zone-city-asia-baghdad = Bagdad
view-zone-city-asia-damascus = Damaskus
view-zone-city-asia-hong-kong = Hongkong
view-zone-city-asia-kamchatka = Kamtschatka
view-zone-city-asia-kolkata = Kalkutta
view-zone-city-asia-muscat = Maskat
view-zone-city-asia-nicosia = Nikosia
view-zone-city-asia-novosibirsk = Nowosibirsk
view-zone-city-asia-pyongyang = Pjöngjang
view-zone-city-asia-qatar = Katar
view-zone-city-asia-riyadh = Riad
view-zone-city-asia-sakhalin = Sachalin
view-zone-city-asia-singapore = Singapur
view-zone-city-asia-taipei = Taipeh
view-zone-city-asia-tashkent = Taschkent
view-zone-city-asia-tbilisi = Tiflis
view-zone-city-asia-tehran = Teheran
view-zone-city-asia-tokyo = Tokio
view-zone-city-asia-vladivostok = Wladiwostok
view-zone-city-asia-yakutsk = Jakutsk
view-zone-city-asia-yekaterinburg = Jekaterinburg
view-zone-city-asia-yerevan = Jerewan
view-zone-city-atlantic-azores = Azoren
view-zone-city-atlantic-canary = Kanarische Inseln
view-zone-city-atlantic-faroe = Färöer
view-zone-city-europe-athens = Athen
view-zone-city-europe-belgrade = Belgrad
view-zone-city-europe-brussels = Brüssel
view-zone-city-europe-bucharest = Bukarest
view-zone-city-europe-busingen = Büsingen
view-zone-city-europe-copenhagen = Kopenhagen
view-zone-city-europe-kiev = Kiew
view-zone-city-europe-kyiv = Kyjiw
view-zone-city-europe-lisbon = Lissabon
view-zone-city-europe-luxembourg = Luxemburg
view-zone-city-europe-moscow = Moskau
view-zone-city-europe-nicosia = Nikosia
view-zone-city-europe-prague = Prag
view-zone-city-europe-rome = Rom
view-zone-city-europe-tirane = Tirana
view-zone-city-europe-vatican = Vatikan
view-zone-city-europe-vienna = Wien
view-zone-city-europe-volgograd = Wolgograd
view-zone-city-europe-warsaw = Warschau
view-zone-city-europe-zurich = Zürich
view-zone-city-indian-maldives = Malediven
view-zone-city-pacific-easter = Osterinsel
view-zone-city-pacific-fiji = Fidschi

## Scans.

view-run-now = Wird gerade gescannt.
view-run-read = { $time }: { $items ->
    [one] { $items } Eintrag
   *[other] { $items } Einträge
} gelesen, { $new } neu oder geändert, { $mentions ->
    [one] { $mentions } neue Erwähnung
   *[other] { $mentions } neue Erwähnungen
}.
view-run-skipped = { $count } übersprungen.
view-run-partial = Ein Teil konnte nicht gelesen werden.
view-run-partial-because = Ein Teil konnte nicht gelesen werden: { $reason }.
view-run-failed = { $time }: Der Scan ist fehlgeschlagen
view-run-failed-because = { $time }: Der Scan ist fehlgeschlagen: { $reason }
view-run-interrupted = { $time }: Der Scan wurde unterbrochen
view-run-interrupted-because = { $time }: Der Scan wurde unterbrochen: { $reason }
view-run-blocked = { $time }: Es wurde nichts gescannt
view-run-blocked-because = { $time }: Es wurde nichts gescannt: { $reason }
view-run-reason-pod-not-running = der Scanner ist pausiert oder angehalten
view-run-reason-scope-crawl-missing = der Scanner darf nicht crawlen
view-run-reason-platform-not-verified = die Domain ist nicht verifiziert
view-run-reason-crawling-disabled = das Crawlen ist ausgeschaltet
view-run-reason-organization-suspended = die Organisation ist gesperrt
view-run-reason-no-feeds = die Plattform hat keine Feeds
view-run-reasons = { $first }, und { $next }
view-run-none = Noch keine Scans.
view-run-recent = Letzte Scans
view-run-started = Gestartet
view-run-duration = Dauer
view-run-outcome = Ergebnis
view-run-requests = Abrufe
view-run-errors = Fehlgeschlagen
view-run-items = Einträge
view-run-new = Neu
view-run-mentions = Erwähnungen
view-run-reason = Grund

## Badges. Dieselben Wörter stehen, großgeschrieben, in Filtern zur Wahl.

view-state-active = aktiv
view-state-inactive = inaktiv
view-state-verified = verifiziert
view-state-pending-verification = Verifizierung ausstehend
view-state-pending = ausstehend
view-state-public = öffentlich
view-state-private = privat
view-state-draft = Entwurf
view-state-expired = abgelaufen
view-state-running = läuft
view-state-paused = pausiert
view-state-stopped = angehalten
view-state-scanning = wird gescannt
view-state-checked = geprüft
view-state-finished = abgeschlossen
view-state-licensed = lizenziert
view-state-unlicensed = nicht lizenziert
view-state-needs-review = zu prüfen
view-state-new = neu
view-state-confirmed = bestätigt
view-state-dismissed = verworfen
view-state-delivered = zugestellt
view-state-dropped = verfallen
view-state-failed = fehlgeschlagen
view-state-failing = gestört
view-state-succeeded = erfolgreich
view-state-healthy = in Ordnung
view-state-unused = ungenutzt
view-state-disabled = deaktiviert
view-state-ok = in Ordnung
view-state-partial = teilweise
view-state-interrupted = unterbrochen
view-state-blocked = blockiert
view-state-paid = bezahlt
view-state-past-due = überfällig
view-state-canceled = gekündigt
view-state-void = storniert
view-state-open = offen
view-state-offered = Angebot liegt vor
view-state-accepted = angenommen
view-state-declined = abgelehnt
view-state-withdrawn = zurückgezogen
view-state-replaced = ersetzt
view-state-lapsed = verfallen
view-state-scheduled = geplant
view-state-ended = beendet
view-state-ending = wird beendet
view-state-revoked = widerrufen
view-state-suspended = gesperrt
view-state-denied = verweigert
view-state-allowed = erlaubt
view-state-off = aus
view-state-sent = gesendet
view-state-letter-sent = Schreiben gesendet
view-state-answered = beantwortet
view-state-removed = entfernt
view-state-disputed = bestritten
view-state-closed = geschlossen
view-state-exclusive = exklusiv
view-state-access-lost = Zugriff verloren
view-state-current = aktuell
view-state-customized = angepasst
view-state-none = keine
view-state-this-device = dieses Gerät
view-state-info = Info
view-state-warn = Warnung
view-state-error = Fehler
view-state-production = Produktion
view-state-staging = Staging
view-state-development = Entwicklung
view-state-hourly = stündlich
view-state-daily = täglich
view-state-weekly = wöchentlich
view-state-use = Nutzung
view-state-day = Tag
view-state-month = Monat
view-state-year = Jahr
view-state-campaign = Kampagne
view-state-license = Lizenz
view-state-mention = Erwähnung
view-state-talent = Talent
view-state-request = Anfrage
view-state-grant = Nutzungsrecht
view-state-case = Fall
view-state-source = Quelle
view-state-platform = Plattform
view-state-organization = Organisation
view-state-team = Team
view-state-webhook = Webhook
view-state-agency = Agentur
view-state-brand = Marke

## Rollen.

view-role-organization-admin = Organisationsadmin
view-role-organization-user = Organisationsmitglied
view-role-team-lead = Teamleitung
view-role-team-member = Teammitglied
view-role-individual = Einzelperson
view-role-super-admin = Super-Admin
view-role-admin = Admin
view-role-support-admin = Support-Admin
view-role-viewer = Betrachter
view-role-trustee = Treuhänder
view-role-licensor = Lizenzgeber

## Wo ein Bild ein Referenzbild zeigt.

view-outline-part = Ein Teil des Bildes zeigt das Referenzbild.
view-outline-part-doubtful = Ein Teil des Bildes zeigt möglicherweise das Referenzbild.
view-outline-whole = Das Bild zeigt das Referenzbild oder einen Teil davon.
view-outline-whole-doubtful = Das Bild zeigt möglicherweise das Referenzbild oder einen Teil davon.
view-outline-share = Dieser Teil nimmt etwa { $percent } % des Bildes ein.
view-outline-mirrored = Das Referenzbild ist gespiegelt.
view-outline-turned = Das Referenzbild ist um { $degrees }° im Uhrzeigersinn gedreht.
view-outline-turned-back = Das Referenzbild ist um { $degrees }° gegen den Uhrzeigersinn gedreht.
view-recognized-by = Erkannt an
view-confidence = Konfidenz
view-likely-right = Mit { $percent } % Wahrscheinlichkeit richtig
view-method-full-name = Vollständiger Name
view-method-single-name = Einzelner Name
view-method-perceptual-hash = Ganzes Bild (Wahrnehmungs-Hash)
view-method-local-features = Teile des Bildes (lokale Merkmale)
