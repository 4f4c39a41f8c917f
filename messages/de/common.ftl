### Texte, die jede Seite verwenden kann.

language-name = Deutsch
# Das Trennzeichen für Tausender.
number-thousands = .

list-empty = Nichts gefunden.
list-count = { $count ->
    [one] { $count } Ergebnis
   *[other] { $count } Ergebnisse
}
example-rich = { $name } hat { $link } Lizenzen.

action-save = Speichern
action-cancel = Abbrechen
action-delete = Löschen
action-edit = Bearbeiten
action-add = Hinzufügen
action-remove = Entfernen
action-send = Senden
action-search = Suchen
action-close = Schließen
action-back = Zurück
action-next = Weiter
action-previous = Zurück
action-continue = Weiter
action-copy = Kopieren
action-download = Herunterladen
action-undo = Rückgängig machen
action-view = Ansehen
action-export = Exportieren
action-import = Importieren
action-retry = Erneut versuchen
word-yes = Ja
word-no = Nein
word-none = Keine
word-all = Alle
word-name = Name
word-status = Status
word-email = E-Mail
word-date = Datum
word-type = Art
word-description = Beschreibung
word-created = Erstellt
word-updated = Geändert
