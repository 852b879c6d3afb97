package io.railflux.remote;

import io.railflux.engine.base.Guarded;
import io.railflux.exceptions.NodeClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.policy.Balancing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

// More than 400 lines: members, waits and lookups share one state.
/**
 * The sessions with one place: one session, or one with each instance that the addresses lead to. Engine thread only,
 * except {@link #pick} and {@link #members}.
 *
 * @param <S> a session
 */
public final class SessionPool<S> {

  private static final Logger LOG = LoggerFactory.getLogger(SessionPool.class);

  /** Instances appear and go without a failure of another one, so their addresses are looked up this often. */
  private static final long RESOLVE_NANOS = 30_000_000_000L;

  /** Failures of many instances at once are one reason to look addresses up again. */
  private static final long RESOLVE_AGAIN_NANOS = 1_000_000_000L;

  /** A wait of a year: that of streams, which survive restarts. */
  public static final long PATIENT_NANOS = 365L * 86_400_000_000_000L;

  /** Attempts between two log lines about the same failing address. */
  private static final int LOGGED_ATTEMPTS = 30;

  /**
   * How the pool reaches its place.
   *
   * @param description the addresses, for messages
   * @param connector creates the connector of one address
   * @param balancing distribution over instances
   * @param backoff time between attempts
   * @param failFast whether callers fail as soon as every address has failed, instead of waiting
   */
  public record Spec<S>(
      String description,
      Function<String, Connector<S>> connector,
      Balancing balancing,
      Backoff backoff,
      boolean failFast) {}

  /** Connects to one address, as {@link SessionKeeper.Connector}. */
  public interface Connector<S> extends SessionKeeper.Connector<S> {}

  /** Looks up the addresses of the instances. */
  public interface Resolver {

    /**
     * Begins a lookup; may block another thread. One of the callbacks follows on the engine thread, never inside this
     * call.
     */
    void resolve(Consumer<List<String>> found, Consumer<Throwable> failed);
  }

  /**
   * A session that takes work.
   *
   * @param outstanding requests under way, maintained by the caller
   */
  public record Member<S>(S session, AtomicInteger outstanding) {}

  private final class Waiter {
    final Consumer<Member<S>> ready;
    final Consumer<Throwable> failed;
    final boolean patient;
    Runnable bound = () -> {};

    Waiter(Consumer<Member<S>> ready, Consumer<Throwable> failed, boolean patient) {
      this.patient = patient;
      this.ready = ready;
      this.failed = failed;
    }
  }

  private final class Events implements SessionKeeper.Listener<S> {

    @Override
    public void established(SessionKeeper<S> keeper, S session) {
      LOG.info("remote {}: connected to {}", describe(keeper), session);
      states.put(keeper.address(), "connected to " + session);
      onSession.accept(session);
      if (keeper.state() == SessionKeeper.State.CONNECTED) {
        add(new Member<>(session, new AtomicInteger()));
      }
    }

    @Override
    public void retired(SessionKeeper<S> keeper, S session) {
      remove(session);
      paused.removeIf(member -> member.session().equals(session));
      LOG.info("remote {}: {} takes no more work; connecting again", describe(keeper), session);
      states.put(keeper.address(), "connecting again, " + session + " takes no more work");
      if (!wanted.contains(keeper.address())) {
        drop(keeper);
      }
      resolveSoon();
    }

    @Override
    public void failed(SessionKeeper<S> keeper, Throwable cause, int attempts) {
      if (keeper.state() == SessionKeeper.State.FAILED) {
        LOG.warn(
            "remote {}: attempt {} failed and will not be repeated: {}",
            describe(keeper),
            attempts,
            cause.getMessage());
      } else if (attempts % LOGGED_ATTEMPTS == 1) {
        LOG.info(
            "remote {}: attempt {} failed and will be repeated: {}",
            describe(keeper),
            attempts,
            cause.getMessage());
      }
      states.put(keeper.address(), "attempt " + attempts + " failed: " + cause.getMessage());
      leaveUnwanted(keeper);
      resolveSoon();
      failWaitersFast();
      failWaitersForGood();
    }
  }

  private final Spec<S> spec;
  private final Ticks ticks;
  private final Resolver resolver;
  private final Consumer<S> onSession;
  private final Events events = new Events();
  private final Map<String, SessionKeeper<S>> keepers = new LinkedHashMap<>();
  private final Deque<Waiter> waiters = new ArrayDeque<>();
  private final List<Member<S>> paused = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  // What the keeper of each address did last, for any thread.
  private final Map<String, String> states = new ConcurrentHashMap<>();

  private volatile List<Member<S>> members = List.of();

  private List<String> wanted = List.of();
  private boolean begun;
  private boolean resolving;
  private boolean closed;
  private long resolvedAtNanos;
  private Runnable nextResolve = () -> {};
  private int unresolved;
  private @Nullable Throwable resolveFailure;

  /** @param onSession receives every new session before anything else uses it; must not throw */
  public SessionPool(Spec<S> spec, Ticks ticks, Resolver resolver, Consumer<S> onSession) {
    this.spec = spec;
    this.ticks = ticks;
    this.resolver = resolver;
    this.onSession = onSession;
  }

  private String describe(SessionKeeper<S> keeper) {
    return "'" + keeper.address() + "'";
  }

  /** Returns the sessions that take work. Any thread. */
  public List<Member<S>> members() {
    return members;
  }

  /** Returns one indented line for each address with the last event, each after a line break. Any thread. */
  public String explain() {
    return states.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(state -> "\n  '" + state.getKey() + "' " + state.getValue())
        .collect(Collectors.joining());
  }

  /** Returns all sessions that have not ended, with a rail or without. Engine thread. */
  public List<S> sessions() {
    return Stream.concat(members.stream(), paused.stream()).map(Member::session).toList();
  }

  /** Returns the session for the next piece of work; null if none takes work now. Any thread. */
  public @Nullable Member<S> pick() {
    List<Member<S>> now = members;
    if (now.size() <= 1) {
      return now.isEmpty() ? null : now.get(0);
    }
    int first = Math.floorMod(turn.getAndIncrement(), now.size());
    Member<S> picked = now.get(first);
    if (spec.balancing == Balancing.LEAST_OUTSTANDING) {
      for (int i = 1; i < now.size(); i++) {
        Member<S> other = now.get((first + i) % now.size());
        if (other.outstanding().get() < picked.outstanding().get()) {
          picked = other;
        }
      }
    }
    return picked;
  }

  /**
   * Passes a session on, now or when there is one.
   *
   * @param boundNanos longest wait; from {@link #PATIENT_NANOS} on the wait also outlasts failures of all addresses
   * @param ready receives the session on the engine thread, perhaps inside this call
   * @param failed receives the reason if there is no session in time, perhaps inside this call
   * @return an action that withdraws the wait
   */
  public Runnable await(long boundNanos, Consumer<Member<S>> ready, Consumer<Throwable> failed) {
    if (closed) {
      failed.accept(closedError());
      return () -> {};
    }
    begin();
    Member<S> member = pick();
    if (member != null) {
      ready.accept(member);
      return () -> {};
    }
    Throwable permanent = permanentFailure();
    if (permanent != null) {
      failed.accept(permanent);
      return () -> {};
    }
    boolean patient = boundNanos >= PATIENT_NANOS;
    if (spec.failFast && !patient && allFailed()) {
      failed.accept(unreachable("is not reachable now"));
      return () -> {};
    }
    Waiter waiter = new Waiter(ready, failed, patient);
    waiters.add(waiter);
    waiter.bound = ticks.after(boundNanos, () -> {
      waiters.remove(waiter);
      failed.accept(unreachable("was not reachable within " + boundNanos / 1_000_000 + " ms"));
    });
    return () -> {
      waiter.bound.run();
      waiters.remove(waiter);
    };
  }

  /** Connects, unless that has begun. */
  public void begin() {
    if (!begun && !closed) {
      begun = true;
      resolve();
    }
  }

  /** A session has no rail: it takes no new work until {@link #resume}, if there is another session for the work. */
  public void suspend(S session) {
    if (closed) {
      return;
    }
    Member<S> suspended = remove(session);
    if (suspended != null) {
      paused.add(suspended);
      failWaitersFast();
    }
  }

  /** A suspended session has a rail again. */
  public void resume(S session) {
    if (closed) {
      return;
    }
    for (Member<S> member : List.copyOf(paused)) {
      if (member.session().equals(session)) {
        paused.remove(member);
        add(member);
      }
    }
  }

  private @Nullable Member<S> remove(S session) {
    for (Member<S> member : members) {
      if (member.session().equals(session)) {
        members = members.stream().filter(other -> other != member).toList();
        return member;
      }
    }
    return null;
  }

  private void add(Member<S> member) {
    List<Member<S>> more = new ArrayList<>(members);
    more.add(member);
    members = List.copyOf(more);
    serveWaiters();
  }

  /** A session drains or has ended: it takes no further work, and another one is connected. */
  public void retire(S session) {
    new ArrayList<>(keepers.values()).forEach(keeper -> keeper.retire(session));
  }

  public boolean isClosed() {
    return closed;
  }

  /** Gives up attempts and fails all waits. Established sessions are the caller's to close. Idempotent. */
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    nextResolve.run();
    keepers.values().forEach(SessionKeeper::close);
    keepers.clear();
    states.clear();
    members = List.of();
    paused.clear();
    while (!waiters.isEmpty()) {
      fail(waiters.poll(), closedError());
    }
  }

  private NodeClosedException closedError() {
    return new NodeClosedException("remote '" + spec.description + "' is closed");
  }

  private void resolve() {
    if (resolving || closed) {
      return;
    }
    resolving = true;
    nextResolve.run();
    resolver.resolve(this::resolved, this::notResolved);
  }

  private void resolved(List<String> addresses) {
    resolving = false;
    if (closed) {
      return;
    }
    unresolved = 0;
    resolveFailure = null;
    resolvedAtNanos = ticks.nowNanos();
    wanted = List.copyOf(new LinkedHashSet<>(addresses));
    for (String address : wanted) {
      keepers.computeIfAbsent(address, this::keeper).need();
    }
    new ArrayList<>(keepers.values()).forEach(this::leaveUnwanted);
    if (spec.balancing != Balancing.NONE) {
      nextResolve = ticks.after(RESOLVE_NANOS, this::resolve);
    }
  }

  private SessionKeeper<S> keeper(String address) {
    states.put(address, "connecting");
    return new SessionKeeper<>(address, spec.connector.apply(address), ticks, spec.backoff, events);
  }

  private void notResolved(Throwable cause) {
    resolving = false;
    if (closed) {
      return;
    }
    resolveFailure = cause;
    unresolved++;
    if (unresolved % LOGGED_ATTEMPTS == 1) {
      LOG.info(
          "remote '{}': its addresses are not known, the lookup will be repeated: {}",
          spec.description,
          cause.getMessage());
    }
    nextResolve = ticks.after(spec.backoff.nanos(unresolved, ticks.random()), this::resolve);
    failWaitersFast();
  }

  /** Looks the addresses up again, as the end of a session or a failure may mean that they changed. */
  private void resolveSoon() {
    if (spec.balancing == Balancing.NONE || resolving || closed) {
      return;
    }
    nextResolve.run();
    long since = ticks.nowNanos() - resolvedAtNanos;
    nextResolve = ticks.after(Math.max(0, RESOLVE_AGAIN_NANOS - since), this::resolve);
  }

  /** Drops the keeper of an address that no instance has any more, once its session is over. */
  private void leaveUnwanted(SessionKeeper<S> keeper) {
    if (!wanted.contains(keeper.address()) && keeper.state() != SessionKeeper.State.CONNECTED) {
      drop(keeper);
    }
  }

  private void drop(SessionKeeper<S> keeper) {
    keeper.close();
    keepers.remove(keeper.address(), keeper);
    states.remove(keeper.address());
  }

  private void serveWaiters() {
    while (!waiters.isEmpty()) {
      Member<S> member = pick();
      if (member == null) {
        return;
      }
      Waiter waiter = waiters.poll();
      waiter.bound.run();
      Guarded.run("remote", () -> waiter.ready.accept(member));
    }
  }

  /** Returns whether no address has a session with a rail, and none is in its first attempt. */
  private boolean allFailed() {
    return keepers.isEmpty()
        ? resolveFailure != null
        : keepers.values().stream().allMatch(this::hasFailed);
  }

  private boolean hasFailed(SessionKeeper<S> keeper) {
    return keeper.state() == SessionKeeper.State.CONNECTED
        ? members.isEmpty()
        : keeper.lastFailure() != null;
  }

  private void failWaitersFast() {
    if (!spec.failFast || !allFailed()) {
      return;
    }
    for (Waiter waiter : List.copyOf(waiters)) {
      if (!waiter.patient && waiters.remove(waiter)) {
        fail(waiter, unreachable("is not reachable now"));
      }
    }
  }

  /** Returns the failure of the first address if no attempt at any address can succeed; otherwise null. */
  private @Nullable Throwable permanentFailure() {
    boolean all =
        keepers.values().stream().allMatch(keeper -> keeper.state() == SessionKeeper.State.FAILED);
    return all && !keepers.isEmpty() ? keepers.values().iterator().next().lastFailure() : null;
  }

  private void failWaitersForGood() {
    Throwable permanent = permanentFailure();
    while (permanent != null && !waiters.isEmpty()) {
      fail(waiters.poll(), permanent);
    }
  }

  private void fail(Waiter waiter, Throwable cause) {
    waiter.bound.run();
    Guarded.run("remote", () -> waiter.failed.accept(cause));
  }

  private PeerUnreachableException unreachable(String how) {
    String reasons = keepers.values().stream()
        .map(SessionKeeper::lastFailure)
        .filter(cause -> cause != null)
        .map(Throwable::getMessage)
        .distinct()
        .collect(Collectors.joining("; "));
    Throwable lookup = resolveFailure;
    if (reasons.isEmpty() && lookup != null) {
      reasons = String.valueOf(lookup.getMessage());
    }
    String lost = paused.stream()
        .map(member -> member.session() + " has no rail at present")
        .collect(Collectors.joining("; "));
    String joined = reasons.isEmpty() || lost.isEmpty() ? reasons + lost : lost + "; " + reasons;
    String why = joined.isEmpty() ? "no attempt has ended" : joined;
    return new PeerUnreachableException("remote '" + spec.description + "' " + how + ": " + why);
  }
}
