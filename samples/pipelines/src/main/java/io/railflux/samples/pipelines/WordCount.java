package io.railflux.samples.pipelines;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.exceptions.RailfluxException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Counts the words of every peer's lines in windows. One pipeline connects both streams: a client without demand for
 * counts stops its own lines, and no backlog arises.
 */
final class WordCount {

  // tag::word-count[]
  static Disposable serve(Node node, int windowLines) {
    return node.peers()
        .flatMap(peer -> peer.send("counts", COUNTS, counts(peer, windowLines))
            // The end of one client does not end the others.
            .onErrorResume(RailfluxException.class, lost -> Mono.empty()))
        .subscribe();
  }

  static Flux<Map<String, Integer>> counts(Peer peer, int windowLines) {
    return peer.receive("lines", LINES).window(windowLines).concatMap(WordCount::count);
  }

  static Flux<Map<String, Integer>> count(Flux<String> lines) {
    return lines
        .flatMapIterable(line -> List.of(line.split("\\s+")))
        .collect(
            TreeMap<String, Integer>::new, (counts, word) -> counts.merge(word, 1, Integer::sum))
        .<Map<String, Integer>>map(counts -> counts)
        .flux();
  }
  // end::word-count[]

  static final Codec<String> LINES = Codecs.utf8();
  static final Codec<Map<String, Integer>> COUNTS = new Counts();

  private WordCount() {}

  /** Client: sends lines, receives counts. */
  static Flux<Map<String, Integer>> ask(Peer peer, Flux<String> lines) {
    return peer.receive("counts", COUNTS)
        .mergeWith(peer.send("lines", LINES, lines).then(Mono.empty()));
  }

  // tag::codec[]
  /** Words with their counts: the number of words, then length, bytes and count of each. */
  static final class Counts implements Codec<Map<String, Integer>> {

    @Override
    public String name() {
      return "word-counts-v1";
    }

    @Override
    public int maxEncodedBytes(Map<String, Integer> counts) {
      int bytes = Integer.BYTES;
      for (String word : counts.keySet()) {
        bytes += 2 * Integer.BYTES + 3 * word.length();
      }
      return bytes;
    }

    @Override
    public void encode(Map<String, Integer> counts, ByteBuffer slot) {
      slot.putInt(counts.size());
      counts.forEach((word, count) -> {
        byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
        slot.putInt(utf8.length).put(utf8).putInt(count);
      });
    }

    @Override
    public Map<String, Integer> decode(ByteBuffer slot) {
      Map<String, Integer> counts = new TreeMap<>();
      for (int left = slot.getInt(); left > 0; left--) {
        byte[] utf8 = new byte[checked(slot.getInt(), slot.remaining())];
        slot.get(utf8);
        counts.put(new String(utf8, StandardCharsets.UTF_8), slot.getInt());
      }
      return counts;
    }

    /** A peer may send any bytes: a length must fit the message. */
    private static int checked(int lengthBytes, int leftBytes) {
      if (lengthBytes < 0 || lengthBytes > leftBytes) {
        throw new IllegalArgumentException("a word of " + lengthBytes + " bytes");
      }
      return lengthBytes;
    }
  }
  // end::codec[]
}
