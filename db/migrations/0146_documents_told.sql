-- Whoever of a company has a document open hears that it stands otherwise, by the line on which they hear of their notices:
-- "client what id", no word of what it says.
CREATE FUNCTION document_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('notice', NEW.client_id || ' document ' || NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER document_told AFTER UPDATE OF state, retired ON document FOR EACH ROW
  WHEN ((OLD.state, OLD.retired) IS DISTINCT FROM (NEW.state, NEW.retired)) EXECUTE FUNCTION document_told();
