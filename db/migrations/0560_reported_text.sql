-- The description as it was reported. The office may correct the description; the reported words stay.
ALTER TABLE incident_report ADD reported_text text NOT NULL DEFAULT '';
UPDATE incident_report SET reported_text = description WHERE state <> 'draft';
