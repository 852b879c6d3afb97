package io.railflux.engine.session;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.PeerRing;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.SendPath;
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
import java.util.function.Consumer;
import java.util.function.IntFunction;
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

  private final SessionLifecycle session;
  private final EngineContext engine;
  private final Timers timers;
  private final EngineConfig.Timing timing;
  private final PathRepository paths;
  private final List<Subchannel> live;
  private final ChannelCounters counters;
  private final ControlQueue control;
  private final SendPath sendPath;
  private final SendWindow window;
  private final LargeMemory sourceMemory;
  private final IntFunction<ResumeInfo> reports;
  private final Consumer<Subchannel> settled;
  private final List<Lost> failed = new ArrayList<>();
  private final ArrayDeque<Long> replay = new ArrayDeque<>();
  private final TreeSet<Integer> givenUpByPeer = new TreeSet<>();

  // RESUMEs that may not have arrived, by sequence number. Each lost RESUME is followed by another
  // RESUME.
  private final TreeMap<Long, Lost> resumes = new TreeMap<>();

  // Number of rails lost in succession with the same oldest frame.
  private long oldest;
  private int attempts;
  private long firstLostNanos;

  /**
   * @param reports returns the frames received so far, for a RESUME about the given subchannel
   * @param settled receives each subchannel whose loss is settled, and which may be retired
   */
  RailRecovery(
      SessionLifecycle session,
      EngineConfig.Timing timing,
      ControlQueue control,
      SendPath sendPath,
      IntFunction<ResumeInfo> reports,
      Consumer<Subchannel> settled) {
    this.session = session;
    this.engine = session.engine();
    this.timers = engine.timers();
    this.timing = timing;
    this.paths = session.paths();
    this.live = session.live();
    this.counters = session.counters();
    this.control = control;
    this.sendPath = sendPath;
    this.window = sendPath.window();
    this.sourceMemory = engine.sourceMemory();
    this.reports = reports;
    this.settled = settled;
  }

  public boolean isIdle() {
    return failed.isEmpty() && replay.isEmpty();
  }

  /**
   * Returns whether the session has the maximum number of subchannels, live or lost and not settled. A loss is settled
   * when each side knows what the other side received.
   */
  public boolean isFull() {
    return live.size() + failed.size() >= MAX_SUBCHANNELS;
  }

  /** Takes a subchannel out of service and fences its endpoint unless the endpoint is in error already. */
  void fail(Subchannel subchannel, String reason) {
    if (!subchannel.fail(reason)) {
      return;
    }
    failed.add(new Lost(subchannel));
    String what = subchannel.isGivenUp() ? "has no more" : "lost";
    LOG.info("{} {} {}: {}", session.description(), what, subchannel, subchannel.failure());
    if (!subchannel.isGivenUp()) {
      counters.endpointLost();
    }
    subchannel.endpoint.fence(subchannel.failure());
  }

  /**
   * Gives a subchannel up that this side connected. The peer learns this before the endpoint ends, as it would
   * otherwise treat the end as a loss, and fences the endpoint. If the peer does not fence in time, this side does.
   */
  public void giveUp(int id, String reason) {
    if (session.isClosed()) {
      return;
    }
    Subchannel given = marked(id, reason);
    control.send(new ControlFrame(FrameType.RETIRE, FrameFlags.SKIPPABLE, 0, id));
    if (given != null) {
      timers.at(engine.nowNanos() + timing.detectNanos(), () -> {
        if (given.isLive() && !session.isClosed()) {
          session.failSubchannel(given, reason);
        }
      });
    }
  }

  /** Handles the peer's decision to give up a subchannel that the peer connected. */
  void onRetire(int id) {
    Subchannel given = marked(id, BY_PEER);
    if (given != null) {
      session.failSubchannel(given, BY_PEER);
    }
  }

  /** Marks a subchannel as no longer wanted. Returns the subchannel if it is live. */
  private Subchannel marked(int id, String reason) {
    for (Lost lost : failed) {
      if (lost.subchannel.id == id) {
        lost.subchannel.giveUp(reason);
      }
    }
    paths.forget(id);
    Subchannel found = paths.find(id);
    if (found != null) {
      found.giveUp(reason);
    }
    return found;
  }

  /** Handles the fence of a subchannel whose landed frames were read. A RESUME is due. */
  void fenced(Subchannel subchannel) {
    subchannel.become(Subchannel.State.FENCED);
    subchannel.giveMemoryBack();
    scheduleResumes(subchannel);
  }

  /**
   * Schedules a new RESUME for each RESUME that the lost subchannel carried. Waiting for a replay request is unsafe: if
   * each side loses its RESUME on the subchannel that the other RESUME is about, neither side ever requests a replay.
   * The old RESUME is not retransmitted: its log entry could be acknowledged and reused while the fabric still reads
   * it.
   */
  private void scheduleResumes(Subchannel carrier) {
    for (Lost lost : failed) {
      if (lost.resumeSent && !hasResumeArrived(lost) && window.carrier(lost.resumePsn) == carrier) {
        lost.resumeSent = false;
      }
    }
  }

  private boolean hasResumeArrived(Lost lost) {
    return lost.resumeArrived || lost.resumePsn - window.acknowledged() < 0;
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
          && !live.isEmpty()
          && sendResume(lost)) {
        steps++;
      }
    }
    boolean wasReplaying = isReplaying();
    steps += replayWaiting();
    if (wasReplaying && !isReplaying()) {
      // During the replay, other senders were notified of free memory instead of this channel's
      // senders.
      sourceMemory.serve();
    }
    steps += retire();
    return steps;
  }

  private boolean sendResume(Lost lost) {
    ResumeInfo resume = reports.apply(lost.subchannel.id);
    ControlFrame frame = new ControlFrame(FrameType.RESUME, 0, 0, 0);
    frame.body(resume.encodedBytes(), resume::encode);
    if (!control.sendAtOnce(frame)) {
      return false;
    }
    lost.resumePsn = window.next() - 1;
    lost.resumeSent = true;
    resumes.put(lost.resumePsn, lost);
    return true;
  }

  /** Handles the peer's RESUME, which reports that the peer fenced the subchannel and names the received frames. */
  public void onResume(ResumeInfo resume) throws ProtocolViolation {
    Subchannel found = paths.find(resume.subchannel());
    if (found != null) {
      session.failSubchannel(found, BY_PEER);
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
    replayMissing(subchannel, resume);
    if (subchannel.path() != null) {
      subchannel.path().replayed(replay.size() - before);
    }
    if (before == 0 && isReplaying()) {
      // The first waiting sender may not claim room during the replay. The senders behind it are
      // notified instead.
      sourceMemory.serve();
    }
  }

  /** Schedules the frames that the subchannel carried and the peer did not receive. */
  private void replayMissing(Subchannel subchannel, ResumeInfo resume) {
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
  }

  /** Bounds the retransmissions of a frame that takes down each rail it is sent over. */
  private void count(long psn) {
    if (psn != oldest || attempts == 0) {
      oldest = psn;
      attempts = 0;
      firstLostNanos = engine.nowNanos();
    }
    attempts++;
    int most = timing.retry().maxAttempts();
    boolean forLong = engine.nowNanos() - firstLostNanos > 10 * timing.detectNanos();
    if (attempts > most && forLong) {
      session.lose(new StreamFailure(
          StreamFailure.Kind.LOST,
          session.description() + " is lost: frame " + psn + " was lost with " + most
              + " rails in succession, as retransmission permits"));
    }
  }

  private int replayWaiting() {
    int replayed = 0;
    while (!replay.isEmpty() && !live.isEmpty()) {
      long psn = replay.peek();
      boolean acknowledged = psn - window.acknowledged() < 0;
      if (!acknowledged && !sendPath.replay(psn)) {
        break;
      }
      replay.poll();
      if (!acknowledged) {
        counters.replayed();
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
          && !(subchannel.wasLive() && subchannel.lane().isReadInPlace());
      if (done) {
        resumes.values().removeIf(about -> about == lost);
        settled.accept(subchannel);
      }
      return done;
    });
    return before - failed.size();
  }

  private boolean isSourceOfUnacknowledged(Subchannel subchannel) {
    PeerRing ring = subchannel.peerRing();
    return ring != null && ring.holds(window::isIn);
  }

  /** Ends all recoveries. Returns the subchannels to retire. */
  List<Subchannel> close() {
    List<Subchannel> lost = failed.stream().map(one -> one.subchannel).toList();
    failed.clear();
    replay.clear();
    resumes.clear();
    return lost;
  }
}
