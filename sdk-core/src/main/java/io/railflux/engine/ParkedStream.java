package io.railflux.engine;

import java.util.Map;

/**
 * A stream the peer announced and nobody here subscribed to yet, perhaps because the one before still drains:
 * half-closed at this side, as it has no {@link InboundStream} yet.
 *
 * @param firstSeq where its messages begin; none comes without demand
 * @param context entries that came with the announcement
 * @param ended whether the producer ended meanwhile, with {@code failure} or, if that is null, well
 */
record ParkedStream(
    long id,
    long firstSeq,
    String codec,
    Map<String, String> context,
    boolean ended,
    Throwable failure) {

  ParkedStream endedWith(Throwable error) {
    return new ParkedStream(id, firstSeq, codec, context, true, error);
  }
}
