### Beobachtete Adressen und Social-Media-Profile.

## Die Liste.

source-list-title = Quellen
source-list-lead = Öffentliche Adressen, an denen nach Nutzungen Ihrer Talente gesucht wird.
source-new-one = neue Quelle
source-new-many = neue Quellen
source-name = Name
source-what-is-read = Was gelesen wird
source-state = Zustand
source-next-scan = Nächster Scan
source-mentions = Erwähnungen
source-search = Name oder Website suchen
source-status = Status
source-any-status = Jeder Status
source-status-running = Läuft
source-status-paused = Pausiert
source-any-kind = Alles
source-sort-newest = Neueste zuerst
source-sort-oldest = Älteste zuerst
source-none-found = Keine Quellen gefunden
source-none-match = Keine Quellen entsprechen Ihren Filtern.
source-watch-first = Beobachten Sie Ihre erste Adresse
source-watch-first-paste = Fügen Sie eine beliebige öffentliche Adresse ein: eine Nachrichtenseite, ein Blog, einen Podcast, einen Shop oder ein Profil auf Mastodon, Bluesky oder YouTube. Sie muss Ihnen nicht gehören.
source-watch-first-read = Grantor liest sie regelmäßig, sucht nach den Namen und Bildern Ihrer Talente und meldet Ihnen, was gefunden wird.
source-own-profiles = Veröffentlichen Sie selbst auf Mastodon, Bluesky oder einem anderen Dienst? { $link }, damit Ihre Beiträge dort als Ihre eigenen gelten.
source-own-profiles-link = Fügen Sie Ihre Social-Media-Profile hinzu

## Was gelesen wird und wie oft.

source-kind-feed = Feed
source-kind-sitemap = Sitemap
source-kind-page = Seite und ihre Links
source-kind-on-service = { $kind } auf { $service }
source-frequency-hourly = Stündlich
source-frequency-daily = Täglich
source-frequency-weekly = Wöchentlich

## Der Zustand einer Quelle.

source-not-scanned = Noch nicht gescannt.
source-stopped-at = Vom Betreiber angehalten ({ $time }).
source-is-paused = Wird nicht gescannt, bis Sie die Quelle fortsetzen.
source-is-scanning = Wird gerade gescannt.
source-failing-since = Erster Fehler { $time }. Letzter Versuch { $last }
source-waits-for-push = Wartet auf die erste Push-Nachricht.
source-first-scan-now = Der erste Scan beginnt in wenigen Sekunden.
source-first-scan-soon = Der erste Scan beginnt innerhalb einer Stunde.
source-scan-when-pushed = Sobald etwas Neues veröffentlicht wird
source-scan-in-seconds = in wenigen Sekunden
source-scan-now = jetzt
source-never = nie

## Eine Adresse beobachten.

source-watch = Adresse beobachten
source-watch-lead = Fügen Sie eine öffentliche Adresse ein. Sie muss Ihnen nicht gehören.
source-address = Adresse
source-address-hint = Eine Website, ein Blog, ein Podcast, eine Sitemap oder ein Feed oder ein Profil auf einem Dienst wie Mastodon, Bluesky oder YouTube.
source-look = Ansehen
source-another-address = Andere Adresse
source-what-was-found = Was gefunden wurde
source-found-title = Titel
source-no-title = Ohne Titel
source-items = Einträge
source-item-count = { $count ->
    [one] { $count } Eintrag
   *[other] { $count } Einträge
}
source-newest = Neueste
source-push-only = Die robots.txt der Website verbietet den Abruf dieses Feeds. Er wird daher nur gelesen, wenn der Dienst etwas Neues sendet.
source-note-page = Es wurde kein Feed gefunden. Daher werden die Seite selbst und die von ihr verlinkten Seiten beobachtet.
source-note-sitemap = Es wurde kein Feed gefunden. Daher werden die Seiten aus der Sitemap der Website beobachtet.
source-note-key = Der Dienst erlaubt das Lesen seiner Feeds nicht. Daher wird seine offizielle API mit einem Schlüssel dieses Servers gelesen.
source-how-to-watch = Wie die Adresse beobachtet wird
source-name-hint = Lassen Sie das Feld leer, um den gefundenen Titel zu verwenden.
source-how-often = Wie oft
source-start-watching = Beobachtung starten
source-created = Die Adresse wird ab jetzt beobachtet.

## Die Talente, nach denen gesucht wird.

source-look-for = Suchen nach
source-watch-all-talents = Alle Talente, auch später hinzugefügte
source-watch-some-talents = Nur die Talente unten
source-search-talents = Talente nach Namen suchen
source-talents = Talente
source-no-talents = Keine Talente gefunden.
source-talents-stay = Ausgewählte Talente bleiben ausgewählt, wenn Sie nach anderen suchen.
source-required-if-chosen = bei einer Auswahl von Talenten
source-all-talents = Alle Talente
source-talents-gone = Keine: Die Talente existieren nicht mehr
source-talents-and-more = { $names } und { $count } weitere

## Die Seite einer Quelle.

source-title = Quelle
source-details = Details
source-looks-for = Sucht nach
source-last-read = Zuletzt gelesen
source-pushes = Push-Nachrichten
source-mentions-found = Gefundene Erwähnungen
source-added = Hinzugefügt
source-recent-scans = Letzte Scans
source-skipped = Im letzten Scan übersprungen
source-no-mentions = Noch nichts. Neue Erwähnungen erscheinen hier und unter „Erwähnungen“.
source-mention = Erwähnung
source-talent = Talent
source-verdict = Bewertung
source-first-seen = Zuerst gesehen
source-view-all-mentions = Alle Erwähnungen anzeigen
source-scan = Jetzt scannen
source-pause = Pausieren
source-resume = Fortsetzen
source-stopped-notice = Der Betreiber hat diese Quelle angehalten ({ $time }). Wenden Sie sich an den Betreiber, um sie fortsetzen zu lassen.
source-scans-failing = Die Scans schlagen fehl, zum ersten Mal { $time }.
source-scans-retried = Die Adresse wird automatisch erneut versucht, mit der Zeit immer seltener.
source-last-error = Letzter Fehler: { $reason }
source-subscribed-until = Abonniert bis { $day }.
source-subscription-not-renewed = Abonniert bis { $day }, noch nicht verlängert: { $reason }.
source-not-subscribed = Nicht abonniert: { $reason }.
source-hub = Hub: { $hub }.
source-push-unreachable = Hubs können diesen Server nicht erreichen
source-push-no-hub = die Adresse nennt keinen Hub, der abonniert werden kann
source-push-not-running = die Quelle läuft nicht
source-push-unconfirmed = der Hub hat das Abonnement noch nicht bestätigt
source-push-lapsed = der Hub hat das Abonnement noch nicht verlängert
source-resumed = Quelle fortgesetzt
source-paused = Quelle pausiert
source-scan-requested = Scan angefordert. Er beginnt in wenigen Sekunden.
source-deleted = Quelle gelöscht
source-edit-title = Quelle bearbeiten
source-back = Zurück zur Quelle
source-save-changes = Änderungen speichern
source-updated = Quelle aktualisiert

## Social-Media-Profile.

source-profile-list = Social-Media-Profile
source-profile-lead = Wo Sie auf Mastodon, Bluesky und anderen Diensten veröffentlichen. Was auf einem verifizierten Profil erscheint, gilt als von Ihnen veröffentlicht.
source-profile-none = Noch keine Social-Media-Profile
source-profile-none-why = Ein verifiziertes Profil unterscheidet Ihre eigenen Beiträge von denen anderer.
source-profile-lesson-address = Geben Sie unten die Adresse des Profils ein.
source-profile-lesson-code = Fügen Sie den Code, den Sie erhalten, in die Profilbeschreibung ein.
source-profile-lesson-verify = Verifizieren Sie das Profil. Was dort erscheint, gilt dann als von Ihnen veröffentlicht.
source-profile-add-title = Profil hinzufügen
source-profile-address = Adresse des Profils
source-profile-add = Profil hinzufügen
source-profile-code = Code für { $address }
source-profile-put-code = Fügen Sie diesen Code in die Profilbeschreibung ein
source-profile-verify = Verifizieren
source-profile-remove-code = Sobald das Profil verifiziert ist, können Sie den Code entfernen.
source-profile-verify-button = Profil verifizieren
source-profile-added = Profil hinzugefügt. Fügen Sie als Nächstes den Code in die Profilbeschreibung ein.
source-profile-verified = Profil verifiziert
source-profile-removed = Profil entfernt
