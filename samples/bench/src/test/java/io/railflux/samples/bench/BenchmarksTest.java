package io.railflux.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** No benchmark rots: each runs, for an instant and without a figure worth reading. */
class BenchmarksTest {

  @Test
  void everyBenchmarkRuns() throws Exception {
    // Benchmarks running elsewhere on this machine are no reason to fail.
    System.setProperty("jmh.ignoreLock", "true");
    var results = new Runner(new OptionsBuilder()
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build())
        .run();
    List<String> ran = results.stream()
        .map(result -> result.getParams().getBenchmark())
        .map(name -> name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1))
        .distinct()
        .sorted()
        .toList();
    assertEquals(
        List.of(
            "CodecBenchmark.decode",
            "CodecBenchmark.encode",
            "FrameHeaderBenchmark.parse",
            "FrameHeaderBenchmark.publish",
            "PipelineBenchmark.decode",
            "PipelineBenchmark.generate",
            "PipelineBenchmark.receive",
            "PipelineBenchmark.send",
            "ReceiveStagesBenchmark.poll",
            "ReceiveStagesBenchmark.pollAndUnpack",
            "ReceiveStagesBenchmark.receiveWindow",
            "ReceiveStagesBenchmark.reorderTwo",
            "RequestBenchmark.request",
            "RingBenchmark.writeAndRead",
            "RingBenchmark.writeAndReadBatch",
            "RoundTripBenchmark.await",
            "RoundTripBenchmark.thereAndBack",
            "SendStagesBenchmark.creditGate",
            "SendStagesBenchmark.creditGateLooking",
            "SendStagesBenchmark.encode",
            "SendStagesBenchmark.publishAlone",
            "SendStagesBenchmark.publishBatch",
            "SendStagesBenchmark.stripe",
            "StreamBenchmark.oneWay",
            "StreamBenchmark.request",
            "StreamBenchmark.requestsAtOnce",
            "WholeWayBenchmark.receive",
            "WholeWayBenchmark.send",
            "WholeWayBenchmark.sendAndReceive"),
        ran);
  }
}
