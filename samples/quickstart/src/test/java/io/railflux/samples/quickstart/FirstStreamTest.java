package io.railflux.samples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.Node;
import io.railflux.Railflux;
import io.railflux.samples.quickstart.FirstStream.Trade;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exchange runs in its own process. The desks run in this one. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FirstStreamTest {

  private final String address = Addresses.fresh();
  private Process exchange;

  @BeforeEach
  void start() throws IOException {
    exchange = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            FirstStream.class.getName(),
            "exchange",
            address)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    BufferedReader output = exchange.inputReader(UTF_8);
    assertEquals("listening at " + address, output.readLine());
  }

  @AfterEach
  void stop() throws InterruptedException {
    exchange.destroy();
    exchange.waitFor();
  }

  @Test
  void deskReceivesEveryTradeInOrder() {
    assertEquals(ids(1_000), FirstStream.desk(address).stream().map(Trade::id).toList());
  }

  @Test
  void cancellationOfOneDeskDoesNotAffectOthers() {
    Node leaving = Railflux.create().name("leaving").start().block(TwoNodes.PATIENCE);
    List<Long> first = leaving
        .connect(address)
        .flatMapMany(peer -> peer.receive("trades", FirstStream.TRADE).take(3))
        .map(Trade::id)
        .collectList()
        .block(TwoNodes.PATIENCE);
    leaving.close().block(TwoNodes.PATIENCE);

    assertEquals(ids(3), first);
    assertEquals(ids(1_000), FirstStream.desk(address).stream().map(Trade::id).toList());
  }

  private static List<Long> ids(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }
}
