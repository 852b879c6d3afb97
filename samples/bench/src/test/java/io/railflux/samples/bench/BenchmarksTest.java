package io.railflux.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark for a moment, without a meaningful figure, so that it keeps working. */
class BenchmarksTest {

  @Test
  void everyBenchmarkRuns() throws Exception {
    // Concurrent benchmarks on this machine must not fail the test.
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
            "ChannelChoiceBenchmark.bestMapping",
            "ChannelChoiceBenchmark.bestMappingByDoubleLoop",
            "ChannelChoiceBenchmark.tick",
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
