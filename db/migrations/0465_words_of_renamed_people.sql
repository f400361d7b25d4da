-- The documents of a renamed person are entered in the search anew in the background, a batch at a time: a person can have
-- thousands. An event tells the portal, however the name was changed.
DROP TRIGGER document_people_renamed ON user_account;
DROP FUNCTION document_people_renamed();
CREATE FUNCTION document_people_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (client_id, kind, version, payload)
    SELECT NEW.client_id, 'document.people-renamed', 1, jsonb_build_object('usernames', jsonb_build_array(OLD.username, NEW.username), 'after', 0)
    WHERE EXISTS (SELECT FROM document d WHERE d.client_id = NEW.client_id AND (d.author IN (OLD.username, NEW.username) OR d.approved_by IN (OLD.username, NEW.username)));
  RETURN NULL;
END $$;
CREATE TRIGGER document_people_renamed AFTER UPDATE OF name, username ON user_account FOR EACH ROW
  WHEN ((OLD.name, OLD.username) IS DISTINCT FROM (NEW.name, NEW.username) AND NEW.client_id <> 0) EXECUTE FUNCTION document_people_renamed();

-- Enters the words of the next documents of these people, behind the given one, and returns the last of them; null after the
-- last batch. A document that is being saved is waited for, so that its new words stay.
CREATE FUNCTION enter_words_of_people(of_client int, usernames text[], behind bigint, size int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ids bigint[];
BEGIN
  SELECT array_agg(l.id ORDER BY l.id) INTO ids FROM (
    SELECT d.id FROM document d WHERE d.client_id = of_client AND d.id > behind AND (d.author = ANY (usernames) OR d.approved_by = ANY (usernames))
    ORDER BY d.id LIMIT size FOR NO KEY UPDATE) l;
  PERFORM enter_document_words(of_client, ids);
  RETURN CASE WHEN cardinality(ids) = size THEN ids[size] END;
END $$;
