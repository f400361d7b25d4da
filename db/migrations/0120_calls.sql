-- A call is a note that an outcome has written, but for leads that were only skipped: `outcomes.ts` names the results, and a test holds
-- both to it.
ALTER TABLE note ADD COLUMN call boolean NOT NULL
  GENERATED ALWAYS AS (coalesce(last_result_id IN (3, 4, 5, 11, 13, 18, 30, 31, 32, 43, 46, 47, 48, 54), false)) STORED;
CREATE INDEX note_call ON note (client_id, timestamp, id) INCLUDE (user_id, last_result_id, minutes) WHERE call AND NOT retired;

-- How many calls somebody means to make in a day.
ALTER TABLE staff ADD COLUMN calls_per_day int NOT NULL DEFAULT 40;
