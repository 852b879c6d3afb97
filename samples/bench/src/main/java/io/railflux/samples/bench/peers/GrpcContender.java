package io.railflux.samples.bench.peers;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.railflux.samples.cli.measure.Sample;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** gRPC over TCP without TLS: one bidirectional call per round, on the thread of its connection. */
final class GrpcContender implements Contender {

  private static final int MAX_MESSAGE_BYTES = 64 << 20;
  private static final int WINDOW_BYTES = 8 << 20;

  /** Unsent bytes before a sender must wait. The default of 32 KiB admits no large message. */
  private static final int MIN_UNSENT_BYTES = 256 << 10;

  private static final int MIN_UNSENT_MESSAGES = 4;

  private static final MethodDescriptor<byte[], byte[]> EXCHANGE =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("compare/exchange")
          .setRequestMarshaller(new ByteArrayMarshaller())
          .setResponseMarshaller(new ByteArrayMarshaller())
          .build();

  @Override
  public Far serve(Job job) throws IOException {
    ByteArrays bytes = new ByteArrays(job);
    Server server = NettyServerBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .directExecutor()
        .flowControlWindow(WINDOW_BYTES)
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .addService(ServerServiceDefinition.builder("compare")
            .addMethod(
                EXCHANGE,
                ServerCalls.asyncBidiStreamingCall(answers -> new Answering(job, bytes, answers)))
            .build())
        .build()
        .start();
    return new Served(server);
  }

  @Override
  public Near connect(String address, Job job) {
    ManagedChannel channel = NettyChannelBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address)))
        .directExecutor()
        .flowControlWindow(WINDOW_BYTES)
        .usePlaintext()
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .build();
    return new Client(channel, job);
  }

  private record Served(Server server) implements Far {

    @Override
    public String address() {
      return String.valueOf(server.getPort());
    }

    @Override
    public void close() {
      server.shutdownNow();
    }
  }

  private record Client(ManagedChannel channel, Job job) implements Near {

    @Override
    public Sample round(long nanos) throws InterruptedException {
      return exchange(
          job.roundTrip() ? new GrpcRoundTrips(job, nanos) : new GrpcOneWay(job, nanos));
    }

    @Override
    public void rest(long nanos) throws InterruptedException {
      round(0);
      Thread.sleep(nanos / 1_000_000);
    }

    private Sample exchange(GrpcRound round) throws InterruptedException {
      int unsentBytes = Math.max(MIN_UNSENT_BYTES, MIN_UNSENT_MESSAGES * job.sizeBytes());
      CallOptions options = CallOptions.DEFAULT.withOnReadyThreshold(unsentBytes);
      ClientCalls.asyncBidiStreamingCall(channel.newCall(EXCHANGE, options), round);
      return round.await();
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }

  /** The far side of one call. */
  private static final class Answering implements StreamObserver<byte[]> {

    private final Arrivals work;
    private final ByteArrays bytes;
    private final StreamObserver<byte[]> answers;

    Answering(Job job, ByteArrays bytes, StreamObserver<byte[]> answers) {
      this.work = new Arrivals(job.roundTrip());
      this.bytes = bytes;
      this.answers = answers;
    }

    @Override
    public void onNext(byte[] message) {
      long answer = work.onMessage(bytes.read(message));
      if (answer != Arrivals.SILENCE) {
        answers.onNext(bytes.message(answer));
      }
    }

    @Override
    public void onError(Throwable failure) {
      // The near side ended the call, which ends a round of round trips.
    }

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }
}
