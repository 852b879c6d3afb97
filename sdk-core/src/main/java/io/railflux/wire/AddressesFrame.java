package io.railflux.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Body of an ADDRESSES frame: further addresses of a port of the sender (MR12: V 10.2). A later frame replaces
 * earlier ones for the same port.
 *
 * <pre>
 *  0        2        4       5
 * +--------+--------+-------+----------------+-----
 * | port   | count  | bytes | address        |  ...   an IPv4 address has 4 bytes, an IPv6 one 16;
 * +--------+--------+-------+----------------+-----   bytes after the last are ignored
 * </pre>
 */
public record AddressesFrame(int port, List<InetAddress> addresses) {

  /** Maximum number of addresses in a frame. */
  public static final int MAX_ADDRESSES = 32;

  private static final int FIXED_BYTES = 4;

  /** @throws IllegalArgumentException if there are too many addresses */
  public AddressesFrame {
    Fields.requireUnsigned("port", port, 0xFFFF);
    Fields.requireUnsigned("count of addresses", addresses.size(), MAX_ADDRESSES);
    addresses = List.copyOf(addresses);
  }

  /** Size of the encoded body. */
  public int encodedBytes() {
    return FIXED_BYTES
        + addresses.stream().mapToInt(a -> 1 + a.getAddress().length).sum();
  }

  /** Writes the body at the position. */
  public void encode(ByteBuffer target) {
    Fields.putShort(target, port);
    Fields.putShort(target, addresses.size());
    for (InetAddress address : addresses) {
      byte[] bytes = address.getAddress();
      Fields.putByte(target, bytes.length);
      target.put(bytes);
    }
  }

  /** Reads the body between position and limit. */
  public static AddressesFrame decode(ByteBuffer source) throws MalformedFrameException {
    int port = Fields.unsignedShort(source);
    int count = Fields.unsignedShort(source);
    if (count > MAX_ADDRESSES) {
      throw new MalformedFrameException(
          count + " addresses, at most " + MAX_ADDRESSES + " are allowed");
    }
    List<InetAddress> addresses = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[Fields.unsignedByte(source)];
      source.get(Fields.take(source, bytes.length), bytes);
      try {
        addresses.add(InetAddress.getByAddress(bytes));
      } catch (UnknownHostException e) {
        throw new MalformedFrameException("an address of " + bytes.length + " bytes", e);
      }
    }
    return new AddressesFrame(port, addresses);
  }
}
