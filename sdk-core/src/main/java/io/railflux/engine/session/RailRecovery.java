package io.railflux.engine.session;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.path.SubchannelMemory;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.SendWindow;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.RendezvousStart;
import io.railflux.wire.ResumeInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers from the loss of an endpoint (FT1, FT3, D1). Recovery fences the endpoint, reads frames that landed before,
 * and reports the received frames to the peer in a RESUME over any live subchannel. On the peer's RESUME it replays the
 * missing frames. RESUME is a sequenced frame and therefore survives the loss of further endpoints. It acts
 * immediately, as it closes the gap in the sequence. Engine thread only.
 */
public final class RailRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(RailRecovery.class);
  private static final int REMEMBERED = 64;

  /** Each subchannel holds a ring. A lost subchannel keeps its ring until the peer reports what it received. */
  private static final int MAX_SUBCHANNELS = RendezvousStart.MAX_STRIPES;

  private static final String BY_PEER = "given up by the peer";

  /** A subchannel out of service, and the RESUMEs exchanged for it. */
  private static final class Lost {

    final Subchannel subchannel;
    boolean resumeSent;
    long resumePsn;

    /** Whether the peer reports the arrival of a RESUME about the subchannel. */
    boolean resumeArrived;

    boolean resumeReceived;

    Lost(Subchannel subchannel) {
      this.subchannel = subchannel;
    }
  }

  private final VirtualChannel channel;
  private final List<Lost> failed = new ArrayList<>();
  private final SubchannelMemory.Spares spares = new SubchannelMemory.Spares();
  private final ArrayDeque<Long> replay = new ArrayDeque<>();
  private final TreeSet<Integer> givenUpByPeer = new TreeSet<>();

  // RESUMEs that may not have arrived, by sequence number. Each lost RESUME is followed by another
  // RESUME.
  private final TreeMap<Long, Lost> resumes = new TreeMap<>();

  // Number of rails lost in succession with the same oldest frame.
  private long oldest;
  private int attempts;
  private long firstLostNanos;

  RailRecovery(VirtualChannel channel) {
    this.channel = channel;
  }

  public boolean isIdle() {
    return failed.isEmpty() && replay.isEmpty();
  }

  /**
   * Returns whether the session has the maximum number of subchannels, live or lost and not settled. A loss is settled
   * when each side knows what the other side received.
   */
  public boolean isFull() {
    return channel.live().size() + failed.size() >= MAX_SUBCHANNELS;
  }

  /** Takes a subchannel out of service and fences its endpoint unless the endpoint is in error already. */
  void fail(Subchannel subchannel, String reason) {
    if (!subchannel.fail(reason)) {
      return;
    }
    failed.add(new Lost(subchannel));
    String what = subchannel.isGivenUp() ? "has no more" : "lost";
    LOG.info("{} {} {}: {}", channel.description(), what, subchannel, subchannel.failure());
    if (!subchannel.isGivenUp()) {
      channel.counters().endpointLost();
    }
    subchannel.endpoint.fence(subchannel.failure());
  }

  /**
   * Gives a subchannel up that this side connected. The peer learns this before the endpoint ends, as it would
   * otherwise treat the end as a loss, and fences the endpoint. If the peer does not fence in time, this side does.
   */
  public void giveUp(int id, String reason) {
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

  /** Handles the peer's decision to give up a subchannel that the peer connected. */
  void onRetire(int id) {
    Subchannel live = marked(id, BY_PEER);
    if (live != null) {
      channel.failSubchannel(live, BY_PEER);
    }
  }

  /** Marks a subchannel as no longer wanted. Returns the subchannel if it is live. */
  private Subchannel marked(int id, String reason) {
    for (Lost lost : failed) {
      if (lost.subchannel.id == id) {
        lost.subchannel.giveUp(reason);
      }
    }
    channel.paths().forget(id);
    Subchannel live = channel.paths().find(id);
    if (live != null) {
      live.giveUp(reason);
    }
    return live;
  }

  /** Reads the ring a last time, as nothing lands any more. A RESUME is due afterwards. */
  void drained(Subchannel subchannel) {
    if (subchannel.state() != Subchannel.State.FENCING) {
      return;
    }
    // All frames that reached the ring before the fence count as received.
    int read;
    do {
      read = channel.read(subchannel, Integer.MAX_VALUE);
    } while (read > 0 && !channel.isClosed());
    if (!channel.isClosed()) {
      if (subchannel.wasLive()) {
        channel.rendezvous().drained(subchannel);
      }
      subchannel.become(Subchannel.State.FENCED);
      subchannel.giveMemoryBack();
      tellAgain(subchannel);
    }
  }

  /**
   * Schedules a new RESUME for each RESUME that the lost subchannel carried. Waiting for a replay request is unsafe: if
   * each side loses its RESUME on the subchannel that the other RESUME is about, neither side ever requests a replay.
   * The old RESUME is not retransmitted: its log entry could be acknowledged and reused while the fabric still reads
   * it.
   */
  private void tellAgain(Subchannel carrier) {
    SendWindow window = channel.sendPath().window();
    for (Lost lost : failed) {
      if (lost.resumeSent && !hasResumeArrived(lost) && window.carrier(lost.resumePsn) == carrier) {
        lost.resumeSent = false;
      }
    }
  }

  private boolean hasResumeArrived(Lost lost) {
    return lost.resumeArrived || lost.resumePsn - channel.sendPath().window().acknowledged() < 0;
  }

  /**
   * Settles earlier losses from the peer's report. Acknowledgements are cumulative: a RESUME is acknowledged only after
   * all earlier frames. Over connections that fail within one window, the acknowledgement never arrives.
   */
  private void noteArrivals(ResumeInfo resume) {
    resumes.entrySet().removeIf(sent -> {
      boolean arrived = resume.hasReceived(sent.getKey());
      sent.getValue().resumeArrived |= arrived;
      return arrived;
    });
  }

  /** Advances every recovery by one step. Returns the number of steps. */
  int work() {
    if (isIdle()) {
      return 0;
    }
    int steps = 0;
    for (Lost lost : failed) {
      if (lost.subchannel.state() == Subchannel.State.FENCED
          && !lost.resumeSent
          && channel.paths().hasLive()
          && sendResume(lost)) {
        steps++;
      }
    }
    boolean wasReplaying = isReplaying();
    steps += replayWaiting();
    if (wasReplaying && !isReplaying()) {
      // During the replay, other senders were notified of free memory instead of this channel's
      // senders.
      channel.engine().sourceMemory().serve();
    }
    steps += retire();
    return steps;
  }

  private boolean sendResume(Lost lost) {
    ResumeInfo resume = channel.receiveWindow().resume(channel.epoch(), lost.subchannel.id);
    ControlFrame frame = new ControlFrame(FrameType.RESUME, 0, 0, 0);
    frame.body(resume.encodedBytes(), resume::encode);
    if (!channel.control().sendAtOnce(frame)) {
      return false;
    }
    lost.resumePsn = channel.sendPath().window().next() - 1;
    lost.resumeSent = true;
    resumes.put(lost.resumePsn, lost);
    return true;
  }

  /** Handles the peer's RESUME, which reports that the peer fenced the subchannel and names the received frames. */
  public void onResume(ResumeInfo resume) throws ProtocolViolation {
    Subchannel live = channel.paths().find(resume.subchannel());
    if (live != null) {
      channel.failSubchannel(live, BY_PEER);
    }
    for (Lost lost : failed) {
      if (lost.subchannel.id == resume.subchannel() && !lost.resumeReceived) {
        lost.resumeReceived = true;
        scheduleReplay(lost.subchannel, resume);
        return;
      }
    }
    // The HELLO of the subchannel has not been read yet, or never arrives. The subchannel must not
    // go live.
    givenUpByPeer.add(resume.subchannel());
    if (givenUpByPeer.size() > REMEMBERED) {
      givenUpByPeer.pollFirst();
    }
  }

  /** Returns whether the peer fenced the subchannel before its HELLO was read here. */
  public boolean isGivenUpByPeer(int subchannelId) {
    return givenUpByPeer.contains(subchannelId);
  }

  private void scheduleReplay(Subchannel subchannel, ResumeInfo resume) throws ProtocolViolation {
    SendWindow window = channel.sendPath().window();
    // The expected number may be below the peer's latest acknowledgement, but never above the last
    // sent frame.
    if (resume.expectedPsn() - window.next() > 0) {
      throw new ProtocolViolation(
          "RESUME expects " + resume.expectedPsn() + ", sent so far " + window.next());
    }
    noteArrivals(resume);
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
    if (subchannel.path() != null) {
      subchannel.path().replayed(replay.size() - before);
    }
    if (before == 0 && isReplaying()) {
      // The first waiting sender may not ask during the replay. The senders behind it are notified
      // instead.
      channel.engine().sourceMemory().serve();
    }
  }

  /** Bounds the retransmissions of a frame that takes down each rail it is sent over. */
  private void count(long psn) {
    if (psn != oldest || attempts == 0) {
      oldest = psn;
      attempts = 0;
      firstLostNanos = channel.nowNanos();
    }
    attempts++;
    EngineConfig.Timing timing = channel.engine().config().timing();
    int most = timing.retry().maxAttempts();
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

  /** Returns whether a replay is under way. New frames wait while replayed frames wait for room. */
  boolean isReplaying() {
    return !replay.isEmpty();
  }

  /** Retires each subchannel whose loss both sides have reported and whose ring is fully read. */
  private int retire() {
    int before = failed.size();
    failed.removeIf(lost -> {
      Subchannel subchannel = lost.subchannel;
      boolean done = subchannel.state() == Subchannel.State.FENCED
          && lost.resumeSent
          && hasResumeArrived(lost)
          && (lost.resumeReceived || !subchannel.wasLive())
          && !isSourceOfUnacknowledged(subchannel)
          && !(subchannel.wasLive() && subchannel.lane().isLookedAt());
      if (done) {
        resumes.values().removeIf(about -> about == lost);
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

  /** Returns the memory that lost subchannels leave to their successors. */
  public SubchannelMemory.Spares spares() {
    return spares;
  }

  void close() {
    spares.close();
    failed.forEach(lost -> channel.retire(lost.subchannel));
    failed.clear();
    replay.clear();
    resumes.clear();
  }

  int failedCount() {
    return failed.size();
  }
}
