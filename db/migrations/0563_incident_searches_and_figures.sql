-- New incidents enter the search index at once. A list of pending ones was read by every search, which took fifty times longer.
ALTER INDEX incident_report_search SET (fastupdate = off);
SELECT gin_clean_pending_list('incident_report_search');

-- Figures by body part also count the different people of a group.
DROP INDEX incident_person_injured;
CREATE INDEX incident_person_injured ON incident_person (client_id, report_id)
  INCLUDE (main_factor_id, body_part_id, name) WHERE record_type = 'IP' AND NOT retired;
