-- A record that refuses is told by its id, which is longer than the number of a line.
ALTER TABLE run_refusal ALTER line TYPE bigint;
