package io.railflux;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;

/**
 * Runs every {@code @JCStressTest} class. An interleaving with a forbidden outcome fails this test. One run covers all
 * classes, because jcstress starts some thirty JVMs to examine the machine before the first test.
 */
@Tag("RV5")
class RacesTest {

  @Test
  void noForbiddenOutcome() throws Exception {
    String[] arguments = {
      "-t",
      "^io\\.railflux\\.",
      "-sc",
      "false",
      "-c",
      Integer.toString(Runtime.getRuntime().availableProcessors()),
      "-f",
      "1",
      "-iters",
      Integer.toString(Depth.of(1, 3)),
      "-time",
      Integer.toString(Depth.of(100, 200)),
      "-jvmArgs",
      "-Xmx256m",
      "-r",
      "target/jcstress/",
    };
    Options options = new Options(arguments);
    if (!options.parse()) {
      throw new IllegalArgumentException("jcstress does not accept its arguments");
    }
    new JCStress(options).run();
  }
}
