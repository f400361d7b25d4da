-- Courses that are retaken each year by a fixed day, instead of a number of months after the training.
ALTER TABLE training_course
  ADD COLUMN retake_month text CHECK (retake_month IN ('01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12')),
  ADD COLUMN retake_day int CHECK (retake_day BETWEEN 1 AND 31),
  ADD COLUMN retake_grace_days int NOT NULL DEFAULT 0 CHECK (retake_grace_days BETWEEN 0 AND 180),
  ADD CONSTRAINT training_course_one_validity CHECK (retake_month IS NULL OR validity_months IS NULL),
  ADD CONSTRAINT training_course_retake_day CHECK (retake_month IS NOT NULL OR (retake_day IS NULL AND retake_grace_days = 0));
