package io.railflux.pipeline;

import io.railflux.message.Headers;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.Metadata;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts headers and context entries to and from the metadata of a frame. */
public final class Metadatas {

  private Metadatas() {}

  /** Returns the metadata between position and limit; null if empty. */
  public static ByteBuffer encode(Headers headers, Map<String, String> context) {
    if (headers.isEmpty() && context.isEmpty()) {
      return null;
    }
    List<Metadata.Entry> entries = new ArrayList<>(headers.size() + context.size());
    for (String name : headers.names()) {
      entries.add(new Metadata.Entry(Metadata.HEADER, name, headers.get(name).orElseThrow()));
    }
    context.forEach((name, value) -> entries.add(
        new Metadata.Entry(Metadata.CONTEXT, name, value.getBytes(StandardCharsets.UTF_8))));
    ByteBuffer encoded =
        ByteBuffer.allocate(Metadata.encodedBytes(entries)).order(ByteOrder.LITTLE_ENDIAN);
    Metadata.encode(entries, encoded);
    return encoded.flip();
  }

  /** Metadata of a frame. */
  public record Decoded(Headers headers, Map<String, String> context) {

    private static final Decoded NOTHING = new Decoded(Headers.empty(), Map.of());
  }

  /**
   * Reads the metadata of a frame.
   *
   * @throws IllegalArgumentException if the metadata is malformed
   */
  public static Decoded decode(ReceivedFrame frame) {
    if (frame.metadataBytes() == 0) {
      return Decoded.NOTHING;
    }
    try {
      return collect(Metadata.decode(frame.metadata()));
    } catch (MalformedFrameException e) {
      throw new IllegalArgumentException("metadata of the message: " + e.getMessage(), e);
    }
  }

  private static Decoded collect(List<Metadata.Entry> entries) {
    Headers headers = Headers.empty();
    Map<String, String> context = new LinkedHashMap<>();
    for (Metadata.Entry entry : entries) {
      if (entry.kind() == Metadata.CONTEXT) {
        context.put(entry.name(), new String(entry.value(), StandardCharsets.UTF_8));
      } else {
        headers = headers.with(entry.name(), entry.value());
      }
    }
    return new Decoded(headers, context);
  }
}
