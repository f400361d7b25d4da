-- Why a subscription was cancelled. Nobody was asked before, so cancellations until now have no recorded reason.
ALTER TABLE subscription
  ADD cancel_reason text CHECK (cancel_reason IN ('tooExpensive', 'notUsed', 'competitor', 'closed', 'service', 'merged', 'other', 'unpaid', 'notRecorded')),
  ADD cancel_notes text NOT NULL DEFAULT '';
ALTER TABLE subscription_change
  ADD reason text CHECK (reason IN ('tooExpensive', 'notUsed', 'competitor', 'closed', 'service', 'merged', 'other', 'unpaid', 'notRecorded')),
  ADD notes text NOT NULL DEFAULT '';

ALTER TABLE subscription DISABLE TRIGGER subscription_over;
SET LOCAL ROLE stanchion_system;
UPDATE subscription SET cancel_reason = 'notRecorded' WHERE status = 'cancelled' OR cancel_at_period_end;
SET LOCAL ROLE NONE;
ALTER TABLE subscription ENABLE TRIGGER subscription_over;

ALTER TABLE subscription
  ADD CHECK ((cancel_reason IS NOT NULL) = (status = 'cancelled' OR cancel_at_period_end)),
  ADD CHECK (cancel_notes <> '' OR cancel_reason IS DISTINCT FROM 'other');
CREATE INDEX subscription_ended ON subscription (client_id, ended_on) WHERE ended_on IS NOT NULL;
