-- The answer of a first report to “How bad was it?”. It is no assessment of the severity.
ALTER TABLE incident_report ADD reported_harm text CHECK (reported_harm IN ('none', 'minor', 'serious', 'major', 'fatal'));
