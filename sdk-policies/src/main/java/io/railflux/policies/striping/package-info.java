/**
 * Which rails and paths carry a message, and in what shares.
 *
 * <p>MR2: binding, round robin, weighted round robin, window-based round robin, even and weighted
 * striping; below the threshold, 16 KiB unless configured, a message is never split. Messages that go through a
 * ring, by default those up to 64 KiB, are whole in any case. MR6: adaptive
 * weights after measured stripe times, the total conserved, samples whose completion was seen late
 * discarded; probing is a separate decorator. MR7: batch-based striping and sorting over the best
 * of many paths; (n, n) equals MR6.
 *
 * <p>MR9: the marker decides: streaming goes by whole messages, weighed by the adaptive weights
 * where rails differ; request and reply are striped. MR12: weights suit rails of different fabrics and speeds.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.striping;
