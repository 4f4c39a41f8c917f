### Fälle, ihre Schreiben und die geteilten Beweise.

## Die Liste.

case-list-title = Fälle
case-list-lead = Was Sie gegen nicht erlaubte Erwähnungen unternehmen.
case-confirmed-mentions = Bestätigte Erwähnungen
case-tabs = Fälle nach Status
case-status = Status
case-status-waiting = Ausstehend
case-status-open = Offen
case-status-sent = Schreiben gesendet
case-status-answered = Beantwortet
case-status-disputed = Bestritten
case-status-removed = Entfernt
case-status-closed = Geschlossen
case-status-all = Alle
case-mention = Erwähnung
case-talent = Talent
case-assignee = Zuständig
case-last-look = Letzte Kontrolle
case-changed = Geändert
case-sort-newest = Zuletzt geänderte zuerst
case-sort-oldest = Zuletzt geänderte am Ende
case-search = Talent, Titel oder Website suchen
case-anybody = Alle
case-opened-from = Eröffnet ab
case-opened-to = Eröffnet bis
case-never = nie
case-none-found = Keine Fälle gefunden
case-none-match = Keine Fälle entsprechen Ihren Filtern.
case-none-of-status = Kein Fall hat diesen Status.
case-none-waiting = Nichts steht aus
case-none-waiting-why = Eröffnen Sie zu einer bestätigten Erwähnung einen Fall, um Schreiben zu senden und zu sehen, wann sie entfernt wird.
case-lesson-confirm = Bestätigen Sie eine nicht erlaubte Erwähnung und eröffnen Sie den Fall dazu.
case-lesson-letter = Senden Sie ein Schreiben aus Ihren Vorlagen, mit einem Link zu den Beweisen.
case-lesson-look = Die Seite wird täglich kontrolliert, und Sie erfahren, wenn die Erwähnung verschwunden ist.
case-view-confirmed = Bestätigte Erwähnungen anzeigen

## Der Fall auf der Seite seiner Erwähnung.

case-title = Fall
case-mark-not-allowed = Als nicht erlaubt markieren
case-open-why = Eröffnen Sie einen Fall, um Schreiben zu dieser Nutzung zu senden und zu sehen, wann sie entfernt wird.
case-open = Fall eröffnen
case-somebody-works = { $person } kümmert sich darum.
case-nobody-works = Niemand kümmert sich darum.
case-looked-at = Letzte Kontrolle der Seite: { $time }.
case-view = Fall ansehen
case-licensed-by-now = Die Nutzung ist inzwischen lizenziert: { $reason }. Prüfen Sie das, bevor Sie ein Schreiben senden.

## Die Seite eines Falls.

case-view-mention = Erwähnung anzeigen
case-all = Alle Fälle
case-new-status = Neuer Status
case-details = Details
case-page = Seite
case-nobody = Niemand
case-opened-fact = Eröffnet
case-opened-by = { $person }, { $time }
case-evidence-link = Link zu den Beweisen
case-evidence-link-hint = Alle mit diesem Link können die Beweise sehen, bis der Fall geschlossen wird.
case-link-ended = Dieser Link funktioniert nicht mehr
case-link-ended-why = Der Fall wurde geschlossen. Der Link zu den Beweisen funktioniert daher nicht mehr.
case-evidence-link-ended = Der Link ist seit dem Schließen des Falls ungültig.
case-letters = Schreiben
case-no-letters = Es wurde noch kein Schreiben gesendet.
case-letter-to = an { $address }, { $time }
case-letter-by = Gesendet von { $person }
case-write-takedown = Löschaufforderung schreiben
case-write-license-offer = Lizenzangebot schreiben
case-comments = Kommentare
case-no-comments = Noch keine Kommentare.
case-comment = Kommentar
case-add-comment = Kommentar hinzufügen
case-save-changes = Änderungen speichern
case-changed-meanwhile = Jemand anderes hat diesen Fall geändert, während Sie ihn geöffnet hatten. Das Formular zeigt, was Sie gewählt haben, und sonst den aktuellen Stand. Speichern Sie erneut, um Ihre Auswahl zu übernehmen. Inzwischen geändert:
case-now-status = Status: { $status }
case-now-assignee = Zuständig: { $person }
case-now-comment = Letzter Kommentar: { $person }
case-now-letter = Letztes Schreiben: { $subject }
case-looks = Kontrollen
case-looks-lead = Wir kontrollieren die Seite täglich. Sie gilt als entfernt, wenn sie verschwunden ist oder wenn zwei Kontrollen im Abstand von einem Tag das Talent nicht finden.
case-found = Ergebnis
case-gone-since = Nicht gefunden seit
case-next-look = Nächste Kontrolle
case-not-yet = Noch nicht
case-no-look = Keine
case-look-match = Das Talent ist noch da.
case-look-no-match = Das Talent wurde nicht gefunden.
case-look-gone = Die Seite existiert nicht mehr.
case-look-failed = Die Seite konnte nicht gelesen werden. Das sagt nichts aus.
case-note-removed = Das Talent ist nicht mehr auf der Seite: Zwei Kontrollen im Abstand von einem Tag haben es nicht gefunden.
case-note-back = Das Talent ist wieder auf der Seite. Der Fall wurde daher wieder geöffnet.
case-note-closed = Die Entscheidung über die Erwähnung wurde geändert. Der Fall wurde daher geschlossen.
case-note-reopened = Die Entscheidung über die Erwähnung wurde rückgängig gemacht. Der Fall wurde daher wieder geöffnet.
case-note-marked-removed = Hat die Erwähnung als entfernt markiert.
case-note-marked-not-removed = Hat die Erwähnung als nicht entfernt markiert.
case-opened = Fall eröffnet
case-updated = Fall aktualisiert
case-comment-added = Kommentar hinzugefügt

## Schreiben.

case-write-letter = Schreiben verfassen
case-back = Zurück zum Fall
case-letter = Schreiben
case-letter-recipient = An
case-letter-recipient-hint = Die Adresse des Veröffentlichers. Antworten gehen an Ihre eigene E-Mail-Adresse.
case-subject = Betreff
case-text = Text
case-letter-text-hint = Reiner Text. Der Link führt zu den Beweisen, die ohne Konto gelesen werden können.
case-send-letter = Schreiben senden
case-letter-question = Dieses Schreiben an { $address } senden?
case-letter-final = Es geht sofort per E-Mail an { $address } und kann nicht zurückgenommen werden.
case-letter-sent = Schreiben gesendet
case-letter-takedown = Löschaufforderung
case-letter-license-offer = Lizenzangebot

## Vorlagen für Schreiben.

case-templates-title = Vorlagen für Schreiben
case-templates-lead = Aus diesen Texten entstehen die Entwürfe für Schreiben zu Erwähnungen.
case-back-to-organization = Zurück zur Organisation
case-template-built-in = Standard
case-template-own = Von Ihrer Organisation geändert
case-template-updated = Vorlage aktualisiert
case-template-restored = Standardtext wiederhergestellt
case-template-lead = Der Text, aus dem Schreiben entworfen werden.
case-template-text-hint = Reiner Text. Alle können den Entwurf vor dem Senden ändern.
case-all-templates = Alle Vorlagen
case-placeholders = Platzhalter
case-placeholder-required = erforderlich
case-placeholder-talent = Der Name des Talents
case-placeholder-url = Die Adresse der Seite
case-placeholder-title = Der Titel der Seite
case-placeholder-organization = Der Name Ihrer Organisation
case-placeholder-evidence-link = Der Link zu den Beweisen
case-placeholder-person = Der Name der absendenden Person
case-built-in-text = Standardtext
case-restore-text = Standardtext wiederherstellen
case-restore-question = Ihr Text wird endgültig gelöscht.

## Die Beweise, die ein Link teilt.

case-talent-on = { $talent } auf { $place }
case-recorded-for = Erfasst für { $organization }.
case-what-was-found = Was gefunden wurde
case-page-title = Titel
case-first-seen = Zuerst gesehen
case-last-seen = Zuletzt gesehen
case-pictures = Bilder
case-found-picture = Gefundenes Bild
case-reference-image = Referenzbild
case-how-recorded = Wie es erfasst wurde
case-recorded = Erfasst
case-address-read = Gelesene Adresse
case-final-address = Endgültige Adresse
case-http-status = Status
case-picture-hash = SHA-256 des Bildes
case-record-hash = SHA-256 dieser Erfassung
case-earlier-records = Frühere Erfassungen
case-older-records = Es gibt ältere Erfassungen.
