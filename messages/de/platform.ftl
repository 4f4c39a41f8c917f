### Plattformen, ihre Scanner und ihre Ingest-Schlüssel.

## Die Liste.

platform-list-title = Plattformen
platform-list-lead = Ihre Websites, auf denen Nutzungen lizenzierter Bildnisse überwacht werden.
platform-name = Name
platform-domain = Domain
platform-type = Art
platform-status = Status
platform-last-checked = Zuletzt geprüft
platform-search = Nach Name oder Domain suchen
platform-any-status = Jeder Status
platform-status-pending-verification = Verifizierung ausstehend
platform-status-verified = Verifiziert
platform-any-type = Jede Art
platform-type-social-media = Soziale Medien
platform-type-news-media = Nachrichtenmedium
platform-type-e-commerce = E-Commerce
platform-type-video = Video
platform-type-forum = Forum/Community
platform-type-website = Website/Blog
platform-type-mobile-app = Mobile App
platform-type-partner-site = Partnerseite
platform-never = nie
platform-clear-filters = Filter zurücksetzen
platform-none-found = Keine Plattformen gefunden
platform-none-match = Keine Plattformen entsprechen Ihren Filtern.
platform-none-yet = Noch keine Plattformen
platform-none-yet-why = Eine Plattform ist eine Website oder App von Ihnen, deren Inhalte auf Lizenzen geprüft werden.
platform-lesson-name = Geben Sie den Namen der Website und ihre Domain an.
platform-lesson-verify = Weisen Sie nach, dass die Domain Ihnen gehört: mit einem DNS-Eintrag, einem Tag oder einer Datei.
platform-lesson-scan = Fordern Sie einen Scanner an oder übermitteln Sie Ihre Inhalte mit einem Ingest-Schlüssel.

## Die Formulare.

platform-title = Plattform
platform-add = Plattform hinzufügen
platform-add-lead = Fügen Sie eine Website hinzu, die Ihnen gehört und die Sie überwachen möchten.
platform-join-team = Treten Sie zuerst einem Team bei
platform-join-team-why = Sie verwalten die Plattformen Ihrer eigenen Teams. Bitten Sie die Administration, Sie in ein Team aufzunehmen.
platform-domain-hint = Ohne https://. Wenn Sie die Domain ändern, müssen Sie sie erneut verifizieren.
platform-team = Team
platform-team-hint = Das Team, das die Plattform verwaltet.
platform-no-team = Kein Team
platform-description = Beschreibung
platform-description-hint = Bis zu 500 Zeichen.
platform-feeds = Feeds der Plattform
platform-feeds-hint = Feeds und Sitemaps, die der Scanner liest. Eine URL pro Zeile, bis zu 20, auf der Domain oder einer Subdomain.
platform-crawl-pages = Seiten crawlen
platform-scan-frequency = Häufigkeit der Scans
platform-frequency-hourly = Stündlich
platform-frequency-daily = Täglich
platform-frequency-weekly = Wöchentlich
platform-created = Plattform hinzugefügt. Verifizieren Sie als Nächstes die Domain.
platform-edit-title = Plattform bearbeiten
platform-save-changes = Änderungen speichern
platform-updated = Plattform aktualisiert

## Die Seite einer Plattform.

platform-delete-question = Der Scanner der Plattform wird angehalten, und ihre Ingest-Schlüssel werden widerrufen. Sie können das eine Minute lang rückgängig machen.
platform-deleted = Plattform gelöscht
platform-content-scanned = Gescannte Inhalte
platform-in-total = insgesamt
platform-mentions-found = Gefundene Erwähnungen
platform-view-mentions = Erwähnungen anzeigen
platform-details = Details
platform-verified-by = per { $method }, { $time }
platform-feeds-none = Keine. Ein Scanner liest nur die hier aufgeführten Feeds und Sitemaps.
platform-crawling = Crawlen
platform-crawling-on = ein
platform-crawling-off = aus
platform-scanned-hourly = stündlich
platform-scanned-daily = täglich
platform-scanned-weekly = wöchentlich
platform-content-last-checked = Inhalte zuletzt geprüft
platform-added = Hinzugefügt
platform-id = ID
platform-view-keys = Ingest-Schlüssel dieser Plattform anzeigen

## Die Verifizierung einer Domain.

platform-method-dns = DNS-Eintrag
platform-method-meta-tag = Meta-Tag
platform-method-file = Datei
platform-domain-verified = Domain verifiziert.
platform-can-be-monitored = Die Plattform kann jetzt überwacht werden.
platform-domain-not-verified = Domain nicht verifiziert.
platform-checked = { $method } geprüft: { $problem }
platform-verify-lead = Weisen Sie mit einer dieser Methoden nach, dass { $domain } Ihnen gehört. Sobald die Domain verifiziert ist, können Sie den Eintrag, das Tag oder die Datei entfernen.
platform-dns-record = DNS-Eintrag
platform-dns-open = Öffnen Sie die DNS-Einstellungen Ihrer Domain
platform-dns-open-hint = Sie finden sie bei Ihrem Domain-Registrar oder DNS-Anbieter.
platform-dns-add = Fügen Sie einen TXT-Eintrag hinzu
platform-dns-name = Name
platform-dns-name-label = Name des TXT-Eintrags
platform-dns-value = Wert
platform-dns-value-label = Wert des TXT-Eintrags
platform-meta-tag = Meta-Tag
platform-tag-edit = Bearbeiten Sie Ihre Startseite
platform-tag-page = Die Seite unter { $address }.
platform-tag-add = Fügen Sie dieses Tag in den <head>-Bereich ein
platform-file = Datei
platform-file-create = Erstellen Sie eine Textdatei mit diesem Inhalt
platform-file-content = Inhalt der Datei
platform-file-publish = Veröffentlichen Sie die Datei unter dieser URL
platform-file-url = URL der Datei
platform-verify = Verifizieren
platform-not-found = Nicht gefunden: { $problem }
platform-verify-domain = Domain verifizieren

## Der Scanner.

platform-scanner = Scanner
platform-scanner-requested = Scanner angefordert. Der Betreiber wurde benachrichtigt.
platform-scanner-already-requested = Ein Scanner wurde bereits angefordert
platform-scanner-no-feeds = Die Plattform hat keine Feeds, also gibt es nichts zu scannen. Bearbeiten Sie die Plattform, um einen Feed oder eine Sitemap hinzuzufügen.
platform-scanner-blocked = Der Scanner scannt diese Plattform nicht:
platform-last-scan = Letzter Scan
platform-next-scan = Nächster Scan
platform-scan-in-seconds = in wenigen Sekunden
platform-blocked-not-running = Der Betreiber hat den Scanner pausiert oder angehalten.
platform-blocked-no-scope = Der Betreiber hat dem Scanner das Crawlen nicht erlaubt.
platform-blocked-not-verified = Die Domain ist nicht verifiziert. Verifizieren Sie sie unten.
platform-blocked-crawling-off = Das Crawlen ist ausgeschaltet. Bearbeiten Sie die Plattform, um es einzuschalten.
platform-no-scanner = Diese Plattform hat noch keinen Scanner. Ihre Inhalte werden daher nur geprüft, wenn Sie sie mit einem Ingest-Schlüssel übermitteln.
platform-scanner-asked = Sie haben beim Betreiber einen Scanner angefordert ({ $time }).
platform-verify-first = Verifizieren Sie zuerst die Domain. Dann können Sie einen Scanner anfordern.
platform-ask-scanner = Scanner anfordern

## Ingest-Schlüssel.

platform-key-list = Ingest-Schlüssel
platform-key-list-lead = Lassen Sie Ihre Anwendungen die Inhalte einer Plattform zum Scannen übermitteln.
platform-key-title = Ingest-Schlüssel
platform-key-name = Name
platform-key-platform = Plattform
platform-key-scopes = Berechtigungen
platform-key-status = Status
platform-key-requests = Aufrufe
platform-key-last-used = Zuletzt verwendet
platform-key-never = nie
platform-key-any-platform = Jede Plattform
platform-key-active = Aktiv
platform-key-revoked-status = Widerrufen
platform-key-none = Noch keine Ingest-Schlüssel
platform-key-none-why = Mit einem Ingest-Schlüssel lässt Ihr Redaktionssystem Inhalte prüfen, sobald sie veröffentlicht werden.
platform-key-lesson-platform = Fügen Sie eine Plattform hinzu und verifizieren Sie ihre Domain.
platform-key-lesson-create = Erstellen Sie einen Ingest-Schlüssel für die Anwendung, die veröffentlicht.
platform-key-lesson-push = Übermitteln Sie jeden Beitrag. Die Antwort sagt, wer gefunden wurde und was lizenziert ist.
platform-key-new = Neuer Ingest-Schlüssel
platform-key-new-lead = Jeder Ingest-Schlüssel gilt für eine Anwendung auf einer Plattform.
platform-key-name-hint = Die Anwendung, die den Schlüssel verwendet, zum Beispiel „Redaktionssystem“.
platform-key-scope-read = Erwähnungen lesen
platform-key-scope-write = Inhalte zum Scannen übermitteln
platform-key-scope-crawl = Scanner Seiten crawlen lassen
platform-key-platform-first = Fügen Sie zuerst eine Plattform hinzu
platform-key-platform-first-why = Jeder Ingest-Schlüssel gehört zu einer Ihrer Plattformen.
platform-key-create = Ingest-Schlüssel erstellen
platform-key-created = Ingest-Schlüssel erstellt
platform-key-details = Details
platform-key-created-at = Erstellt
platform-key-id = ID
platform-key-revoke = Widerrufen
platform-key-revoke-question = Anwendungen, die diesen Schlüssel verwenden, verlieren dauerhaft den Zugriff. Das kann nicht rückgängig gemacht werden.
platform-key-revoked = Ingest-Schlüssel widerrufen
platform-key-push = Inhalte übermitteln
platform-key-push-lead = Senden Sie bis zu 100 Einträge pro Anfrage. Die Antwort nennt jedes gefundene Talent und ob die Nutzung lizenziert ist.
platform-key-push-token = Verwenden Sie das Zugriffstoken eines { $client } mit der Berechtigung { $scope }.
platform-key-push-client = API-Clients
