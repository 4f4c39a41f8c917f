-- Texts of mails that staff wrote in place of those that are built in.
CREATE TABLE mail_templates (
  template_id UUID PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX mail_templates_kind ON mail_templates (kind);
