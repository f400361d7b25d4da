-- A person's staff record is found by the person, and never by a name: one that was found by its name so far becomes theirs.
SET LOCAL ROLE stanchion_system;
UPDATE staff s SET user_id = NULL
WHERE user_id IS NOT NULL AND EXISTS (SELECT FROM staff o WHERE o.client_id = s.client_id AND o.user_id = s.user_id AND o.id < s.id);
UPDATE staff s SET user_id = u.id FROM user_account u
WHERE s.user_id IS NULL AND NOT s.tray AND u.client_id = s.client_id AND lower(u.username) = lower(s.username)
  AND NOT EXISTS (SELECT FROM staff o WHERE o.client_id = u.client_id AND o.user_id = u.id);
SET LOCAL ROLE NONE;
CREATE UNIQUE INDEX staff_user_id ON staff (client_id, user_id) WHERE user_id IS NOT NULL;
