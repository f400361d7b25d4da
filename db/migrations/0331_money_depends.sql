-- What money depends on stays while it does; and what a payment service keeps for a dispute is in the books.
ALTER TABLE charge ADD dispute_fee bigint NOT NULL DEFAULT 0 CHECK (dispute_fee >= 0);

CREATE FUNCTION customer_money_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.currency IS DISTINCT FROM NEW.currency OR (NEW.retired AND NOT OLD.retired)) AND (
    EXISTS (SELECT FROM subscription s WHERE s.client_id = NEW.client_id AND s.customer_id = NEW.id AND s.status <> 'cancelled')
    OR EXISTS (SELECT FROM invoice i WHERE i.client_id = NEW.client_id AND i.customer_id = NEW.id AND i.state = 'open')
    OR EXISTS (SELECT FROM charge h WHERE h.client_id = NEW.client_id AND h.customer_id = NEW.id AND h.state = 'pending'))
  THEN
    RAISE EXCEPTION 'a customer with subscriptions, open invoices or payments under way stays, and keeps the currency' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER customer_money_stands BEFORE UPDATE OF currency, retired ON customer FOR EACH ROW EXECUTE FUNCTION customer_money_stands();

CREATE FUNCTION sold_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.retired AND NOT OLD.retired AND EXISTS (SELECT FROM subscription_item i JOIN subscription s ON s.client_id = i.client_id AND s.id = i.subscription_id
    WHERE i.client_id = NEW.client_id AND CASE TG_TABLE_NAME WHEN 'plan' THEN i.plan_id ELSE i.product_id END = NEW.id
      AND i.ends_on IS NULL AND s.status <> 'cancelled')
  THEN
    RAISE EXCEPTION 'what subscriptions are paid by is not retired' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER plan_stands BEFORE UPDATE OF retired ON plan FOR EACH ROW EXECUTE FUNCTION sold_stands();
CREATE TRIGGER product_stands BEFORE UPDATE OF retired ON product FOR EACH ROW EXECUTE FUNCTION sold_stands();
