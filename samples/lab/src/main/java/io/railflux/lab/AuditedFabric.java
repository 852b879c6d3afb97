package io.railflux.lab;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Protection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** Counts opened and closed resources and delegates everything else to the simulated fabric. */
final class AuditedFabric implements Fabric {

  private final Fabric sound;
  private final Audit audit;
  private final Echoes echoes;
  private final Map<Long, AuditedEndpoint> endpoints = new TreeMap<>();

  AuditedFabric(Fabric sound, Audit audit, Echoes echoes) {
    this.sound = sound;
    this.audit = audit;
    this.echoes = echoes;
  }

  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public Capabilities capabilities() {
    return sound.capabilities();
  }

  @Override
  public LocalMemory register(ByteBuffer memory) {
    audit.registration(1);
    return new Registration(sound.register(memory), audit);
  }

  @Override
  public Listening listen(String location, FabricListener listener) throws IOException {
    return sound.listen(location, new Audited(listener));
  }

  @Override
  public Protection protectionAt(String location) {
    return sound.protectionAt(location);
  }

  @Override
  public void connect(String location, long attempt, FabricListener listener) {
    sound.connect(location, attempt, new Audited(listener));
  }

  @Override
  public int poll(int limit) {
    // Echoes do not count as work, because they must have no effect.
    echoes.poll(endpoints::containsKey);
    return sound.poll(limit);
  }

  @Override
  public void arm() {
    sound.arm();
  }

  @Override
  public void disarm() {
    sound.disarm();
  }

  @Override
  public void close() {
    sound.close();
  }

  void closed(Endpoint endpoint) {
    audit.endpoint(-1);
    endpoints.remove(endpoint.id());
  }

  /** Returns the memory of the simulation behind a registration. */
  static LocalMemory sound(LocalMemory memory) {
    return memory instanceof Registration registration ? registration.sound : memory;
  }

  private static final class Registration implements LocalMemory {

    private final LocalMemory sound;
    private final Audit audit;
    private boolean closed;

    Registration(LocalMemory sound, Audit audit) {
      this.sound = sound;
      this.audit = audit;
    }

    @Override
    public ByteBuffer memory() {
      return sound.memory();
    }

    @Override
    public int lengthBytes() {
      return sound.lengthBytes();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        audit.registration(-1);
        sound.close();
      }
    }
  }

  private final class Audited implements FabricListener {

    private final FabricListener listener;

    Audited(FabricListener listener) {
      this.listener = listener;
    }

    @Override
    public void onConnected(Endpoint endpoint, long attempt) {
      AuditedEndpoint audited = new AuditedEndpoint(AuditedFabric.this, endpoint);
      audit.endpoint(1);
      endpoints.put(endpoint.id(), audited);
      listener.onConnected(audited, attempt);
    }

    @Override
    public void onStranger(String remoteHost, String remoteDescription, String reason) {
      listener.onStranger(remoteHost, remoteDescription, reason);
    }

    @Override
    public void onConnectFailed(long attempt, String reason) {
      listener.onConnectFailed(attempt, reason);
    }

    @Override
    public void onCompletion(Endpoint endpoint, Completion completion) {
      audit.completed(completion);
      echoes.onReported(listener, endpoints.get(endpoint.id()), completion);
      listener.onCompletion(endpoints.get(endpoint.id()), completion);
    }

    @Override
    public void onCorrupted(Endpoint endpoint) {
      listener.onCorrupted(endpoints.get(endpoint.id()));
    }

    @Override
    public void onError(Endpoint endpoint, String reason) {
      listener.onError(endpoints.get(endpoint.id()), reason);
    }

    @Override
    public void onDrained(Endpoint endpoint) {
      listener.onDrained(endpoints.get(endpoint.id()));
    }
  }
}
