package io.railflux.engine;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.RendezvousStart;
import io.railflux.wire.ResumeInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when an endpoint is lost (FT1, FT3, D1): fence it, read what landed before, tell the
 * peer over any live subchannel what was received, and when the peer told the same, replay what it
 * lacks. RESUME is a sequenced frame, so it survives the loss of the next endpoint like any other, but
 * acts at once: the gap in the sequence is what it mends. Engine thread only.
 */
final class Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
  private static final int REMEMBERED = 64;

  /** Each holds a ring, also when it is lost, until the peer told what it had received. */
  private static final int MAX_SUBCHANNELS = RendezvousStart.MOST_STRIPES;

  private static final String BY_PEER = "given up by the peer";

  private final VirtualChannel channel;
  private final List<Subchannel> failed = new ArrayList<>();
  private final ArrayDeque<Long> replay = new ArrayDeque<>();
  private final TreeSet<Integer> givenUpByPeer = new TreeSet<>();

  // How many rails were lost in succession with the same oldest frame.
  private long oldest;
  private int attempts;
  private long firstLostNanos;

  Recovery(VirtualChannel channel) {
    this.channel = channel;
  }

  boolean isIdle() {
    return failed.isEmpty() && replay.isEmpty();
  }

  /** Whether the peer made, or lost, so many subchannels that no more are kept for it. */
  boolean isFull() {
    return channel.live().size() + failed.size() >= MAX_SUBCHANNELS;
  }

  /** Takes a subchannel out of service; its endpoint is fenced unless it already is in error. */
  void fail(Subchannel subchannel, String reason) {
    if (subchannel.state() != SubchannelState.LIVE
        && subchannel.state() != SubchannelState.HANDSHAKING) {
      return;
    }
    subchannel.become(SubchannelState.FENCING);
    boolean lost = subchannel.givenUp == null;
    subchannel.failure = lost ? reason : subchannel.givenUp;
    failed.add(subchannel);
    String what = lost ? "lost" : "has no more";
    LOG.info("{} {} {}: {}", channel.description(), what, subchannel, subchannel.failure);
    if (lost) {
      channel.counters().endpointLost();
    }
    subchannel.endpoint.fence(subchannel.failure);
  }

  /**
   * This side, which connected it, does not want that subchannel any more, or not back. The peer hears so before the
   * endpoint ends, which it would take for a loss, and fences it; if it does not in time, this side does.
   */
  void giveUp(int id, String reason) {
    if (channel.isClosed()) {
      return;
    }
    Subchannel live = marked(id, reason);
    channel.control().send(new ControlFrame(FrameType.RETIRE, FrameFlags.SKIPPABLE, 0, id));
    if (live != null) {
      long until = channel.nowNanos() + channel.engine().config().timing().detectNanos();
      channel.engine().timers().at(until, () -> {
        if (live.isLive() && !channel.isClosed()) {
          channel.failSubchannel(live, reason);
        }
      });
    }
  }

  /** The peer, which connected it, does not want that subchannel any more, or not back. */
  void onRetire(int id) {
    Subchannel live = marked(id, BY_PEER);
    if (live != null) {
      channel.failSubchannel(live, BY_PEER);
    }
  }

  /** Notes that nobody wants it; returns it if it is live. */
  private Subchannel marked(int id, String reason) {
    for (Subchannel lost : failed) {
      if (lost.id == id) {
        lost.givenUp = reason;
      }
    }
    channel.paths().forget(id);
    Subchannel live = channel.paths().find(id);
    if (live != null) {
      live.givenUp = reason;
    }
    return live;
  }

  /** Nothing lands any more: the last look at the ring, then RESUME is due. */
  void drained(Subchannel subchannel) {
    if (subchannel.state() != SubchannelState.FENCING) {
      return;
    }
    // Whatever reached the ring before the fence counts as received.
    int read;
    do {
      read = channel.read(subchannel, Integer.MAX_VALUE);
    } while (read > 0 && !channel.isClosed());
    if (!channel.isClosed()) {
      if (subchannel.wasLive()) {
        channel.rendezvous().drained(subchannel);
      }
      subchannel.become(SubchannelState.FENCED);
      tellAgain(subchannel);
    }
  }

  /**
   * A RESUME that subchannel carried may never arrive, and waiting to be asked for its replay is not
   * safe: when each side loses its own on the subchannel that the other's is about, neither is ever
   * asked. A new one is sent, not the same one again: that could be acknowledged, and its log entry
   * taken by something else, while the fabric still reads it.
   */
  private void tellAgain(Subchannel lost) {
    SendWindow window = channel.sendPath().window();
    for (Subchannel subchannel : failed) {
      if (subchannel.resumeSent
          && !isResumeAcknowledged(subchannel)
          && window.carrier(subchannel.resumePsn) == lost) {
        subchannel.resumeSent = false;
      }
    }
  }

  private boolean isResumeAcknowledged(Subchannel subchannel) {
    return subchannel.resumePsn - channel.sendPath().window().acknowledged() < 0;
  }

  /** One step of every recovery under way; returns how many steps were taken. */
  int work() {
    if (isIdle()) {
      return 0;
    }
    int steps = 0;
    for (Subchannel subchannel : failed) {
      if (subchannel.state() == SubchannelState.FENCED
          && !subchannel.resumeSent
          && channel.paths().hasLive()
          && sendResume(subchannel)) {
        steps++;
      }
    }
    boolean wasReplaying = isReplaying();
    steps += replayWaiting();
    if (wasReplaying && !isReplaying()) {
      // Others took their places in the queue for memory meanwhile, and were told instead of them.
      channel.engine().sourceMemory().serve();
    }
    steps += retire();
    return steps;
  }

  private boolean sendResume(Subchannel subchannel) {
    ResumeInfo resume = channel.receiveWindow().resume(channel.epoch(), subchannel.id);
    ControlFrame frame = new ControlFrame(FrameType.RESUME, 0, 0, 0);
    frame.body(resume.encodedBytes(), resume::encode);
    if (!channel.control().sendAtOnce(frame)) {
      return false;
    }
    subchannel.resumePsn = channel.sendPath().window().next() - 1;
    subchannel.resumeSent = true;
    return true;
  }

  /** The peer fenced that subchannel and tells what it has. Returns what is wrong, or null. */
  String onResume(ResumeInfo resume) {
    Subchannel live = channel.paths().find(resume.subchannel());
    if (live != null) {
      channel.failSubchannel(live, BY_PEER);
    }
    for (Subchannel subchannel : failed) {
      if (subchannel.id == resume.subchannel() && !subchannel.resumeReceived) {
        subchannel.resumeReceived = true;
        return scheduleReplay(subchannel, resume);
      }
    }
    // Its HELLO has not been read yet, or never comes: it must not go live when it does.
    givenUpByPeer.add(resume.subchannel());
    if (givenUpByPeer.size() > REMEMBERED) {
      givenUpByPeer.pollFirst();
    }
    return null;
  }

  /** Whether the peer fenced that subchannel before its HELLO was read here. */
  boolean isGivenUpByPeer(int subchannelId) {
    return givenUpByPeer.contains(subchannelId);
  }

  private String scheduleReplay(Subchannel subchannel, ResumeInfo resume) {
    SendWindow window = channel.sendPath().window();
    // What it expects may lie behind what it acknowledged since, never ahead of what was sent.
    if (resume.expectedPsn() - window.next() > 0) {
      return "RESUME expects " + resume.expectedPsn() + ", sent so far " + window.next();
    }
    if (window.inFlight() > 0 && window.carrier(window.acknowledged()) == subchannel) {
      count(window.acknowledged());
    }
    int before = replay.size();
    for (long psn = window.acknowledged(); psn != window.next(); psn++) {
      if (window.carrier(psn) != subchannel) {
        continue;
      }
      boolean received = psn - resume.expectedPsn() < 0 || resume.hasReceived(psn);
      if (received) {
        window.carrier(psn, null);
      } else {
        replay.add(psn);
      }
    }
    if (subchannel.path != null) {
      subchannel.path.replayed(replay.size() - before);
    }
    if (before == 0 && isReplaying()) {
      // It may be the turn of one that will not ask now: those behind it are told instead.
      channel.engine().sourceMemory().serve();
    }
    return null;
  }

  /** What takes down each rail it is sent over must not do so for ever. */
  private void count(long psn) {
    if (psn != oldest || attempts == 0) {
      oldest = psn;
      attempts = 0;
      firstLostNanos = channel.nowNanos();
    }
    attempts++;
    EngineConfig.Timing timing = channel.engine().config().timing();
    int most = timing.again().mostAttempts();
    boolean forLong = channel.nowNanos() - firstLostNanos > 10 * timing.detectNanos();
    if (attempts > most && forLong) {
      channel.lose(new StreamFailure(
          StreamFailure.Kind.LOST,
          channel.description() + " is lost: frame " + psn + " was lost with " + most
              + " rails in succession, as retransmission permits"));
    }
  }

  private int replayWaiting() {
    int replayed = 0;
    SendWindow window = channel.sendPath().window();
    while (!replay.isEmpty() && channel.paths().hasLive()) {
      long psn = replay.peek();
      boolean acknowledged = psn - window.acknowledged() < 0;
      if (!acknowledged && !channel.sendPath().replay(psn)) {
        break;
      }
      replay.poll();
      if (!acknowledged) {
        channel.counters().replayed();
        replayed++;
      }
    }
    return replayed;
  }

  /** Fresh frames wait while older ones wait for room. */
  boolean isReplaying() {
    return !replay.isEmpty();
  }

  /** A subchannel is done with when both sides heard of it and nothing lies in its ring any more. */
  private int retire() {
    int before = failed.size();
    failed.removeIf(subchannel -> {
      boolean done = subchannel.state() == SubchannelState.FENCED
          && subchannel.resumeSent
          && isResumeAcknowledged(subchannel)
          && (subchannel.resumeReceived || !subchannel.wasLive())
          && !isSourceOfUnacknowledged(subchannel)
          && !(subchannel.wasLive() && subchannel.lane().isLookedAt());
      if (done) {
        channel.settled(subchannel);
      }
      return done;
    });
    return before - failed.size();
  }

  private boolean isSourceOfUnacknowledged(Subchannel subchannel) {
    if (subchannel.writer() == null || subchannel.writer().mapped() == null) {
      return false;
    }
    return channel.sendPath().window().isIn(subchannel.writer().mapped());
  }

  void close() {
    failed.forEach(channel::retire);
    failed.clear();
    replay.clear();
  }

  int failedCount() {
    return failed.size();
  }
}
