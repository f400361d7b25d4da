-- A member of staff is an account that works leads: their record follows it in the same transaction, by whatever door it is changed.
-- The username, or one like it: trays and those who were there before keep theirs.
CREATE FUNCTION staff_username(client int, wanted text, besides bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT name FROM (SELECT 1 AS n, wanted AS name UNION ALL SELECT n, wanted || '-' || n FROM generate_series(2, 1000) n) x
  WHERE NOT EXISTS (SELECT FROM staff s WHERE s.client_id = client AND lower(s.username) = lower(x.name) AND s.id IS DISTINCT FROM besides)
  ORDER BY n LIMIT 1
$$;

CREATE FUNCTION staff_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  works boolean := 'ROLE_STAFF' = ANY (NEW.roles) AND NOT NEW.is_retired;
  worked boolean := TG_OP = 'UPDATE' AND 'ROLE_STAFF' = ANY (OLD.roles) AND NOT OLD.is_retired;
  theirs bigint;
BEGIN
  SELECT id INTO theirs FROM staff WHERE client_id = NEW.client_id AND user_id = NEW.id;
  IF theirs IS NOT NULL THEN
    UPDATE staff SET name = NEW.name,
        username = CASE WHEN TG_OP = 'UPDATE' AND NEW.username <> OLD.username THEN staff_username(NEW.client_id, NEW.username, theirs) ELSE username END,
        retired = CASE WHEN works <> worked OR NEW.is_retired THEN NOT works ELSE retired END
      WHERE client_id = NEW.client_id AND id = theirs;
  ELSIF works THEN
    INSERT INTO staff (client_id, username, name, user_id)
      VALUES (NEW.client_id, staff_username(NEW.client_id, NEW.username, NULL), NEW.name, NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER staff_follow_new AFTER INSERT ON user_account FOR EACH ROW EXECUTE FUNCTION staff_follow();
CREATE TRIGGER staff_follow AFTER UPDATE OF username, name, roles, is_retired ON user_account FOR EACH ROW
  WHEN ((OLD.username, OLD.name, OLD.roles, OLD.is_retired) IS DISTINCT FROM (NEW.username, NEW.name, NEW.roles, NEW.is_retired))
  EXECUTE FUNCTION staff_follow();

-- Those who are there already: names as they are now, whoever has left retired, and whoever has not acted yet joined.
UPDATE staff s SET name = u.name, retired = s.retired OR u.is_retired FROM user_account u
  WHERE u.client_id = s.client_id AND u.id = s.user_id AND (s.name <> u.name OR (u.is_retired AND NOT s.retired));
DO $$
DECLARE u record;
BEGIN
  FOR u IN SELECT a.client_id, a.id, a.username, a.name FROM user_account a
    WHERE 'ROLE_STAFF' = ANY (a.roles) AND NOT a.is_retired
      AND NOT EXISTS (SELECT FROM staff s WHERE s.client_id = a.client_id AND s.user_id = a.id) ORDER BY a.id
  LOOP
    INSERT INTO staff (client_id, username, name, user_id)
      VALUES (u.client_id, staff_username(u.client_id, u.username, NULL), u.name, u.id);
  END LOOP;
  FOR u IN SELECT s.client_id, s.id, a.username FROM staff s JOIN user_account a ON a.client_id = s.client_id AND a.id = s.user_id
    WHERE lower(s.username) <> lower(a.username) AND s.username !~ ('^' || regexp_replace(a.username, '([.@_-])', '\\\1', 'g') || '-\d+$')
  LOOP
    UPDATE staff SET username = staff_username(u.client_id, u.username, u.id) WHERE client_id = u.client_id AND id = u.id;
  END LOOP;
END $$;
