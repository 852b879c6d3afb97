package io.railflux.engine;

/** Who a stream is; grouped because a constructor of eight parameters is read by nobody. */
record StreamIdentity(long id, String name, boolean reply, boolean single, long firstSeq) {}
