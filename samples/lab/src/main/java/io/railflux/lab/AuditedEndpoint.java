package io.railflux.lab;

import io.railflux.fabric.Access;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.Protection;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.nio.ByteBuffer;

/** A simulated endpoint. The audit counts the endpoint until it is closed. */
final class AuditedEndpoint implements Endpoint {

  private final AuditedFabric fabric;
  private final Endpoint sound;
  private boolean closed;

  AuditedEndpoint(AuditedFabric fabric, Endpoint sound) {
    this.fabric = fabric;
    this.sound = sound;
  }

  @Override
  public long id() {
    return sound.id();
  }

  @Override
  public EndpointState state() {
    return sound.state();
  }

  @Override
  public boolean peerGone() {
    return sound.peerGone();
  }

  @Override
  public String remoteDescription() {
    return sound.remoteDescription();
  }

  @Override
  public String remoteHost() {
    return sound.remoteHost();
  }

  @Override
  public Protection protection() {
    return sound.protection();
  }

  @Override
  public boolean isChecksummed() {
    return sound.isChecksummed();
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    return sound.expose(lengthBytes, access);
  }

  @Override
  public ExposedRegion expose(ByteBuffer memory, Access access) {
    return sound.expose(memory, access);
  }

  @Override
  public RemoteRegion attach(long key, int lengthBytes) throws RemoteAccessException {
    return sound.attach(key, lengthBytes);
  }

  @Override
  public PostResult post(WorkRequest request) {
    request.local = AuditedFabric.sound(request.local);
    return sound.post(request);
  }

  @Override
  public PostResult postReceive(long id, LocalMemory memory, int offset, int lengthBytes) {
    return sound.postReceive(id, AuditedFabric.sound(memory), offset, lengthBytes);
  }

  @Override
  public void notifyPeer() {
    sound.notifyPeer();
  }

  @Override
  public void moreFollows() {
    sound.moreFollows();
  }

  @Override
  public void fence(String reason) {
    sound.fence(reason);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      fabric.closed(sound);
      sound.close();
    }
  }
}
