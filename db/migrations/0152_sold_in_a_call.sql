-- A call may end with a quote that is sent in it (result 6), without another outcome: `outcomes.ts` says which results are calls, and a
-- test holds both to it.
ALTER TABLE note DROP COLUMN call;
ALTER TABLE note ADD COLUMN call boolean NOT NULL
  GENERATED ALWAYS AS (coalesce(last_result_id IN (3, 4, 5, 6, 11, 13, 18, 30, 31, 32, 43, 46, 47, 48, 54), false)) STORED;
CREATE INDEX note_call ON note (client_id, timestamp, id) INCLUDE (user_id, last_result_id, minutes) WHERE call AND NOT retired;
