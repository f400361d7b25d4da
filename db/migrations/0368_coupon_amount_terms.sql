-- A coupon's amount off every payment is a term of the subscription: its share of the coupon's amount, not its part of the first payment.
-- Corrected where the signed quote states the coupon. The current period keeps the amount that it was charged with.
SET LOCAL ROLE stanchion_system;
WITH part AS (
  SELECT s.client_id, s.id, s.quote_id, q.coupon_terms AS terms, (q.coupon_terms ->> 'amountOff')::bigint AS off,
    coalesce(bool_or(c.covered), false) AS covered, coalesce(sum(round(l.quantity * l.unit_amount)) FILTER (WHERE c.covered), 0) AS amount
  FROM subscription s
  JOIN quote q ON q.client_id = s.client_id AND q.id = s.quote_id
  JOIN quote_line l ON l.client_id = s.client_id AND l.quote_id = s.quote_id AND l."interval" = s."interval" AND coalesce(l.interval_count, 1) = s.interval_count
  CROSS JOIN LATERAL (SELECT l.discountable AND (jsonb_array_length(coalesce(nullif(q.coupon_terms -> 'plans', 'null'), '[]')) = 0
    OR q.coupon_terms -> 'plans' ? ('/api/financial/plans/' || l.plan_id)) AS covered) c
  WHERE q.coupon_terms ->> 'duration' IN ('forever', 'periods')
  GROUP BY s.client_id, s.id, s.quote_id, q.coupon_terms
), weighted AS (
  SELECT *, CASE WHEN sum(amount) OVER of_quote > 0 THEN amount WHEN covered THEN 1 ELSE 0 END AS weight FROM part
  WINDOW of_quote AS (PARTITION BY client_id, quote_id)
), floored AS (
  SELECT *, coalesce(div(off * weight, nullif(sum(weight) OVER of_quote, 0)), 0) AS share,
    coalesce(mod(off * weight, nullif(sum(weight) OVER of_quote, 0)), 0) AS rest FROM weighted
  WINDOW of_quote AS (PARTITION BY client_id, quote_id)
), shared AS (
  SELECT *, share + CASE WHEN row_number() OVER (PARTITION BY client_id, quote_id ORDER BY rest DESC, weight DESC, id)
    <= off - sum(share) OVER (PARTITION BY client_id, quote_id) THEN 1 ELSE 0 END AS amount_off FROM floored
  WHERE covered
)
UPDATE subscription s SET
  coupon_terms = CASE WHEN x.off IS NULL THEN x.terms
    ELSE x.terms || jsonb_build_object('amountOff', x.amount_off) || CASE WHEN x.amount_off = coalesce((s.coupon_terms ->> 'amountOff')::bigint, 0) THEN '{}'
      ELSE jsonb_build_object('first', jsonb_build_object('before', CASE WHEN s.charged THEN s.renews_on ELSE s.renews_on + 1 END,
        'amountOff', coalesce((s.coupon_terms ->> 'amountOff')::bigint, 0))) END END,
  -- A share of nil was stored as no coupon at all: its periods are counted from the renewals.
  coupon_periods_left = CASE WHEN s.coupon_terms IS NOT NULL OR x.terms ->> 'duration' = 'forever' THEN s.coupon_periods_left
    ELSE greatest(0, coalesce((x.terms ->> 'durationPeriods')::int, 1) - (s.anchor = s.started_on)::int - (SELECT count(*)::int FROM subscription_change r
      WHERE r.client_id = s.client_id AND r.subscription_id = s.id AND r.kind = 'renewed')) END
FROM shared x
WHERE s.client_id = x.client_id AND s.id = x.id AND s.status <> 'cancelled'
  AND (x.off IS NULL AND s.coupon_terms IS NULL OR x.amount_off <> coalesce((s.coupon_terms ->> 'amountOff')::bigint, 0));
SET LOCAL ROLE NONE;
