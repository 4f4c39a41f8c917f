### Erwähnungen und Entscheidungen darüber.

## Die Liste.

mention-list-title = Erwähnungen
mention-list-lead = Wo Ihre Talente online auftauchen.
mention-new-one = neue Erwähnung
mention-new-many = neue Erwähnungen
mention-tabs = Erwähnungen nach Status
mention-status-new = Neu
mention-status-confirmed = Bestätigt
mention-status-dismissed = Verworfen
mention-status-all = Alle
mention-search = Talent, Titel, Autor oder Website suchen
mention-verdict = Bewertung
mention-any-verdict = Alle Bewertungen
mention-verdict-unlicensed = Nicht lizenziert
mention-verdict-needs-review = Zu prüfen
mention-verdict-licensed = Lizenziert
mention-talent = Talent
mention-license = Lizenz
mention-selected-license = Die ausgewählte Lizenz
mention-first-seen-from = Zuerst gesehen ab
mention-first-seen-to = Zuerst gesehen bis
mention-sort-newest = Neueste zuerst
mention-sort-oldest = Älteste zuerst
mention-no-new = Keine neuen Erwähnungen
mention-no-new-why = Keine Erwähnung wartet auf eine Prüfung. Neue Erwähnungen erscheinen hier, sobald sie gefunden werden.
mention-lesson-watched = Beobachtete Lizenzen werden in Quellen und auf gescannten Plattformen gesucht.
mention-lesson-more = Um mehr zu finden, beobachten Sie weitere Adressen und fügen Sie Ihren Lizenzen Bilder hinzu.
mention-lesson-decide = Entscheiden Sie bei jeder Erwähnung, ob es die richtige Person ist und was zu tun ist.
mention-none-found = Keine Erwähnungen gefunden
mention-none-match = Keine Erwähnungen entsprechen Ihren Filtern.
mention-view-all = Alle Erwähnungen anzeigen
mention-keys = { $next } weiter · { $previous } zurück · { $them } richtige Person · { $other } andere Person · { $open } öffnen
mention-where = { $talent } auf { $place } · { $license }
mention-match-name = Name · { $percent } % Konfidenz
mention-match-image = Bild · { $percent } % Konfidenz
mention-match-part = Teil eines Bildes · { $percent } % Konfidenz

## Die Seite einer Erwähnung.

mention-talent-on = { $talent } auf { $place }
mention-open-page = Seite öffnen
mention-download-evidence = Beweise herunterladen
mention-bookmark = Lesezeichen setzen
mention-what-was-found = Was gefunden wurde
mention-found-and-reference = Fund und Referenz
mention-details = Details
mention-platform = Plattform
mention-found-at = Gefunden auf
mention-author = Autor
mention-match = Treffer
mention-published = Veröffentlicht
mention-first-seen = Zuerst gesehen
mention-last-seen = Zuletzt gesehen
mention-revision = Fassung
mention-view-grant = Nutzungsrecht anzeigen
mention-note = Notiz
mention-note-hint = Erklären Sie Ihrem Team Ihre Entscheidung.
mention-save-note = Notiz speichern
mention-note-saved = Notiz gespeichert

## Entscheidungen.

mention-decision = Entscheidung
mention-is-them = Richtige Person
mention-is-not-them = Andere Person
mention-is-them-allowed = Richtige Person, erlaubt
mention-is-them-not-allowed = Richtige Person, nicht erlaubt
mention-not-decided = Nicht entschieden
mention-allow = Erlaubt
mention-disallow = Nicht erlaubt
mention-take-back-allowed = „Erlaubt“ zurücknehmen
mention-take-back-not-allowed = „Nicht erlaubt“ zurücknehmen
mention-clear-decision = Entscheidung zurücksetzen
mention-closes-case = Eine andere Entscheidung schließt den Fall, und der Link zu den Beweisen funktioniert nicht mehr.
mention-nobody-decided = Noch niemand hat entschieden.
mention-decided-not-them = Es ist eine andere Person.
mention-decided-them = Es ist die richtige Person.
mention-decided-allowed = Es ist die richtige Person, und die Nutzung ist erlaubt.
mention-decided-not-allowed = Es ist die richtige Person, und die Nutzung ist nicht erlaubt.
mention-decided-by = Entschieden von { $person } ({ $time }).
mention-done-allowed = Erlaubt: { $title }
mention-done-not-allowed = Nicht erlaubt: { $title }
mention-done-confirmed = Bestätigt: { $title }
mention-done-dismissed = Verworfen: { $title }
mention-done-not-decided = Nicht entschieden: { $title }
mention-history = Verlauf
mention-history-caption = Verlauf der Entscheidungen
mention-history-when = Wann
mention-history-who = Wer
mention-history-before = Vorher

## Beweise.

mention-evidence = Beweise
mention-found-picture = Das gefundene Bild
mention-picture-hidden = Das gefundene Bild sehen nur diejenigen, denen die Lizenz gehört oder die das Talent vertreten.
mention-caption-found = Fund
mention-reference-image = Das Referenzbild
mention-reference-gone = Das Referenzbild ist nicht mehr vorhanden.
mention-caption-reference = Referenz
mention-part-doubtful = Die Bilder stimmen nur in wenigen Details überein. Vielleicht haben sie nur ein Logo oder einen Text gemeinsam.
mention-text-not-kept = Der Text wurde nicht aufbewahrt.
mention-picture-over-plan = Das Bild wurde nicht aufbewahrt: Ihre Organisation hat den Speicher ihres Tarifs ausgeschöpft.
mention-picture-unavailable = Das Bild konnte nicht erneut gelesen werden.
mention-picture-not-kept = Es wurde keine Kopie des Bildes aufbewahrt.
mention-recorded = Erfasst
mention-address-read = Gelesene Adresse
mention-final-address = Endgültige Adresse
mention-http-status = Status
mention-header-content-type = Inhaltstyp
mention-header-date = Datum
mention-header-etag = ETag
mention-header-last-modified = Zuletzt geändert
mention-header-server = Server
mention-header-other = Header
mention-response-hash = SHA-256 der Antwort
mention-pushed-hash = SHA-256 des übermittelten Inhalts
mention-picture-hash = SHA-256 des Bildes
mention-earlier-revisions = Frühere Fassungen
mention-revision-at = Fassung { $revision }, { $time }
mention-download-has-all = Der Download enthält alle Fassungen.

## Die Gründe von Bewertungen. „none“ ist ein Nutzungsrecht, dessen Nummer nicht gezeigt wird.

mention-reason-granted = Veröffentlicht, während { $grant ->
    [none] ein Nutzungsrecht
   *[other] das Nutzungsrecht { $grant }
} galt
mention-reason-not-started = Lizenziert durch { $grant ->
    [none] ein Nutzungsrecht
   *[other] das Nutzungsrecht { $grant }
}, das erst nach der Veröffentlichung beginnt
mention-reason-ended = Früher lizenziert durch { $grant ->
    [none] ein Nutzungsrecht
   *[other] das Nutzungsrecht { $grant }
}, das vor der Veröffentlichung endete
mention-reason-revoked = Früher lizenziert durch { $grant ->
    [none] ein Nutzungsrecht
   *[other] das Nutzungsrecht { $grant }
}, das vor der Veröffentlichung widerrufen wurde
mention-reason-unconfirmed = Möglicherweise lizenziert durch { $grant ->
    [none] ein Nutzungsrecht
   *[other] das Nutzungsrecht { $grant }
}, aber das Veröffentlichungsdatum liegt mehr als 7 Tage vom ersten Fund entfernt
mention-reason-owned = Der Organisation der Plattform gehören die Lizenzen des Talents
mention-reason-publisher-owns = Dem Veröffentlicher gehören die Lizenzen des Talents
mention-reason-permitted = Die Organisation der Plattform hat eine aktive Berechtigung
mention-reason-publisher-permitted = Der Veröffentlicher hat eine aktive Berechtigung
mention-reason-not-permitted = Die Organisation der Plattform hat eine Berechtigung, die nicht aktiv ist
mention-reason-publisher-not-permitted = Der Veröffentlicher hat eine Berechtigung, die nicht aktiv ist
mention-reason-strong = Starker Treffer, und die Organisation der Plattform hat keine Berechtigung
mention-reason-publisher-strong = Starker Treffer, und der Veröffentlicher hat keine Berechtigung
mention-reason-weak = Schwacher Treffer, und die Organisation der Plattform hat keine Berechtigung
mention-reason-publisher-weak = Schwacher Treffer, und der Veröffentlicher hat keine Berechtigung
mention-reason-image-on-site = Ein Referenzbild erscheint auf einer Website, von deren Betreiber keine Lizenz bekannt ist
mention-reason-image-on-profile = Ein Referenzbild erscheint auf einem Profil, dessen Inhaber unbekannt ist. Dort werden Bilder geteilt. Bitte prüfen Sie, wer es veröffentlicht hat
mention-reason-similar-image = Ein Bild ähnelt einem Referenzbild, aber nicht genug, um sicher zu sein
mention-reason-named = Einen Namen zu nennen, ist für sich genommen keine Nutzung des Bildnisses. Bitte prüfen Sie, wofür der Name verwendet wird
mention-reason-weakly-named = Nur ein Teil eines Namens oder ein Name, den auch andere tragen. Bitte prüfen Sie, ob es um das Talent geht
