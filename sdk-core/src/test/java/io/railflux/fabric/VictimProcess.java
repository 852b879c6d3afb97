package io.railflux.fabric;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that listens and accepts until it is killed. */
public final class VictimProcess implements FabricFixture.Victim {

  private static final String READY = "listening at ";

  private final Process process;
  private final String location;

  private VictimProcess(Process process, String location) {
    this.process = process;
    this.location = location;
  }

  /**
   * @param provider a class with a public constructor without parameters
   */
  static VictimProcess start(Class<? extends FabricProvider> provider, String location)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(VictimProcess::isForNativeCode)
        .forEach(command::add);
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("railflux."))
        .sorted()
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.addAll(List.of(VictimProcess.class.getName(), provider.getName(), location));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new VictimProcess(process, locationOf(process));
  }

  private static boolean isForNativeCode(String flag) {
    return flag.startsWith("--add-exports")
        || flag.startsWith("--enable-native-access")
        || flag.startsWith("-Djava.library.path");
  }

  private static String locationOf(Process process) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder printed = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(READY)) {
        return line.substring(READY.length());
      }
      printed.append(line).append('\n');
    }
    throw new IOException("the victim ended before it listened:\n" + printed);
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  public static void main(String[] arguments) throws Exception {
    Class<?> type = Class.forName(arguments[0]);
    FabricProvider provider = (FabricProvider) type.getDeclaredConstructor().newInstance();
    try (RealContext context = new RealContext();
        Fabric fabric = provider.open(context);
        Fabric.Listening listening = fabric.listen(arguments[1], new RecordingListener())) {
      System.out.println(READY + listening.location());
      System.out.flush();
      while (true) {
        fabric.poll(16);
        context.sleep(1);
      }
    }
  }
}
