package io.railflux.samples.bench.peers;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Arrays in the form with the fewest copies in gRPC, as in its protobuf marshaller. */
final class ByteArrayMarshaller implements MethodDescriptor.Marshaller<byte[]> {

  @Override
  public InputStream stream(byte[] message) {
    return new Drained(message);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try (stream) {
      byte[] message = new byte[stream.available()];
      int read = stream.readNBytes(message, 0, message.length);
      if (read != message.length) {
        throw new IOException("a message ended after " + read + " of " + message.length + " bytes");
      }
      return message;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Drained extends ByteArrayInputStream
      implements Drainable, KnownLength {

    Drained(byte[] message) {
      super(message);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int bytes = available();
      target.write(buf, pos, bytes);
      pos = count;
      return bytes;
    }
  }
}
