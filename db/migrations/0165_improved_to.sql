-- Up to which revision of its template a copy has taken, or left, what was improved since. Beside what is sealed: it says nothing of the work.
ALTER TABLE document ADD COLUMN improved_to_id bigint;
