-- What an outcome of a call does is data: the results that calls are said to end with have their effect, interval, owner and note here.
-- A row without an effect is a result that the portal itself writes, or that an outcome leaves a lead with.
ALTER TABLE last_result
  ADD effect text NOT NULL DEFAULT 'none', ADD interval_count int, ADD interval_unit text NOT NULL DEFAULT 'days',
  ADD working_days boolean NOT NULL DEFAULT true, ADD becomes_id int REFERENCES last_result (id),
  ADD owner_rule text NOT NULL DEFAULT 'keep', ADD tray text, ADD notes text NOT NULL DEFAULT '', ADD key int,
  ADD asks boolean NOT NULL DEFAULT false, ADD meaning text NOT NULL DEFAULT 'later', ADD is_call boolean NOT NULL DEFAULT false,
  ADD version int NOT NULL DEFAULT 1;
UPDATE last_result r SET effect = v.effect, interval_count = v.interval_count, interval_unit = v.interval_unit, becomes_id = (SELECT id FROM last_result b WHERE b.id = v.becomes_id),
  owner_rule = v.owner_rule, tray = v.tray, notes = v.notes, key = v.key, asks = v.asks, meaning = v.meaning, is_call = v.is_call
FROM (VALUES
  (3, 'rest', 9, 'months', NULL, 'keep', NULL, '(FCR) Not at this time. Callback by {date}', 6, false, 'later', true),
  (4, 'bar', NULL, 'days', NULL, 'tray', 'dead', 'Dead do not call', 10, false, 'away', true),
  (5, 'callback', 7, 'days', NULL, 'keep', NULL, 'Pitched for pack. Callback on {date}', 3, true, 'forward', true),
  (6, 'none', NULL, 'days', NULL, 'keep', NULL, '', NULL, false, 'forward', true),
  (11, 'keep', NULL, 'days', NULL, 'tray', 'duplicates', 'Duplicate - Mark Delete', 12, false, 'away', true),
  (13, 'callback', 7, 'days', NULL, 'keep', NULL, 'Pitched for pack. Callback on {date}', 15, true, 'forward', true),
  (18, 'clear', NULL, 'days', 19, 'tray', 'after5', 'Call after 5', 8, false, 'later', true),
  (30, 'callback', 7, 'days', NULL, 'keep', NULL, 'Demo planned for {date}', 4, true, 'forward', true),
  (31, 'callback', 7, 'days', NULL, 'keep', NULL, 'Callback on {date}', 2, true, 'forward', true),
  (32, 'callback', 7, 'days', NULL, 'keep', NULL, 'Callback planned for {date}', 13, true, 'forward', true),
  (43, 'rest', 9, 'months', 3, 'keep', NULL, '(FCR) Not interested. Callback by {date}', 7, false, 'away', true),
  (46, 'callback', 7, 'days', NULL, 'keep', NULL, 'Clip move. Callback on {date}', 14, true, 'forward', true),
  (47, 'rest', 7, 'days', 3, 'keep', NULL, 'No answer. Callback by {date}', 1, false, 'later', true),
  (48, 'keep', NULL, 'days', NULL, 'tray', 'baddetails', 'Bad Details', 11, false, 'away', true),
  (49, 'skip', NULL, 'days', NULL, 'keep', NULL, 'Skipped this lead.', 9, false, 'later', false),
  (54, 'callback', 7, 'days', NULL, 'keep', NULL, 'Walk through completed. Callback on {date}', 5, true, 'forward', true)
) v(id, effect, interval_count, interval_unit, becomes_id, owner_rule, tray, notes, key, asks, meaning, is_call) WHERE r.id = v.id;
UPDATE last_result SET text = 'Follow-up call' WHERE id = 32 AND text = 'Plan a callback';

-- A note is of a call where its result is one as it is written: what outcomes are changed to later makes no call of it, nor takes one away.
ALTER TABLE note ALTER COLUMN call DROP EXPRESSION;
ALTER TABLE note ALTER COLUMN call SET DEFAULT false;
CREATE FUNCTION note_of_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.call := coalesce((SELECT is_call FROM last_result WHERE id = NEW.last_result_id), false);
  RETURN NEW;
END $$;
CREATE TRIGGER note_called BEFORE INSERT ON note FOR EACH ROW EXECUTE FUNCTION note_of_call();
CREATE TRIGGER note_called_anew BEFORE UPDATE OF last_result_id, call ON note FOR EACH ROW
  WHEN (OLD.last_result_id IS DISTINCT FROM NEW.last_result_id OR OLD.call IS DISTINCT FROM NEW.call) EXECUTE FUNCTION note_of_call();
