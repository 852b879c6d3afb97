package io.railflux.samples.cli.netlab;

import java.time.Duration;

/** One stream to the far host, and the result of the far host. */
final class Flow {

  private final Line line;
  private final int stream;
  private final int sizeBytes;
  private final Source source;

  private Flow(Line line, int stream, int sizeBytes) {
    this.line = line;
    this.stream = stream;
    this.sizeBytes = sizeBytes;
    line.order(Order.of(Order.Task.RECEIVE, stream, sizeBytes));
    this.source = Source.start(line.peer(), stream, sizeBytes);
  }

  static Flow begin(Line line, int stream, int sizeBytes) {
    return new Flow(line, stream, sizeBytes);
  }

  Order.Pace pace(Order.Span span) {
    return line.order(new Order(Order.Task.REPORT, stream, sizeBytes, span)).pace();
  }

  /** Ends the stream and waits until all messages were acknowledged. */
  Order.Tally end() {
    return end(Line.PATIENCE);
  }

  Order.Tally end(Duration patience) {
    long sent = source.end(patience);
    Order.Tally came =
        line.order(Order.of(Order.Task.REPORT, stream, sizeBytes)).tally().of(sent);
    line.count(came);
    return came;
  }
}
