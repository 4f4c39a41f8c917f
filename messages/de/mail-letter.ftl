### Die mitgelieferten Schreiben an Herausgeber, die ein Bildnis ohne Lizenz nutzen. Wer ein Schreiben
### sendet, kann den Text ändern.

# Bittet um die Entfernung des Inhalts.
mail-letter-takedown-subject = Bitte entfernen Sie { $talent } von Ihrer Seite
mail-letter-takedown-text =
    Guten Tag,

    ich schreibe Ihnen für { $organization }. Wir vertreten { $talent }.

    Ihre Seite nutzt den Namen, das Bild oder das Bildnis von { $talent } ohne Lizenz:

    { $title }
    { $url }

    Was wir wann gefunden haben, ist hier dokumentiert:
    { $evidence_link }

    Bitte entfernen Sie den Inhalt innerhalb von sieben Tagen und bestätigen Sie dies mit einer Antwort auf diese E-Mail. Falls Sie eine Lizenz haben oder der Meinung sind, dass wir uns irren, teilen Sie es mir bitte mit.

    Mit freundlichen Grüßen
    { $person }
    { $organization }

# Bietet eine Lizenz an.
mail-letter-license-offer-subject = Eine Lizenz für Ihre Nutzung von { $talent }
mail-letter-license-offer-text =
    Guten Tag,

    ich schreibe Ihnen für { $organization }. Wir vertreten { $talent }.

    Ihre Seite nutzt den Namen, das Bild oder das Bildnis von { $talent }:

    { $title }
    { $url }

    Was wir wann gefunden haben, ist hier dokumentiert:
    { $evidence_link }

    Wir konnten für diese Nutzung keine Lizenz finden. Falls Sie den Inhalt behalten möchten, bieten wir Ihnen gerne eine Lizenz an. Bitte antworten Sie auf diese E-Mail und teilen Sie mir mit, wie und wie lange Sie den Inhalt nutzen möchten.

    Mit freundlichen Grüßen
    { $person }
    { $organization }
