-- Lines of an assessment that came with a copy say so until somebody has looked at them; why a high risk may be left; what a
-- line was before it was retired, and with which hazard it went.
ALTER TABLE risk_item
  ADD COLUMN unconfirmed boolean NOT NULL DEFAULT false,
  ADD COLUMN confirmed_by text NOT NULL DEFAULT '',
  ADD COLUMN confirmed_at timestamptz,
  ADD COLUMN residual_reason text NOT NULL DEFAULT '',
  ADD COLUMN implemented_before text,
  ADD COLUMN retired_with bigint;
ALTER TABLE hazard_control ADD COLUMN retired_with_hazard boolean NOT NULL DEFAULT false;

-- By whichever way a line is retired, it is no longer done; restored, it is what it was.
CREATE FUNCTION risk_item_retired() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.retired THEN
    NEW.implemented_before := OLD.implemented;
    NEW.implemented := 'no';
  ELSE
    NEW.implemented := coalesce(OLD.implemented_before, NEW.implemented);
    NEW.implemented_before := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER risk_item_retired BEFORE UPDATE ON risk_item FOR EACH ROW WHEN (NEW.retired <> OLD.retired) EXECUTE FUNCTION risk_item_retired();
