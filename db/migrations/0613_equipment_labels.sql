-- Secret of an item's label. The page behind it shows number, name, fitness and next check only, so labels can be printed again.
ALTER TABLE equipment_item ADD COLUMN label_secret text NOT NULL DEFAULT '';
