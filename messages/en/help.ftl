### The help page.
help-title = Help
help-lead = Find an answer, or ask the people who run this server.
help-docs = Documentation
help-ask = Ask for help
help-your-question = Your question
help-your-question-hint = What you want to do, what you did, and what happened. Up to 2,000 characters.
help-sent = Sent. The answer comes by email and appears here.
help-requests = Requests for help
help-question = Question
help-answer = Answer
help-asked = Asked
help-none = No questions yet
help-none-why = Questions of your organization and their answers appear here.
