-- A reminder is sent once for a record, the day that it was about, and how long before it. Another day is reminded of anew.
CREATE TABLE reminder (
  client_id int NOT NULL REFERENCES client (id), name text NOT NULL, row_id bigint NOT NULL, due date NOT NULL, days int NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT portal_now(),
  PRIMARY KEY (client_id, name, row_id, due, days));
SELECT tenant_table('reminder');

-- What has been sent so far. Of a review: a month, a week, and no days before; of a quote: by its client's own days.
INSERT INTO reminder (client_id, name, row_id, due, days)
  SELECT client_id, 'document.review', id, review_due, (ARRAY[30, 7, 0])[least(reminded, 3)]
  FROM document WHERE reminded > 0 AND review_due IS NOT NULL;
INSERT INTO reminder (client_id, name, row_id, due, days)
  SELECT q.client_id, 'quote.expiry', q.id, (q.expires_at AT TIME ZONE 'Europe/London')::date,
    CASE WHEN q.reminders_sent = 1 THEN coalesce(s.first_reminder, 7) ELSE coalesce(s.second_reminder, 1) END
  FROM quote q LEFT JOIN quote_settings s ON s.client_id = q.client_id
  WHERE q.reminders_sent > 0 AND q.expires_at IS NOT NULL AND q.status_id = 2;
ALTER TABLE document DROP COLUMN reminded;
ALTER TABLE quote DROP COLUMN reminders_sent;
