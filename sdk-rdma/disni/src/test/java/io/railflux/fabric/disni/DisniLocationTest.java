package io.railflux.fabric.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisniLocationTest {

  @Test
  void isAnAddressAndAPort() throws IOException {
    assertEquals("10.0.200.1:7471", DisniLocation.text(DisniLocation.parse("10.0.200.1:7471")));
    assertEquals(0, DisniLocation.parse("10.0.0.1:0").getPort());
  }

  @Test
  void rejectsEverythingElseWithTheValidFormat() {
    for (String wrong : List.of(
        "",
        "10.0.0.1",
        ":7471",
        "10.0.0.1:",
        "10.0.0.1:65536",
        "10.0.0.256:1",
        "10.0.0:1",
        "0.0.0.0:7471",
        "host:7471",
        "[::1]:7471",
        "10.0.0.1:-1")) {
      IOException refusal =
          assertThrows(IOException.class, () -> DisniLocation.parse(wrong), wrong);
      assertTrue(refusal.getMessage().contains("as in 10.0.0.1:7471"), refusal.getMessage());
    }
  }
}
