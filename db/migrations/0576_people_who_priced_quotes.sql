-- The people who entered the prices and discounts of a quote don't approve its discount.
ALTER TABLE quote ADD COLUMN priced_by text[] NOT NULL DEFAULT '{}';
