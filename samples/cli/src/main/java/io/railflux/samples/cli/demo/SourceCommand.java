package io.railflux.samples.cli.demo;

import io.railflux.Node;
import io.railflux.samples.cli.shell.FabricOptions;
import io.railflux.samples.cli.shell.Lifeline;
import io.railflux.samples.cli.shell.Network;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The first process of the demo on one host. */
@Command(name = "demo-source", hidden = true)
public final class SourceCommand implements Callable<Integer> {

  @Mixin
  private FabricOptions fabric;

  @Option(names = "--seconds")
  private Integer seconds;

  @Option(names = "--input")
  private Path input;

  @Option(names = "--flood")
  private boolean flood;

  @Override
  public Integer call() throws InterruptedException {
    Node node = fabric.network().node("demo-source").start().block();
    Lifeline.watch(node);
    SourceRun run = new SourceRun(new EventSource(seconds, input, flood));
    run.run(Network.connect(node, fabric.connect()));
    // The parent ends this process.
    Thread.currentThread().join();
    return 0;
  }
}
