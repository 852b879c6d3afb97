package io.railflux.samples.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/**
 * Reactor Netty over TCP with minimal framing, and one connection per round. Prefetch and write batches cover several
 * MiB instead of 128 messages, and large messages are read in one piece.
 */
final class NettyContender implements Contender {

  private static final String HOST = "127.0.0.1";
  private static final int WINDOW_BYTES = 4 << 20;
  private static final int MAX_PREFETCHED = 1024;
  private static final int MAX_READ_BYTES = 2 << 20;
  private static final WriteBufferWaterMark UNWRITTEN =
      new WriteBufferWaterMark(512 << 10, 1 << 20);

  /** Sets the prefetch, which the sending class reads once. */
  private static void prefetch(Job job) {
    int messages = Math.max(8, Math.min(MAX_PREFETCHED, WINDOW_BYTES / job.sizeBytes()));
    System.setProperty("reactor.netty.send.maxPrefetchSize", String.valueOf(messages));
  }

  private static RecvByteBufAllocator reads() {
    return new AdaptiveRecvByteBufAllocator(64, 64 << 10, MAX_READ_BYTES);
  }

  @Override
  public Far serve(Job job) {
    prefetch(job);
    ByteBufs bytes = new ByteBufs(job);
    DisposableServer server = TcpServer.create()
        .host(HOST)
        .port(0)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, reads())
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNWRITTEN)
        .doOnConnection(connection -> frame(connection, job))
        .handle((in, out) -> out.send(answers(in, job, bytes).map(bytes::message), answer -> true))
        .bindNow();
    return new Served(server);
  }

  private static void frame(Connection connection, Job job) {
    connection.addHandlerLast(new FixedLengthFrameDecoder(job.sizeBytes()));
  }

  private static Flux<Long> answers(NettyInbound in, Job job, ByteBufs bytes) {
    Flux<Long> answers = numbers(in, new Arrivals(job.roundTrip()), bytes);
    // The single answer of a round must not block the counted messages.
    return job.roundTrip() ? answers : answers.onBackpressureBuffer();
  }

  private static Flux<Long> numbers(NettyInbound in, Arrivals work, ByteBufs bytes) {
    return in.receive().handle((message, sink) -> {
      long answer = work.onMessage(bytes.read(message));
      if (answer != Arrivals.SILENCE) {
        sink.next(answer);
      }
    });
  }

  @Override
  public Near connect(String address, Job job) {
    prefetch(job);
    ByteBufs bytes = new ByteBufs(job);
    TcpClient client = TcpClient.create()
        .host(HOST)
        .port(Integer.parseInt(address))
        .option(ChannelOption.RECVBUF_ALLOCATOR, reads())
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, UNWRITTEN)
        .doOnConnected(connection -> frame(connection, job));
    return new ReactiveNear<>(
        job,
        bytes::message,
        messages -> exchange(client, messages, job.roundTrip(), bytes),
        () -> {});
  }

  private static Flux<Long> exchange(
      TcpClient client, Flux<ByteBuf> messages, boolean roundTrip, ByteBufs bytes) {
    return Flux.usingWhen(
        client.connect(),
        connection -> {
          Mono<Void> sent = (roundTrip
                  ? connection.outbound().send(messages, message -> true)
                  : connection.outbound().send(messages))
              .then();
          return Flux.merge(
              numbers(connection.inbound(), new Arrivals(true), bytes), sent.cast(Long.class));
        },
        connection -> Mono.fromRunnable(connection::dispose));
  }

  private record Served(DisposableServer server) implements Far {

    @Override
    public String address() {
      return String.valueOf(server.port());
    }

    @Override
    public void close() {
      server.disposeNow();
    }
  }
}
