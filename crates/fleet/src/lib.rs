//! Matches on many machines: the arena's dispatcher over NATS JetStream.
