-- An invoice is sent once a mail server has accepted its e-mail. Until now, the time at which the e-mail was queued was
-- stored as the time of sending. Invoices whose e-mail has no accepted message are not known to be sent.
ALTER TABLE invoice ADD mail_queued_at timestamptz;
UPDATE invoice i SET mail_queued_at = i.sent_at,
  sent_at = (SELECT max(m.sent_at) FROM message m
    WHERE m.client_id = i.client_id AND m.about = '/api/financial/invoices/' || i.id AND m.about <> '' AND m.template = 'invoice' AND m.sent_at IS NOT NULL)
WHERE i.sent_at IS NOT NULL;
