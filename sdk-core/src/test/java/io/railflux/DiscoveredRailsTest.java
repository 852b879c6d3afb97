package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.address.OwnAddress;
import io.railflux.address.OwnNetworks;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The selection of interfaces that become rails. */
@Tag("MR12")
class DiscoveredRailsTest {

  private static OwnAddress own(String name, String address, int prefixBits) {
    return new OwnAddress(name, OwnAddress.literal(address), prefixBits);
  }

  private static final OwnAddress FIRST = own("eth0", "10.1.0.7", 16);
  private static final OwnAddress SECOND = own("eth1", "fd00::7", 64);

  @ParameterizedTest
  @ValueSource(strings = {"docker0", "br-4e1f", "veth12", "tun0", "virbr0", "cni0", "wg0"})
  void containersAndTunnelsAreRailsOnlyIfNamed(String name) {
    OwnAddress virtual = own(name, "172.17.0.1", 16);

    assertFalse(Rails.discovered().takes(virtual));
    assertTrue(Rails.only(name).takes(virtual));
  }

  @ParameterizedTest
  @ValueSource(strings = {"eth0", "eth*", "*0", "10.1.0.7", "10.1.0.0/16", "0.0.0.0/0"})
  void interfacesAreNamedByNameAddressOrNetwork(String pattern) {
    assertTrue(Rails.only(pattern).takes(FIRST));
    assertFalse(Rails.discovered().except(pattern).takes(FIRST));
  }

  @ParameterizedTest
  @ValueSource(strings = {"eth", "th0", "10.1.0.8", "10.2.0.0/16", "::/0", "eth0.1"})
  void selectorsMatchNothingElse(String pattern) {
    assertFalse(Rails.only(pattern).takes(FIRST));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.0.0/33", "10.1.0.0/x", "fd00::/129", "eth0/8"})
  void rejectsAnUnknownInterface(String pattern) {
    var e = assertThrows(IllegalArgumentException.class, () -> Rails.only(pattern));
    assertTrue(e.getMessage().startsWith("'" + pattern + "' is no interface"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.0.7, 10.1.255.1, 16, true",
    "10.1.0.7, 10.2.0.7, 16, false",
    "10.1.0.7, 10.2.0.7, 14, true",
    "10.1.0.7, fd00::7, 0, false",
    "fd00::7, fd00::ffff:1, 64, true",
    "fd00::7, fd00:0:0:1::7, 64, false"
  })
  void networksAreMatchedByTheirPrefix(String one, String other, int bits, boolean together) {
    assertEquals(
        together, OwnAddress.share(OwnAddress.literal(one), OwnAddress.literal(other), bits));
  }

  /** A host with two interfaces, of which the first has an address of each family. */
  @ParameterizedTest
  @CsvSource({
    "10.2.0.8, 10.1.0.8, true, the second interface has no rail yet",
    "10.1.0.8, 10.9.0.8, true, the first rail uses a router",
    "10.1.0.9, 10.1.0.8, false, the interface already has a rail to the peer",
    "fd00::9, 10.1.0.8, false, regardless of the family",
    "10.1.0.8, 10.1.0.8, false, it is the same address",
    "10.3.0.8, 10.1.0.8, false, this host is not in that network",
    "10.2.0.7, 10.1.0.8, false, it belongs to this host",
    "10.2.0.8, 127.0.0.1, false, the peer is on this host",
    "127.0.0.1, 10.1.0.8, false, loopback addresses are not announced"
  })
  void oneRailForEachInterface(String announced, String leadingTo, boolean offered, String why) {
    OwnNetworks networks = new OwnNetworks(List.of(
        own("eth0", "10.1.0.7", 16), own("eth0", "fd00::7", 64), own("eth1", "10.2.0.7", 16)));

    assertEquals(
        offered,
        networks.offer(OwnAddress.literal(announced), List.of(OwnAddress.literal(leadingTo))),
        why);
  }

  @Test
  void namedRailsAreNeverDiscovered() {
    assertFalse(Rails.named().isDiscovering());
    assertFalse(Rails.named().takes(FIRST));
    assertTrue(Rails.discovered().takes(SECOND));
  }

  @Test
  void enumerationOfInterfacesExcludesLoopback() throws SocketException {
    List<OwnAddress> all = OwnAddress.all();

    assertTrue(all.stream().noneMatch(own -> own.address().isLoopbackAddress()), all::toString);
  }
}
