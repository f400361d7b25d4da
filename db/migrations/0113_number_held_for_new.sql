-- A new revision holds its number too, before anything is added to the chain: who completed one as it was made held the chain and asked for
-- the number, while who withdrew another held the number and asked for the chain.
CREATE FUNCTION document_holds_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM number_held(NEW.client_id, NEW.kind, NEW.number, NEW.per_client);
  RETURN NEW;
END $$;
CREATE TRIGGER document_holds_number BEFORE INSERT ON document FOR EACH ROW EXECUTE FUNCTION document_holds_number();
