### Importe von Talenten und Lizenzen.

import-talents = Talente importieren
import-talents-lead = Fügen Sie viele Talente aus einer Tabelle hinzu.
import-licenses = Lizenzen importieren
import-licenses-lead = Fügen Sie viele Lizenzen aus einer Tabelle hinzu. Ihre Talente müssen bereits vorhanden sein.
import-sample = Beispieldatei herunterladen
import-file = Datei
import-file-hint = CSV oder XLSX, bis zu 5 MB und 10.000 Zeilen. Die erste Zeile enthält die Namen der Spalten.
import-check = Datei prüfen
import-checked = Datei geprüft
import-how = So funktioniert es
import-how-check = Wir prüfen die Datei und nennen Ihnen alle fehlerhaften Zeilen und Zellen. Dabei wird noch nichts importiert.
import-how-start = Sie entscheiden, was mit Zeilen geschieht, deren externe ID es bei Ihnen schon gibt, und starten den Import.
import-how-undo = Sie können den Import rückgängig machen: Was er erstellt hat, wird gelöscht, sofern es seitdem nicht geändert wurde.
import-columns = Spalten: { $columns }.

## Die geprüfte Datei.

import-not-yet = Geprüft, noch nicht importiert
import-all-right = { $count ->
    [one] Die Datei hat { $count } Zeile, die importiert werden kann.
   *[other] Alle { $count } Zeilen der Datei können importiert werden.
}
import-some-right = { $wrong ->
    [one] Importiert werden können { $count } von { $total } Zeilen. { $wrong } fehlerhafte Zeile wird übersprungen.
   *[other] Importiert werden können { $count } von { $total } Zeilen. { $wrong } fehlerhafte Zeilen werden übersprungen.
}
import-new = Neu
import-known = Mit bekannter externer ID
import-wrong-rows = Fehlerhafte Zeilen
import-columns-label = Spalten
import-ignored = Diese Spalten werden nicht importiert: { $columns }.
import-beyond-plan = { $count ->
    [one] Freie Plätze in Ihrem Tarif: { $room }. Die letzte Zeile kann nicht angelegt werden.
   *[other] Freie Plätze in Ihrem Tarif: { $room }. Die letzten { $count } Zeilen können nicht angelegt werden.
}
import-no-row = Keine Zeile kann importiert werden. Korrigieren Sie die Datei und laden Sie sie noch einmal hoch.
import-some-wrong = Korrigieren Sie die Datei und laden Sie sie noch einmal hoch, oder importieren Sie nur die fehlerfreien Zeilen.
import-rows = { $count ->
    [one] { $count } Zeile importieren
   *[other] { $count } Zeilen importieren
}
import-known-rows = Zeilen mit bekannter externer ID
import-skip = Vorhandene Einträge unverändert lassen
import-update = Vorhandene Einträge aktualisieren. Leere Zellen ändern nichts
import-row = Zeile { $number }
import-wrong-cells = Fehlerhafte Zellen
import-started = Import gestartet

## Die Spalten einer Datei. Dateien können in jeder Sprache die englischen und die deutschen Namen haben.

import-column-name = Name
import-column-external-id = Externe ID
import-column-also-known-as = Auch bekannt als
import-column-email = E-Mail
import-column-phone = Telefon
import-column-bio = Kurzbiografie
import-column-social-media = Social Media
import-column-status = Status
import-column-tags = Tags
import-column-talent = Talent
import-column-talent-external-id = Externe ID des Talents
import-column-type = Art
import-column-description = Beschreibung
import-column-uses = Erlaubte Nutzungen
import-column-countries = Länder
import-column-fee = Gebühr
import-column-currency = Währung
import-column-fee-per = Gebühr pro
import-column-monitoring = Überwachung
import-column-valid-from = Gültig ab
import-column-expires = Läuft ab
