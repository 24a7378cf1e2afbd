//! Games, clocks, external engines, schedules, journal and reports.
