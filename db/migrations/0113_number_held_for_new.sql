-- Of a kind that is in force once in a client, a new revision holds the kind too, before anything is added to the chain: who completed one as it
-- was made held the chain and asked for the kind, while who withdrew another held the kind and asked for the chain. Of other kinds a new
-- number is nobody else's yet, and who follows a revision has locked that one.
CREATE FUNCTION document_holds_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM number_held(NEW.client_id, NEW.kind, NEW.number, NEW.per_client);
  RETURN NEW;
END $$;
CREATE TRIGGER document_holds_number BEFORE INSERT ON document FOR EACH ROW WHEN (NEW.per_client) EXECUTE FUNCTION document_holds_number();
