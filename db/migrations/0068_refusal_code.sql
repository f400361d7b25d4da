-- What a run could not do says so for programs too: the code that the same thing done by itself is refused with. Earlier refusals have none.
ALTER TABLE run_refusal ADD COLUMN code text;
