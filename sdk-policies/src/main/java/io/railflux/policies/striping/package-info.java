/**
 * The striping policies of the papers: which rails and paths carry a message, and in which shares.
 *
 * <p>MR2: binding, round robin, weighted and window-based round robin, even and weighted striping. Messages below the
 * threshold, 16 KiB by default, and messages that pass the ring are never cut. MR6: weights follow measured stripe
 * times and are conserved; late samples are discarded; probing is a decorator. MR7: batch-based striping and sorting
 * over the best paths; (n, n) equals MR6.
 *
 * <p>MR9: the marker decides: streams send whole messages according to the adaptive weights; requests and replies are
 * cut. MR12: weights suit rails of different fabrics and speeds.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.striping;
