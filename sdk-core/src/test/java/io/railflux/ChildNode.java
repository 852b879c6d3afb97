package io.railflux;

import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;

/**
 * A process with one node. It counts the stream {@code up}, verifies its order, and accepts messages of any size as
 * {@code large}. It sends endless numbers as {@code down}, and large messages as {@code down-large}. It prints each
 * event as a line.
 */
public final class ChildNode {

  private static final long SUM_FACTOR = 31;

  private ChildNode() {}

  /** Order-sensitive checksum of numbers, equal on both sides. */
  static long checksum(long sum, long value) {
    return sum * SUM_FACTOR + value;
  }

  public static void main(String[] arguments) {
    Node node = Railflux.create()
        .name("child")
        .fabrics(new ShmFabricProvider(Path.of(arguments[0])), new TcpFabricProvider())
        .start()
        .block();
    if (arguments[2].equals("bind")) {
      node.bind(arguments[1]).block();
      node.peers().subscribe(ChildNode::serve);
    } else {
      serve(node.connect(arguments[1]).block());
    }
    say("ready");
    node.onClose().block();
    say("closed");
  }

  private static void serve(Peer peer) {
    AtomicLong count = new AtomicLong();
    AtomicLong sum = new AtomicLong();
    peer.receive("up", Codecs.int64())
        .doOnNext(n -> {
          if (n != count.getAndIncrement()) {
            say("up disordered at " + count);
          }
          sum.set(checksum(sum.get(), n));
        })
        .subscribe(
            n -> {},
            e -> say("up failed " + e.getClass().getSimpleName() + " " + count),
            () -> say("up complete " + count + " " + sum));
    peer.receiveMessages("large")
        .doOnNext(message -> {
          say("large " + message.lengthBytes());
          message.close();
        })
        .subscribe(
            message -> {},
            e -> say("large failed " + e.getClass().getSimpleName()),
            () -> say("large complete"));
    peer.send("down-large", Codecs.bytes(), Flux.range(0, 1_000_000).map(n -> new byte[6 << 20]))
        .subscribe(x -> {}, e -> {});
    AtomicLong taken = new AtomicLong();
    Flux<Long> endless = Flux.<Long, Long>generate(() -> 0L, (n, sink) -> {
          sink.next(n);
          return n + 1;
        })
        .doOnNext(n -> taken.incrementAndGet());
    peer.send("down", Codecs.int64(), endless)
        .subscribe(
            x -> {},
            e -> say("down failed " + e.getClass().getSimpleName() + " " + taken),
            () -> say("down complete " + taken));
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
