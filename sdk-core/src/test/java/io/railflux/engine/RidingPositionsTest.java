package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.ring.AckPolicy;
import io.railflux.fabric.sim.SimConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Sinks;

/** Read positions of a ring are sent in other frames, if possible, instead of separate requests. */
class RidingPositionsTest {

  private static final int ROUNDS = 3;

  private final TwoEngines engines = TwoEngines.connected(SimConfig.tcp());
  private final Sinks.Many<Long> questions = Sinks.many().unicast().onBackpressureBuffer();
  private final Sinks.Many<Long> answers = Sinks.many().unicast().onBackpressureBuffer();

  /** For each answer, whether the requester still waited for the acknowledgement of its question. */
  private final List<Boolean> owed = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(ints = {64, AckPolicy.LITTLE_BYTES, 2 * AckPolicy.LITTLE_BYTES, 64 << 10})
  void answerAcknowledgesItsQuestion(int bytes) {
    Flow asked = engines.flow("questions").sized(bytes);
    asked.onReceived = answers::tryEmitNext;
    asked.send(questions.asFlux()).receive();
    Flow answered = engines.flow("answers").back().sized(64);
    answered.onReceived = number -> owed.add(engines.nearChannel.live().get(0).isOwedCredit());
    answered.send(answers.asFlux()).receive();
    engines.pass(TwoEngines.MILLIS);
    for (long round = 0; round < ROUNDS; round++) {
      long number = round;
      engines.near.run(() -> questions.tryEmitNext(number));
      engines.await(() -> answered.received.size() > number);
      engines.pass(TwoEngines.MILLIS);
    }
    assertEquals(List.of(false, false, false), owed);
  }
}
