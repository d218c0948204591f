-- Which programs can still read a store after each migration.
--
-- A program that is older than the schema opens the store if no newer migration demands more than
-- the number that the program knows. It never writes. Migrations up to this one were not made with
-- this in mind, so they demand themselves.

ALTER TABLE schema_version ADD COLUMN readable_from integer;
UPDATE schema_version SET readable_from = number;
ALTER TABLE schema_version ALTER COLUMN readable_from SET NOT NULL;

INSERT INTO schema_version (number, readable_from) VALUES (22, 22);
