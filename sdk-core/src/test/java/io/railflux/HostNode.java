package io.railflux;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;

/**
 * A process with one node on its own host: {@code HostNode <name> <bind|connect|both> <address>
 * <sender|receiver> <partitionMillis>}. The mode {@code both} binds a port on all addresses before it connects. The
 * sender sends endless numbers as {@code numbers}. The receiver verifies and counts them. The process reads commands
 * from standard input. It writes answers and its log to standard output.
 */
public final class HostNode {

  private static final String SECRET = "known to both hosts of the test";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Node node;
  private final boolean sender;
  private final AtomicLong count = new AtomicLong();
  private volatile boolean ending;
  private volatile Peer peer;

  private HostNode(String[] arguments) {
    node = Railflux.create()
        .name(arguments[0])
        .fabrics(new TcpFabricProvider())
        .secret(() -> List.of(SECRET))
        .partitionTimeout(Duration.ofMillis(Long.parseLong(arguments[4])))
        .meterRegistry(registry)
        .start()
        .block();
    sender = arguments[3].equals("sender");
  }

  public static void main(String[] arguments) throws IOException {
    HostNode host = new HostNode(arguments);
    if (arguments[1].equals("bind")) {
      host.node.peers().subscribe(host::stream);
      host.node.bind(arguments[2]).block();
    } else {
      if (arguments[1].equals("both")) {
        host.node.bind("tcp:*:0").block();
      }
      host.stream(host.node.connect(arguments[2]).block());
    }
    say("ready");
    host.obey();
  }

  private void stream(Peer met) {
    peer = met;
    peer.railEvents().subscribe(event -> say("rail " + event.kind() + " " + event.text()));
    if (sender) {
      peer.send("numbers", Codecs.int64(), numbers())
          .subscribe(x -> {}, HostNode::failed, () -> say("sent " + count));
    } else {
      count.set(0);
      peer.receive("numbers", Codecs.int64())
          .doOnNext(this::check)
          .subscribe(x -> {}, HostNode::failed, () -> say("received " + count));
    }
  }

  private Flux<Long> numbers() {
    return Flux.generate(sink -> {
      if (ending) {
        sink.complete();
      } else {
        sink.next(count.getAndIncrement());
      }
    });
  }

  private void check(long number) {
    if (number != count.getAndIncrement()) {
      say("disordered: " + number + " came as number " + (count.get() - 1));
    }
  }

  private static void failed(Throwable failure) {
    long acknowledged =
        failure instanceof DeliveryUnknownException lost ? lost.acknowledgedCount() : -1;
    say("stream failed " + failure.getClass().getSimpleName() + " " + acknowledged + " "
        + failure.getMessage());
  }

  private void obey() throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      if (order.equals("end")) {
        ending = true;
      } else if (order.equals("count")) {
        say("count " + count);
      } else if (order.equals("rails")) {
        say("rails " + peer.rails().stream().filter(RailStatus::available).count());
      } else if (order.startsWith("add ")) {
        say("added " + node.addRail(order.substring(4)).block());
      } else if (order.startsWith("remove ")) {
        node.removeRail(order.substring(7)).block();
        say("removed");
      } else {
        say(order + " " + sum(order));
      }
    }
    // The parent process has ended.
    System.exit(0);
  }

  /** Returns the sum of a meter over all peers. */
  private long sum(String meter) {
    double sum = 0;
    for (Meter found : registry.find(meter).meters()) {
      if (found instanceof FunctionCounter counter) {
        sum += counter.count();
      } else if (found instanceof Gauge gauge) {
        sum += gauge.value();
      }
    }
    return Math.round(sum);
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
