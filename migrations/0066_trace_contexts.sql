-- The trace that an event or a chore belongs to, as the header `traceparent` of the request that caused
-- it says. Without such a trace it is null.
ALTER TABLE events ADD COLUMN trace_context TEXT;
ALTER TABLE chores ADD COLUMN trace_context TEXT;
