### Die Hilfeseite.
help-title = Hilfe
help-lead = Finden Sie eine Antwort oder fragen Sie das Betreiberteam dieses Servers.
help-docs = Dokumentation
help-ask = Hilfe anfragen
help-your-question = Ihre Frage
help-your-question-hint = Was Sie tun möchten, was Sie getan haben und was passiert ist. Bis zu 2.000 Zeichen.
help-sent = Gesendet. Die Antwort kommt per E-Mail und erscheint hier.
help-requests = Hilfeanfragen
help-question = Frage
help-answer = Antwort
help-asked = Gestellt
help-none = Noch keine Fragen
help-none-why = Hier erscheinen die Fragen Ihrer Organisation und die Antworten darauf.
