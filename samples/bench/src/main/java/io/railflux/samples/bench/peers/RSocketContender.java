package io.railflux.samples.bench.peers;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.ByteBufPayload;
import reactor.core.publisher.Flux;

/** RSocket over TCP: one channel per round, with the zero-copy decoder. */
final class RSocketContender implements Contender {

  private static final String HOST = "127.0.0.1";
  private static final int WINDOW_BYTES = 4 << 20;

  @Override
  public Far serve(Job job) {
    ByteBufs bytes = new ByteBufs(job);
    CloseableChannel server = RSocketServer.create(SocketAcceptor.forRequestChannel(messages -> {
          Arrivals work = new Arrivals(job.roundTrip());
          // Without a bound the transport would take all messages at once and buffer them.
          return Flux.from(messages)
              .limitRate(window(job.sizeBytes()))
              .<Payload>handle((message, sink) -> {
                long answer = onMessage(work, bytes, message);
                if (answer != Arrivals.SILENCE) {
                  sink.next(ByteBufPayload.create(bytes.message(answer)));
                }
              });
        }))
        .payloadDecoder(PayloadDecoder.ZERO_COPY)
        .bindNow(TcpServerTransport.create(HOST, 0));
    return new Served(server);
  }

  private static int window(int sizeBytes) {
    return Math.max(8, Math.min(1024, WINDOW_BYTES / sizeBytes));
  }

  private static long onMessage(Arrivals work, ByteBufs bytes, Payload message) {
    try {
      return work.onMessage(bytes.read(message.sliceData()));
    } finally {
      message.release();
    }
  }

  @Override
  public Near connect(String address, Job job) {
    ByteBufs bytes = new ByteBufs(job);
    RSocket socket = RSocketConnector.create()
        .payloadDecoder(PayloadDecoder.ZERO_COPY)
        .connect(TcpClientTransport.create(HOST, Integer.parseInt(address)))
        .block();
    Arrivals work = new Arrivals(true);
    return new ReactiveNear<>(
        job,
        number -> ByteBufPayload.create(bytes.message(number)),
        messages -> socket
            .requestChannel(messages.cast(Payload.class))
            .map(message -> onMessage(work, bytes, message)),
        socket);
  }

  private record Served(CloseableChannel server) implements Far {

    @Override
    public String address() {
      return String.valueOf(server.address().getPort());
    }

    @Override
    public void close() {
      server.dispose();
    }
  }
}
