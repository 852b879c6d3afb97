package io.railflux.engine.session;

import io.railflux.engine.path.SessionContext;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.wire.AddressesFrame;
import io.railflux.wire.FrameType;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Further addresses of the peers of one session, as the peers announce them (MR12). Engine thread only. */
public final class AddressBook {

  /** Maximum number of announcements kept until a listener is set. */
  private static final int MAX_KEPT = 8;

  private final SessionContext session;
  private final ControlQueue control;
  private final Map<Integer, AddressesFrame> sent = new HashMap<>();
  private final List<AddressesFrame> kept = new ArrayList<>();
  private Consumer<AddressesFrame> listener;

  AddressBook(SessionContext session, ControlQueue control) {
    this.session = session;
    this.control = control;
  }

  /**
   * Announces further addresses of a port to the peer, unless the peer knows them. At most {@link AddressesFrame#MAX_ADDRESSES}
   * addresses are sent.
   */
  public void announce(int port, List<InetAddress> addresses) {
    List<InetAddress> few =
        addresses.subList(0, Math.min(addresses.size(), AddressesFrame.MAX_ADDRESSES));
    AddressesFrame body = new AddressesFrame(port, few);
    if (!session.isClosing() && !session.isClosed() && !body.equals(sent.put(port, body))) {
      ControlFrame frame = new ControlFrame(FrameType.ADDRESSES, 0, 0, 0);
      control.send(frame.body(body.encodedBytes(), body::encode));
    }
  }

  /** Sets the listener for announcements of the peer. The listener first receives the kept announcements. */
  public void onAnnounced(Consumer<AddressesFrame> newListener) {
    listener = newListener;
    kept.forEach(listener);
    kept.clear();
  }

  void received(AddressesFrame frame) {
    if (listener != null) {
      listener.accept(frame);
    } else if (kept.size() < MAX_KEPT) {
      kept.add(frame);
    }
  }
}
