package io.railflux.engine;

import io.railflux.wire.AddressesFrame;
import io.railflux.wire.FrameType;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;

/** Where else the peers of one session can be reached, as they tell each other (MR12). Engine thread only. */
public final class AddressBook {

  private final VirtualChannel channel;
  private List<InetAddress> told = List.of();
  private List<InetAddress> heard = List.of();
  private Consumer<List<InetAddress>> listener = addresses -> {};

  AddressBook(VirtualChannel channel) {
    this.channel = channel;
  }

  /** Tells the peer where this node is, unless it knows. At most {@link AddressesFrame#MOST} count. */
  public void tell(List<InetAddress> addresses) {
    List<InetAddress> few = addresses.subList(0, Math.min(addresses.size(), AddressesFrame.MOST));
    if (few.equals(told) || channel.isClosing() || channel.isClosed()) {
      return;
    }
    told = List.copyOf(few);
    AddressesFrame body = new AddressesFrame(told);
    ControlFrame frame = new ControlFrame(FrameType.ADDRESSES, 0, 0, 0);
    channel.control().send(frame.body(body.encodedBytes(), body::encode));
  }

  /** Gets what the peer tells, and first what it told already. */
  public void onTold(Consumer<List<InetAddress>> newListener) {
    listener = newListener;
    if (!heard.isEmpty()) {
      listener.accept(heard);
    }
  }

  void heard(AddressesFrame frame) {
    heard = frame.addresses();
    listener.accept(heard);
  }
}
