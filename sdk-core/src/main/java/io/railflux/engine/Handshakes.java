package io.railflux.engine;

import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.FabricListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The endpoints of one rail: whose handshake or subchannel each event concerns. Engine thread only. */
final class Handshakes implements FabricListener {

  private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);

  private final Engine engine;
  private final Rail rail;
  private final LongMap<Handshake> handshakes = new LongMap<>();
  private final AcceptedHandshakes accepted;
  private final LongMap<VirtualChannel> channels = new LongMap<>();
  private final LongMap<Subchannel> subchannels = new LongMap<>();
  private final LongMap<Subchannel> early = new LongMap<>();
  private final LongMap<Dial> dials = new LongMap<>();
  private long lastAttempt;

  Handshakes(Engine engine, Rail rail) {
    this.engine = engine;
    this.rail = rail;
    this.accepted = new AcceptedHandshakes(engine.config().limits());
  }

  void connect(String location, Dial dial) {
    dials.put(++lastAttempt, dial);
    rail.fabric().connect(location, lastAttempt, this);
  }

  @Override
  public void onConnected(Endpoint endpoint, long attemptId) {
    Dial dial = attemptId < 0 ? null : dials.remove(attemptId);
    try {
      if (attemptId < 0) {
        accept(endpoint);
      } else if (dial == null || dial.isObsolete()) {
        endpoint.close();
      } else {
        begin(dial.handshake(engine, rail, endpoint));
      }
    } catch (Throwable e) {
      cannotBegin(endpoint, dial, e);
    }
  }

  private void accept(Endpoint endpoint) {
    accepted.makeRoom();
    AcceptingHandshake accepting = new AcceptingHandshake(engine, rail, endpoint, null);
    begin(accepting);
    accepted.add(accepting);
  }

  /** For want of memory, for one: the endpoint has nobody else who would close it, nor the dial who would go on. */
  private void cannotBegin(Endpoint endpoint, Dial dial, Throwable e) {
    // Told once for each host, as anybody may connect again and again.
    LOG.debug("{}: no handshake can begin", endpoint.remoteDescription(), e);
    Handshake handshake = handshakes.get(endpoint.id());
    String reason = "failed here: " + e;
    if (handshake != null) {
      handshake.brokenOff(reason);
      return;
    }
    endpoint.close();
    if (dial != null) {
      dial.failed(reason);
    } else {
      engine.refusals().handshake(endpoint, reason);
    }
  }

  void begin(Handshake handshake) {
    handshakes.put(handshake.endpoint.id(), handshake);
    handshake.begin();
  }

  @Override
  public void onStranger(String remoteHost, String remoteDescription, String reason) {
    engine.refusals().handshake(remoteHost, remoteDescription, reason);
  }

  @Override
  public void onConnectFailed(long attemptId, String reason) {
    Dial dial = dials.remove(attemptId);
    if (dial != null) {
      dial.failed(reason);
    }
  }

  @Override
  public void onCompletion(Endpoint endpoint, Completion completion) {
    try {
      completed(endpoint, completion);
    } catch (Throwable e) {
      broken(endpoint, e);
    }
  }

  /** A fault of this node. The fabric would close the endpoint beneath those who still look into its memory. */
  private void broken(Endpoint endpoint, Throwable e) {
    LOG.error("{}: unexpected failure, what used it ends", endpoint.remoteDescription(), e);
    VirtualChannel channel = channels.get(endpoint.id());
    Handshake handshake = handshakes.get(endpoint.id());
    if (handshake != null) {
      // What else its session has goes on.
      handshake.brokenOff("failed here: " + e);
    } else if (channel != null) {
      channel.fault(e);
    }
  }

  private void completed(Endpoint endpoint, Completion completion) {
    Subchannel subchannel = subchannels.get(endpoint.id());
    if (subchannel != null) {
      onCompletion(subchannel, completion);
      return;
    }
    Handshake handshake = handshakes.get(endpoint.id());
    if (handshake != null) {
      handshake.onCompletion(completion);
    }
  }

  /** The completion filter (FT1): what is told twice counts once, though the second time may come late. */
  private void onCompletion(Subchannel subchannel, Completion completion) {
    if (!completion.succeeded()) {
      channels
          .get(subchannel.endpoint.id())
          .failSubchannel(subchannel, "request failed: " + completion);
      return;
    }
    switch (completion.opcode()) {
      case RECEIVE_IMMEDIATE -> subchannel.received(completion.id(), completion.immediate());
      case SEND, RECEIVE -> {
        // Of the handshake that ended.
      }
      default -> {
        subchannel.progressed(engine.nowNanos());
        if (BulkLane.isBulk(completion.id())) {
          subchannel.lane().completed(completion.id());
        } else {
          subchannel.writer().completed(completion.id());
        }
      }
    }
  }

  @Override
  public void onError(Endpoint endpoint, String reason) {
    try {
      failed(endpoint, reason);
    } catch (Throwable e) {
      broken(endpoint, e);
    }
  }

  private void failed(Endpoint endpoint, String reason) {
    Subchannel subchannel = subchannels.get(endpoint.id());
    if (subchannel != null) {
      channels.get(endpoint.id()).failSubchannel(subchannel, reason);
      return;
    }
    Handshake handshake = handshakes.get(endpoint.id());
    if (handshake != null) {
      handshake.brokenOff(reason);
    }
  }

  @Override
  public void onDrained(Endpoint endpoint) {
    try {
      drained(endpoint);
    } catch (Throwable e) {
      broken(endpoint, e);
    }
  }

  private void drained(Endpoint endpoint) {
    Subchannel joined = subchannels.get(endpoint.id());
    Subchannel subchannel = joined != null ? joined : early.get(endpoint.id());
    if (subchannel != null) {
      channels.get(endpoint.id()).drained(subchannel);
    }
  }

  /** From now on events of the endpoint concern the subchannel. */
  void joined(Subchannel subchannel, VirtualChannel channel) {
    long id = subchannel.endpoint.id();
    handshakes.remove(id);
    early.remove(id);
    subchannels.put(id, subchannel);
    channels.put(id, channel);
  }

  /** Events go to the handshake still, but the channel hears when the endpoint is drained. */
  void joinedEarly(Subchannel subchannel, VirtualChannel channel, Handshake handshake) {
    long id = subchannel.endpoint.id();
    handshakes.put(id, handshake);
    channels.put(id, channel);
    early.put(id, subchannel);
  }

  void forget(Endpoint endpoint) {
    early.remove(endpoint.id());
    handshakes.remove(endpoint.id());
    subchannels.remove(endpoint.id());
    channels.remove(endpoint.id());
  }

  /** Nothing new comes to be: who waits for a first contact hears {@code reason}. */
  void nodeLeaves(String reason) {
    dials.values().forEach(dial -> dial.nodeLeaves(reason));
    handshakes.values().forEach(handshake -> handshake.nodeLeaves(reason));
  }

  void close() {
    handshakes.values().forEach(Handshake::abandon);
  }
}
