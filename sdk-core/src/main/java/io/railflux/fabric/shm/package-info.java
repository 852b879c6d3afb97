/**
 * Shared memory between processes of one user on one host.
 *
 * <p>Two processes connect by a Unix-domain socket. It identifies the other user, wakes a sleeping peer and reports
 * the death of its process. All other communication uses memory: one link file per connection (mailboxes and flags,
 * see {@code LinkLayout}) and one file per region ({@code RegionLayout}). The files are written in full when they are
 * created, have mode 0600, and are unlinked once both sides have mapped them. The requesting side executes one-sided
 * requests itself, as copies or atomic instructions.
 *
 * <p>Bytes of the peer are copied to locals before validation. A peer may be hostile in everything it writes. It is
 * trusted only not to truncate files, which requires the same user.
 *
 * <p>Depends on {@code fabric}, {@code fabric.base}, {@code wire}, {@code buffer}, {@code exceptions} and Netty;
 * never on the engine or another fabric.
 */
package io.railflux.fabric.shm;
