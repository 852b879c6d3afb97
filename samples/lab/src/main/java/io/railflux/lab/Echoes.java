package io.railflux.lab;

import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/** Repeats completions of requests and of immediates after a delay. The engine must filter them out. */
final class Echoes {

  private static final double RATE = 0.01;
  private static final int MAX_POLLS = 50;

  private final SeededRandom random;
  private final Runnable counted;
  private final List<Echo> due = new ArrayList<>();

  /** A completion to repeat, and the number of polls until then. */
  private static final class Echo {
    private final FabricListener listener;
    private final Endpoint endpoint;
    private final Completion completion;
    private int polls;

    Echo(FabricListener listener, Endpoint endpoint, Completion completion, int polls) {
      this.listener = listener;
      this.endpoint = endpoint;
      this.completion = completion;
      this.polls = polls;
    }
  }

  /**
   * @param counted runs once for each repeated completion
   */
  Echoes(SeededRandom random, Runnable counted) {
    this.random = random;
    this.counted = counted;
  }

  /** Handles a completion that was reported to the engine. */
  void onReported(FabricListener listener, Endpoint endpoint, Completion of) {
    if (of.succeeded() && of.opcode() != Opcode.RECEIVE && random.chance(RATE)) {
      Completion copy =
          new Completion().set(of.id(), of.opcode(), of.status(), of.lengthBytes(), of.immediate());
      due.add(new Echo(listener, endpoint, copy, random.between(1, MAX_POLLS)));
    }
  }

  /**
   * @param open whether an endpoint still reports completions
   */
  void poll(LongPredicate open) {
    for (int i = due.size() - 1; i >= 0; i--) {
      Echo echo = due.get(i);
      if (--echo.polls == 0) {
        due.remove(i);
        if (open.test(echo.endpoint.id())) {
          counted.run();
          echo.listener.onCompletion(echo.endpoint, echo.completion);
        }
      }
    }
  }
}
