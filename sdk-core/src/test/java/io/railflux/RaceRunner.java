package io.railflux;

import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;

/**
 * Runs one {@code @JCStressTest} class from a JUnit test: every interleaving that its outcomes forbid fails it. Each
 * compilation mode gets a JVM of its own; a run takes a few seconds.
 */
public final class RaceRunner {

  private RaceRunner() {}

  public static void run(Class<?> race) throws Exception {
    String[] arguments = {
      "-t", "^" + race.getCanonicalName().replace(".", "\\.") + "$",
      "-sc", "false",
      "-f", "1",
      "-iters", "3",
      "-time", "200",
      "-jvmArgs", "-Xmx256m",
      "-r", "target/jcstress/" + race.getSimpleName() + "/",
    };
    Options options = new Options(arguments);
    if (!options.parse()) {
      throw new IllegalArgumentException("jcstress does not know its arguments");
    }
    new JCStress(options).run();
  }
}
