-- A signature by link is never the account's, so the person can still sign in a row of their own.
DROP INDEX talk_attendee_own;
CREATE UNIQUE INDEX talk_attendee_own ON talk_attendee (client_id, presented_id, user_id)
  WHERE user_id IS NOT NULL AND method <> 'on behalf' AND NOT by_link AND signed_at IS NOT NULL;
