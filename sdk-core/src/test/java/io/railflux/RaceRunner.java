package io.railflux;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;

/**
 * Runs {@code @JCStressTest} classes from a JUnit test: every interleaving that their outcomes forbid fails it. Each
 * compilation mode gets a JVM of its own; a class takes a few seconds, and so does to find out once what the machine
 * can do.
 */
public final class RaceRunner {

  private RaceRunner() {}

  public static void run(Class<?>... races) throws Exception {
    String names = Stream.of(races)
        .map(race -> race.getCanonicalName().replace(".", "\\."))
        .collect(Collectors.joining("|"));
    String[] arguments = {
      "-t", "^(" + names + ")$",
      "-sc", "false",
      "-f", "1",
      "-iters", "3",
      "-time", "200",
      "-jvmArgs", "-Xmx256m",
      "-r", "target/jcstress/" + races[0].getSimpleName() + "/",
    };
    Options options = new Options(arguments);
    if (!options.parse()) {
      throw new IllegalArgumentException("jcstress does not know its arguments");
    }
    new JCStress(options).run();
  }
}
