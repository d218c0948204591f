-- Run once in a new database, as its administrator. Set the password of memory_app afterwards:
--   ALTER ROLE memory_app PASSWORD '…';
CREATE ROLE holdfast_app NOLOGIN;
CREATE ROLE memory_app LOGIN IN ROLE holdfast_app;
CREATE EXTENSION IF NOT EXISTS vector;
