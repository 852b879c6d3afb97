package io.railflux.engine;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.InboundStream;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.Versions;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import reactor.core.publisher.Operators;

/** Two threads request while the engine takes their demand. The sum is exact, or unbounded. */
@JCStressTest
@Outcome(id = "12, 9223372036854775807", expect = Expect.ACCEPTABLE, desc = "nothing lost or added")
@State
public class RequestStress {

  private static final EngineConfig CONFIG = new EngineConfig(
      "race",
      new EngineConfig.Limits(1 << 16, 1 << 16, 64, 1024, 2, 2, 1),
      EngineConfig.Timing.DEFAULT,
      EngineConfig.defaults("race").striping());

  private static final Hello HELLO = new Hello(
      Versions.SUPPORTED,
      0,
      new Hello.Identity(1, 1, 0, 0, "peer"),
      new Hello.Attempt(0, 0, 0),
      new Hello.Limits(64, 1024, 2, 2),
      Authentication.NOTHING,
      null);

  private final Engine engine = new Engine(CONFIG, new RaceHost(), 0);
  private final InboundStream few;
  private final InboundStream many;

  public RequestStress() {
    var session = new VirtualChannel.Session(
        new Incarnation(1, 1), "peer", 0, HELLO, 64, null, Role.ACCEPTOR);
    VirtualChannel channel = new VirtualChannel(engine, session, false);
    few =
        new InboundStream(channel.streams(), "few", "numbers", false, Operators.emptySubscriber());
    many =
        new InboundStream(channel.streams(), "many", "numbers", false, Operators.emptySubscriber());
    few.opened(1, 0);
    many.opened(2, 0);
  }

  @Actor
  public void one() {
    few.request(5);
    many.request(Long.MAX_VALUE - 1);
  }

  @Actor
  public void otherAndTheEngine() {
    few.request(7);
    many.request(7);
    engine.dutyCycle(0);
  }

  @Arbiter
  public void after(JJ_Result result) {
    engine.dutyCycle(0);
    result.r1 = few.openDemand();
    result.r2 = many.openDemand();
  }
}
