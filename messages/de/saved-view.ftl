### Gespeicherte Ansichten von Listen.

saved-view-list = Gespeicherte Ansichten
saved-view-list-lead = Filter von Listen, die Sie unter einem Namen gespeichert haben. Nur Sie können sie sehen.
saved-view-list-none = Noch keine gespeicherten Ansichten
saved-view-list-none-why = Filtern Sie eine Liste und wählen Sie darüber „Ansicht speichern“.
saved-view-view-licenses = Lizenzen ansehen
saved-view-of-list = Liste
saved-view-opens-first = Wird zuerst geöffnet
saved-view-saved-at = Gespeichert
saved-view-licenses = Lizenzen
saved-view-catalog = Katalog
saved-view-talents = Talente
saved-view-mentions = Erwähnungen
saved-view-cases = Fälle
saved-view-requests = Anfragen
saved-view-grants = Nutzungsrechte
saved-view-sources = Quellen
saved-view-logs = Protokolle
saved-view-view = Ansicht
saved-view-save = Ansicht speichern
saved-view-edit = Ansicht bearbeiten
saved-view-edit-lead = Um die Filter zu ändern, öffnen Sie die Ansicht, ändern Sie die Filter und speichern Sie eine neue Ansicht.
saved-view-save-changes = Änderungen speichern
saved-view-default = Liste mit dieser Ansicht öffnen
saved-view-saved = Ansicht gespeichert
saved-view-updated = Ansicht geändert
saved-view-deleted = Ansicht gelöscht
