package io.railflux.engine.stream;

import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.GoodbyeFrame;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches streams and requests that the other side does not answer: logs one line for each stream and route after a
 * while, sends the peer the names of streams that are awaited here, and fails requests after their time-out. A timer runs only while
 * something is to be watched. Engine thread only.
 */
final class SilenceWatch {

  private static final Logger LOG = LoggerFactory.getLogger(SilenceWatch.class);

  private static final long SECOND_NANOS = 1_000_000_000L;

  /** Startup of a pair of processes usually takes less. */
  private static final long NOTICE_NANOS = 5 * SECOND_NANOS;

  private static final long NEVER = Long.MAX_VALUE;

  private final Streams streams;
  private final SessionContext session;
  private final EngineContext engine;
  private final Timers timers;
  private final ControlQueue control;
  private final Set<String> noticedRoutes = new HashSet<>();
  // The next look, null while nothing is watched.
  private Timers.Timer look;
  private long dueNanos;

  SilenceWatch(Streams streams) {
    this.streams = streams;
    this.session = streams.session;
    this.engine = streams.engine;
    this.timers = engine.timers();
    this.control = streams.control;
  }

  /** Notes that a stream was announced to the peer. */
  void sent() {
    lookWithin(NOTICE_NANOS);
  }

  /** Notes that a stream is awaited from the peer. */
  void awaited() {
    lookWithin(SECOND_NANOS);
  }

  /** Notes that a request was made. */
  void requested(InboundStream request) {
    request.askedNanos = engine.nowNanos();
    long patience = request.patienceNanos;
    lookWithin(patience > 0 ? Math.min(patience, NOTICE_NANOS) : NOTICE_NANOS);
  }

  private void lookWithin(long nanos) {
    long due = engine.nowNanos() + nanos;
    // An earlier look sets the next one itself.
    if (look == null || due - dueNanos < 0) {
      stop();
      dueNanos = due;
      look = timers.at(due, this::look);
    }
  }

  /** Ends the watch. */
  void stop() {
    if (look != null) {
      look.cancel();
      look = null;
    }
  }

  private void look() {
    look = null;
    if (session.isClosed()) {
      return;
    }
    long now = engine.nowNanos();
    long wait = Math.min(Math.min(lookAtSent(now), lookAtAwaited(now)), lookAtRequests(now));
    if (wait != NEVER) {
      lookWithin(Math.max(wait, 1));
    }
  }

  /** Returns the time until the next look is due. */
  private long lookAtSent(long now) {
    long next = NEVER;
    for (OutboundStream stream : streams.outbound()) {
      if (stream.state() == OutboundStream.State.OPENING && !stream.noticed) {
        long left = stream.sinceNanos + NOTICE_NANOS - now;
        if (left <= 0) {
          stream.noticed = true;
          LOG.info(
              "stream '{}' to {} has waited {} s for demand: the peer does not receive it{}",
              stream.streamName(),
              session.description(),
              NOTICE_NANOS / SECOND_NANOS,
              streams.directory().awaitedByPeer());
        } else {
          next = Math.min(next, left);
        }
      }
    }
    return next;
  }

  private long lookAtAwaited(long now) {
    long next = NEVER;
    for (InboundStream stream : streams.receivers()) {
      if (stream.state() != InboundStream.State.AWAITING_PRODUCER || stream.noticed) {
        continue;
      }
      long waited = now - stream.askedNanos;
      if (waited < SECOND_NANOS) {
        next = Math.min(next, SECOND_NANOS - waited);
        continue;
      }
      if (!stream.announced) {
        stream.announced = true;
        announce(stream.name(), 0);
      }
      if (waited < NOTICE_NANOS) {
        next = Math.min(next, NOTICE_NANOS - waited);
        continue;
      }
      stream.noticed = true;
      LOG.info(
          "stream '{}' of {} has been awaited for {} s: the peer does not send it{}",
          stream.name(),
          session.description(),
          NOTICE_NANOS / SECOND_NANOS,
          streams.directory().offeredByPeer());
    }
    return next;
  }

  /** Withdraws what {@link #awaited} made known to the peer, if anything. */
  void endedAwaiting(InboundStream stream) {
    if (stream.announced && !session.isClosed()) {
      announce(stream.name(), FrameFlags.LAST);
    }
  }

  private void announce(String name, int flags) {
    GoodbyeFrame body = new GoodbyeFrame(name);
    control.send(new ControlFrame(FrameType.AWAITING, flags | FrameFlags.SKIPPABLE, 0, 0)
        .body(body.encodedBytes(), body::encode));
  }

  private long lookAtRequests(long now) {
    long next = NEVER;
    for (InboundStream request : streams.exchanges().unanswered()) {
      long waited = now - request.askedNanos;
      long patience = request.patienceNanos;
      if (patience > 0 && waited >= patience) {
        request.leave(expired(request, patience));
        continue;
      }
      if (patience > 0) {
        next = Math.min(next, patience - waited);
      }
      if (noticedRoutes.contains(request.name())) {
        continue;
      }
      if (waited < NOTICE_NANOS) {
        next = Math.min(next, NOTICE_NANOS - waited);
      } else {
        notice(request);
      }
    }
    return next;
  }

  private void notice(InboundStream request) {
    noticedRoutes.add(request.name());
    LOG.info(
        "request '{}' to {} has waited {} s for an answer, {}; further ones of the route are not logged",
        request.name(),
        session.description(),
        NOTICE_NANOS / SECOND_NANOS,
        request.state() == InboundStream.State.AWAITING_PRODUCER
            ? "and is not sent: the peer answers as many requests as it may, or has no room"
            : session.live().isEmpty()
                ? "the peer has no rail at present"
                : "its handler has not answered");
  }

  private DeadlineExceededException expired(InboundStream request, long patience) {
    return new DeadlineExceededException("request '" + request.name() + "' to "
        + session.description() + " was not answered within " + (patience + 999_999) / 1_000_000
        + " ms, bounded by requestTimeout");
  }
}
