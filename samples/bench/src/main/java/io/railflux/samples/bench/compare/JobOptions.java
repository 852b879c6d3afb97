package io.railflux.samples.bench.compare;

import io.railflux.samples.bench.peers.Contender;
import io.railflux.samples.bench.peers.Job;
import io.railflux.samples.bench.peers.Peer;
import io.railflux.samples.cli.measure.Work;
import java.util.Arrays;
import picocli.CommandLine.Option;

/** The options on which both sides of a pair agree. */
final class JobOptions {

  @Option(names = "--peer", required = true)
  private String name;

  @Option(names = "--kind", required = true, converter = Cell.KindReader.class)
  private Cell.Kind kind;

  @Option(names = "--size", required = true)
  private int sizeBytes;

  @Option(names = "--work", required = true, converter = Work.Reader.class)
  private Work work;

  Contender contender() {
    return Arrays.stream(Peer.values())
        .filter(contender -> contender.toString().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no peer has the name " + name))
        .make();
  }

  Cell.Kind kind() {
    return kind;
  }

  Job job() {
    return new Job(kind.exchange(), sizeBytes, work);
  }
}
