/**
 * How a message too large for the ring is transferred.
 *
 * <p>RV1: by write. RV2: by read, its FIN after the read's completion or fenced where the fabric
 * can. RV3: by read with an interrupt. RV4: a bucket of outstanding-read tokens; waiting reads go
 * first when tokens return. RV5: one wake-up drains all, notifications are armed only while
 * receives are pending.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.rendezvous;
