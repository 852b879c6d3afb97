/**
 * Which rails and paths carry a message, and in what shares.
 *
 * <p>MR2: binding, round robin, weighted round robin, window-based round robin, even and weighted
 * striping; below the threshold, 16 KiB unless configured, a message is never split. MR6: adaptive
 * weights after measured stripe times, the total conserved, samples whose completion was seen late
 * discarded; probing is a separate decorator. MR7: batch-based striping and sorting over the best
 * of many paths; (n, n) equals MR6. MR8: the number of paths is chosen, not assumed.
 *
 * <p>MR9: the marker decides: streaming goes by whole messages, weighed by the adaptive weights
 * where rails differ; request and reply and group exchange are striped. MR10: one-sided operations
 * are fragmented above a threshold and take turns below it. MR11: puts and gets of an epoch are
 * interleaved. MR12: weights suit rails of different fabrics and speeds.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.striping;
