package io.railflux.message;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Arbitrary bytes against every codec of the SDK. See {@link HostileMessages}. */
class HostileMessagesTest {

  @Property(tries = 500)
  void arbitraryMessages(@ForAll @Size(max = 64) byte[] bytes) {
    HostileMessages.decode(bytes);
  }

  /** Messages of lengths that some codec expects, which random lengths rarely match. */
  @Property(tries = 1000)
  void messagesOfTheRightLength(@ForAll("fitting") byte[] bytes) {
    HostileMessages.decode(bytes);
  }

  @Provide
  Arbitrary<byte[]> fitting() {
    // Booleans and enums accept only small values.
    Arbitrary<Byte> mostlySmall =
        Arbitraries.oneOf(Arbitraries.bytes(), Arbitraries.bytes().between((byte) 0, (byte) 3));
    return Arbitraries.of(List.of(0, 1, 2, 4, 8, 12, 18, 25))
        .flatMap(length -> mostlySmall.array(byte[].class).ofSize(length));
  }
}
