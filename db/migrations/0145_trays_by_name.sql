-- Trays are chosen and shown among people: they say what they are. One that somebody has renamed keeps its name.
SET LOCAL ROLE stanchion_system;
UPDATE staff SET name = 'Tray: ' || name
WHERE tray AND (username, name) IN (('after5', 'After 5'), ('dead', 'Dead'), ('duplicates', 'Duplicates'), ('baddetails', 'Bad details'));
SET LOCAL ROLE NONE;
