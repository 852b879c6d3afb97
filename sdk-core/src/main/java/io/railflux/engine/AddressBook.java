package io.railflux.engine;

import io.railflux.wire.AddressesFrame;
import io.railflux.wire.FrameType;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Where else the peers of one session can be reached, as they tell each other (MR12). Engine thread only. */
public final class AddressBook {

  /** Of a peer that tells before anybody listens. */
  private static final int MOST_KEPT = 8;

  private final VirtualChannel channel;
  private final Map<Integer, AddressesFrame> told = new HashMap<>();
  private final List<AddressesFrame> heard = new ArrayList<>();
  private final Redials redials;
  private Consumer<AddressesFrame> listener;

  AddressBook(VirtualChannel channel) {
    this.channel = channel;
    this.redials = new Redials(channel);
  }

  /** Where the peer is called at what it tells. */
  public Redials redials() {
    return redials;
  }

  /** Tells the peer where else it finds a port, unless it knows. At most {@link AddressesFrame#MOST} count. */
  public void tell(int port, List<InetAddress> addresses) {
    List<InetAddress> few = addresses.subList(0, Math.min(addresses.size(), AddressesFrame.MOST));
    AddressesFrame body = new AddressesFrame(port, few);
    if (!channel.isClosing() && !channel.isClosed() && !body.equals(told.put(port, body))) {
      ControlFrame frame = new ControlFrame(FrameType.ADDRESSES, 0, 0, 0);
      channel.control().send(frame.body(body.encodedBytes(), body::encode));
    }
  }

  /** Gets what the peer tells, and first what it told last. */
  public void onTold(Consumer<AddressesFrame> newListener) {
    listener = newListener;
    heard.forEach(listener);
    heard.clear();
  }

  void heard(AddressesFrame frame) {
    if (listener != null) {
      listener.accept(frame);
    } else if (heard.size() < MOST_KEPT) {
      heard.add(frame);
    }
  }
}
