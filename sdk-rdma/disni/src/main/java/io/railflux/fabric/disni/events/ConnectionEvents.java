package io.railflux.fabric.disni.events;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One channel of the connection manager, and the thread that waits for its events and passes them to the engine.
 *
 * <p>DiSNI keeps the identifiers of a channel in an unsynchronised map, so one thread must create identifiers and
 * take events. The waiting thread does both: for outgoing connections it keeps one identifier in stock. Using that
 * identifier causes an event, and with it the next identifier.
 */
public final class ConnectionEvents implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionEvents.class);
  private static final EventType[] TYPES = EventType.values();

  /** Longest time that closing takes; waits of DiSNI cannot be interrupted. */
  private static final int SLEEP_MILLIS = 200;

  private final RdmaEventChannel channel;
  private final Alarm alarm;
  private final boolean stocking;
  private final Queue<Event> events = new ConcurrentLinkedQueue<>();
  private final AtomicReference<RdmaCmId> stock = new AtomicReference<>();

  /** Endpoints and listeners with identifiers of this channel. Engine thread. */
  private int users;

  private volatile boolean impatient;
  private volatile boolean closing;

  /**
   * An event of the connection manager.
   *
   * @param connection identifier of the connection; null if the library lost it
   */
  public record Event(EventType type, RdmaCmId listening, RdmaCmId connection) {}

  private ConnectionEvents(RdmaEventChannel channel, Alarm alarm, boolean stocking) {
    this.channel = channel;
    this.alarm = alarm;
    this.stocking = stocking;
  }

  /** Creates the channel of outgoing connections; its thread runs. */
  public static ConnectionEvents ofDialing(RdmaCm cm, Alarm alarm) throws IOException {
    ConnectionEvents events = new ConnectionEvents(cm.createEventChannel(), alarm, true);
    events.begin();
    return events;
  }

  /** Creates the channel of a listener and its accepted connections; its thread waits for {@link #begin}. */
  public static ConnectionEvents ofListening(RdmaCm cm, Alarm alarm) throws IOException {
    return new ConnectionEvents(cm.createEventChannel(), alarm, false);
  }

  public void begin() {
    Daemon.start("connections", this);
  }

  /** Only before {@link #begin}. */
  public RdmaCmId newIdentifier() throws IOException {
    return channel.createId(RdmaCm.RDMA_PS_TCP);
  }

  /** Returns an identifier for a connect; null if none is in stock. */
  public RdmaCmId takeIdentifier() {
    return stock.getAndSet(null);
  }

  public Event poll() {
    return events.poll();
  }

  /** Wakes the engine regularly while a connection waits for a time-out or an identifier. */
  public void impatient(boolean yes) {
    impatient = yes;
  }

  public void use() {
    users++;
  }

  /** The last release ends the thread, which closes the channel. */
  public void release() {
    users--;
    if (users == 0) {
      closing = true;
    }
  }

  public boolean isEnding() {
    return closing;
  }

  @Override
  public void run() {
    try {
      while (!closing) {
        if (stocking && stock.get() == null) {
          stock.set(newIdentifier());
          alarm.ring();
        }
        RdmaCmEvent event = channel.getCmEvent(SLEEP_MILLIS);
        if (event != null) {
          events.add(
              new Event(TYPES[event.getEvent()], event.getListenIdPriv(), event.getConnIdPriv()));
          alarm.ring();
        } else if (impatient) {
          alarm.ring();
        }
      }
    } catch (IOException e) {
      LOG.error("events of connections are no longer processed: {}", e.getMessage());
    }
    // After a failure other users may exist: the channel then remains until the process ends.
    if (closing) {
      destroy();
    }
  }

  private void destroy() {
    try {
      RdmaCmId unused = stock.getAndSet(null);
      if (unused != null) {
        unused.destroyId();
      }
      for (Event event = events.poll(); event != null; event = events.poll()) {
        if (event.type() == EventType.RDMA_CM_EVENT_CONNECT_REQUEST) {
          event.connection().destroyId();
        }
      }
      channel.destroyEventChannel();
    } catch (IOException e) {
      LOG.warn("an event channel was not released: {}", e.getMessage());
    }
  }
}
