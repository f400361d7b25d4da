-- Changes from the next period: an item that ends with the period is still in use until then, and goes on if the change is withdrawn.
CREATE OR REPLACE FUNCTION sold_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.retired AND NOT OLD.retired AND EXISTS (SELECT FROM subscription_item i JOIN subscription s ON s.client_id = i.client_id AND s.id = i.subscription_id
    WHERE i.client_id = NEW.client_id AND CASE TG_TABLE_NAME WHEN 'plan' THEN i.plan_id ELSE i.product_id END = NEW.id
      AND (i.ends_on IS NULL OR i.ends_on >= s.renews_on) AND s.status <> 'cancelled')
  THEN
    RAISE EXCEPTION 'what subscriptions are paid by is not retired' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
