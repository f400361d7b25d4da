-- A template is signed by nobody; what becomes one lets go of whoever was asked for it.
CREATE FUNCTION template_unsigned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT d.is_template FROM document d WHERE d.client_id = NEW.client_id AND d.id = NEW.document_id) THEN
    RAISE EXCEPTION 'a template is signed by nobody' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER template_unsigned BEFORE INSERT ON signature FOR EACH ROW EXECUTE FUNCTION template_unsigned();

CREATE FUNCTION sign_off_of_template() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sign_off SET state = 'cancelled' WHERE client_id = NEW.client_id AND kind = NEW.kind AND number = NEW.number AND state = 'open';
  RETURN NULL;
END $$;
CREATE TRIGGER sign_off_of_template AFTER UPDATE OF current ON document FOR EACH ROW
  WHEN (NEW.current AND NEW.is_template AND NOT OLD.current) EXECUTE FUNCTION sign_off_of_template();
