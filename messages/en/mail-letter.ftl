### The built-in letters to publishers who use a likeness without a license. The person who sends a
### letter can change its text.

# Asks to remove the content.
mail-letter-takedown-subject = Please remove { $talent } from your page
mail-letter-takedown-text =
    Hello,

    I am writing for { $organization }, which represents { $talent }.

    Your page uses the name, image or likeness of { $talent } without a license:

    { $title }
    { $url }

    What we found, and when, is recorded here:
    { $evidence_link }

    Please remove the content within seven days and confirm by replying to this email. If you have a license, or think that we are mistaken, please tell me.

    Kind regards,
    { $person }
    { $organization }

# Offers a license.
mail-letter-license-offer-subject = A license for your use of { $talent }
mail-letter-license-offer-text =
    Hello,

    I am writing for { $organization }, which represents { $talent }.

    Your page uses the name, image or likeness of { $talent }:

    { $title }
    { $url }

    What we found, and when, is recorded here:
    { $evidence_link }

    We could not find a license for this use. If you would like to keep the content, we are happy to offer you one. Please reply to this email and tell me how and how long you want to use it.

    Kind regards,
    { $person }
    { $organization }
