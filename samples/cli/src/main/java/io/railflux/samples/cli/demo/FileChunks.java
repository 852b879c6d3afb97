package io.railflux.samples.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A file by lines, including line ends. The chunks in order equal any file. Lines longer than a chunk are split. */
final class FileChunks {

  static final int MAX_BYTES = 32 << 10;

  private final InputStream in;
  private final byte[] buffer = new byte[4 * MAX_BYTES];
  private int start;
  private int end;

  private FileChunks(InputStream in) {
    this.in = in;
  }

  /** Reads on demand, on a thread that may block. */
  static Flux<byte[]> of(Path file) {
    return Flux.<byte[], FileChunks>generate(
            () -> new FileChunks(Files.newInputStream(file)),
            (chunks, sink) -> {
              try {
                byte[] chunk = chunks.next();
                if (chunk == null) {
                  sink.complete();
                } else {
                  sink.next(chunk);
                }
              } catch (IOException e) {
                sink.error(e);
              }
              return chunks;
            },
            FileChunks::close)
        .subscribeOn(Schedulers.boundedElastic());
  }

  /** Returns the next line or part of a line; null at the end of the file. */
  private byte[] next() throws IOException {
    int searched = start;
    while (true) {
      int limit = Math.min(end, start + MAX_BYTES);
      while (searched < limit) {
        if (buffer[searched++] == '\n') {
          return take(searched);
        }
      }
      if (limit - start == MAX_BYTES) {
        return take(limit);
      }
      searched -= start;
      if (!fill()) {
        return start == end ? null : take(end);
      }
      searched += start;
    }
  }

  private byte[] take(int until) {
    byte[] chunk = Arrays.copyOfRange(buffer, start, until);
    start = until;
    return chunk;
  }

  private boolean fill() throws IOException {
    if (end == buffer.length) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    int read = in.read(buffer, end, buffer.length - end);
    end += Math.max(0, read);
    return read >= 0;
  }

  private void close() {
    try {
      in.close();
    } catch (IOException e) {
      // The end of the file was reached.
    }
  }
}
