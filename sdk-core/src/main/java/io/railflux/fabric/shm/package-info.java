/**
 * Shared memory between processes of one user on one host.
 *
 * <p>Two processes meet at a Unix-domain socket, whose kernel object tells who is at the other end,
 * rings a sleeping peer and reports its death. Everything else is memory: one link file a
 * connection (mailboxes and flags, see {@code LinkLayout}) and one file a region ({@code
 * RegionLayout}), all preallocated by writing, mode 0600, unlinked once both sides mapped them.
 * One-sided requests are carried out by their origin, as copies or atomic instructions.
 *
 * <p>What the peer wrote is copied to locals before it is validated. A peer may be hostile in all
 * it writes; it is trusted only not to truncate files, for which it must be of the same user.
 *
 * <p>Depends on {@code fabric}, {@code wire}, {@code buffer} and {@code exceptions}; never on the
 * engine nor on another fabric.
 */
package io.railflux.fabric.shm;
