package io.railflux.fabric.verbs.internal;

import static io.railflux.fabric.verbs.internal.CStruct.i32;
import static io.railflux.fabric.verbs.internal.CStruct.i64;
import static io.railflux.fabric.verbs.internal.CStruct.offset;
import static io.railflux.fabric.verbs.internal.CStruct.struct;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_async_event}.
 *
 * @param element the queue pair or completion queue of the event, or the number of the port
 */
public record IbvAsyncEvent(int type, long element) {

  public static final int CQ_ERR = 0;
  public static final int QP_FATAL = 1;
  public static final int QP_REQ_ERR = 2;
  public static final int QP_ACCESS_ERR = 3;
  public static final int DEVICE_FATAL = 8;
  public static final int PORT_ACTIVE = 9;
  public static final int PORT_ERR = 10;

  static final StructLayout LAYOUT = struct("ibv_async_event", i64("element"), i32("event_type"));

  static IbvAsyncEvent of(MemorySegment event) {
    return new IbvAsyncEvent(
        event.get(JAVA_INT, offset(LAYOUT, "event_type")),
        event.get(JAVA_LONG, offset(LAYOUT, "element")));
  }

  public boolean aboutQueuePair() {
    return type == QP_FATAL || type == QP_REQ_ERR || type == QP_ACCESS_ERR;
  }

  /** Returns the port of a port event. The library does not set the upper half of the union for these events. */
  public int port() {
    return (int) element;
  }
}
