package io.railflux.wire;

import java.util.List;
import java.util.stream.Stream;

/** Initial inputs of the fuzz tests, which also run without fuzzing: valid messages, and messages near a limit. */
public final class Seeds {
  static final List<String> OPEN = List.of(
      "01 0300 61c3b1 0400 6a736f6e 0400 63626f72",
      "00 0100 73 0400 6a736f6e 0000",
      "00 0100 73 0400 6a736f6e 0100 78",
      "00 ff00 73",
      "02 0000 0000 0000");

  static final List<String> REJECT = List.of("02 0200 6e6f", "ff 0000", "01 0104 78");

  static final List<String> ERROR = List.of("0300 612e42 0300 626164", "0000 0000", "0001");

  static final List<String> GOODBYE = List.of("0300 627965", "0200 c328", "0100");

  static final List<String> ADDRESSES = List.of(
      "6712 0200 04 0a010203 10 fd000000000000000000000000000007",
      "6712 2000 04 00000000",
      "6712 ffff 00",
      "6712 0100 05 0102030405",
      "6712 0100 10 00000000000000000000ffff0a010203");

  static final List<String> RESUME = List.of(
      "03000000 02000000 1817161514131211 0200 0600000000000000 0000000000000080",
      "00000000 00000000 0000000000000000 0000",
      "00000000 00000000 0000000000000000 0100 0100000000000000",
      "00000000 00000000 0000000000000000 ffff");

  static final List<String> RENDEZVOUS_START = List.of(
      "4847464544434241 04030201 03000000 5857565554535251 64636261 00100000 01000000 00000000",
      "0100000000000000 02000000 ffffffff 0000000000000000 00000000 00000000 00000000 00000000",
      "0100000000000000 ffffff7f 00000000 0000000000000000 ffffff7f 01000000 00000000 00000000",
      "0100000000000000 00000080 feffffff 0000000000000000 00000080 ffffffff 02000000");

  static final List<String> RENDEZVOUS_REPLY = List.of(
      "07000000 02000000 5857565554535251 00100000 00020000 00040000 00010000",
      "00000000 00000000 0000000000000000 ffffff7f ffffff7f ffffff7f ffffff7f",
      "00000000 00000000 0000000000000000 00000080 ffffff7f 00000000 01000000");

  static final List<String> RENDEZVOUS_FIN = List.of("07000000 00000000", "01000000");

  static final List<String> RENDEZVOUS_DONE =
      List.of("00000000 00000000", "01000000 00000000", "02000000");

  static final List<String> METADATA = List.of(
      "02 00 05 7472616365 0200 beef 01 04 6b65c3b1 0000",
      "01 07 01 61 0100 ff",
      "00",
      "ff 00 00 ffff");

  static final List<String> FRAME = List.of(
      "22000000 02 01 2000" + "11".repeat(24) + "6869",
      "30000000 0d 02 3000" + "00".repeat(40),
      "40000000 01 00 2000" + "00".repeat(56),
      "40000000 02 08 2800" + "11".repeat(24) + "0700" + "00".repeat(30),
      "28000000 09 00 2000" + "11".repeat(32),
      "20000000 c8 80 2000" + "11".repeat(24),
      "38000000 0e 00 2000" + "11".repeat(24) + "6869".repeat(8) + "0200 0300 0000 0300",
      "38000000 0e 00 2000" + "11".repeat(24) + "6869".repeat(8) + "0200 ffff 0000 0300",
      "4a000000 02 0f 4800" + "01".repeat(48) + "0700 01 00 01 6b 0100 07" + "00".repeat(9));

  private Seeds() {}

  static List<String> all() {
    return Stream.of(
            OPEN,
            REJECT,
            ERROR,
            GOODBYE,
            ADDRESSES,
            RESUME,
            RENDEZVOUS_START,
            RENDEZVOUS_REPLY,
            RENDEZVOUS_FIN,
            RENDEZVOUS_DONE,
            METADATA,
            FRAME)
        .flatMap(List::stream)
        .toList();
  }

  public static Stream<byte[]> bytes(List<String> seeds) {
    return seeds.stream().map(WireBytes::bytes);
  }
}
