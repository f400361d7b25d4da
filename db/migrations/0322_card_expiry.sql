-- The last day on which a card can be charged: its holder is written to before.
ALTER TABLE card ADD expires_on date;
UPDATE card SET expires_on = (make_date(exp_year, exp_month, 1) + interval '1 month - 1 day')::date WHERE exp_month BETWEEN 1 AND 12 AND exp_year BETWEEN 2000 AND 9998;
CREATE INDEX card_expires ON card (client_id, expires_on) WHERE is_default AND NOT retired;
