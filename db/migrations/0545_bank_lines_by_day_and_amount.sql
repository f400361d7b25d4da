-- An import compares its lines with earlier lines of the same day and amount.
CREATE INDEX bank_line_day_amount ON bank_line (client_id, day, amount);
