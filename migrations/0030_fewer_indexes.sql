-- Licenses are found by status, type and owner in their own index of bits. Each change of one paid for these
-- as well.
DROP INDEX license_readers_status;
DROP INDEX licenses_listed;
