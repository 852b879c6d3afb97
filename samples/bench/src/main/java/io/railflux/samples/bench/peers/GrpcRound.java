package io.railflux.samples.bench.peers;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The near side of one call. Its methods run on the thread of the connection. */
abstract class GrpcRound implements ClientResponseObserver<byte[], byte[]> {

  private final CompletableFuture<Sample> result = new CompletableFuture<>();
  private final Arrivals work = new Arrivals(true);
  private final ByteArrays bytes;
  private ClientCallStreamObserver<byte[]> call;

  GrpcRound(Job job) {
    this.bytes = new ByteArrays(job);
  }

  /** Called when the transport accepts more messages. */
  abstract void onReady();

  abstract void onNumber(long number);

  @Override
  public final void beforeStart(ClientCallStreamObserver<byte[]> stream) {
    call = stream;
    stream.setOnReadyHandler(this::onReady);
  }

  @Override
  public final void onNext(byte[] message) {
    onNumber(work.onMessage(bytes.read(message)));
  }

  final boolean isReady() {
    return call.isReady();
  }

  final void send(long number) {
    call.onNext(bytes.message(number));
  }

  final void end(Sample sample) {
    result.complete(sample);
    call.onCompleted();
  }

  final void fail(String what) {
    result.completeExceptionally(new CommandFailure(what));
  }

  @Override
  public final void onError(Throwable failure) {
    result.completeExceptionally(failure);
  }

  @Override
  public final void onCompleted() {
    // No effect after the end of a round.
    fail("the far process ended the call");
  }

  final Sample await() throws InterruptedException {
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw new CommandFailure(CommandFailure.line(e.getCause()), e.getCause());
    }
  }
}
