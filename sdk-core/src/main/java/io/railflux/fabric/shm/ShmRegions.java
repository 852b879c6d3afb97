package io.railflux.fabric.shm;

import io.railflux.buffer.MappedMemory;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.shm.files.RegionNames;
import io.railflux.fabric.shm.memory.RegionLayout;
import io.railflux.fabric.shm.memory.ShmExposedRegion;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Regions of one endpoint: exposed ones, and mapped ones of the peer. */
final class ShmRegions {

  private static final int MAX_ATTEMPTS = 8;

  private final FabricContext context;
  private final Link link;
  private final Path ownDirectory;
  private final Path peerDirectory;
  private final List<ShmExposedRegion> exposed = new ArrayList<>();
  private final List<ShmRemoteRegion> attached = new ArrayList<>();

  ShmRegions(FabricContext context, Link link, Path ownDirectory, Path peerDirectory) {
    this.context = context;
    this.link = link;
    this.ownDirectory = ownDirectory;
    this.peerDirectory = peerDirectory;
  }

  ShmExposedRegion expose(int lengthBytes, Access access) {
    if (lengthBytes < 1 || lengthBytes > RegionLayout.MAX_LENGTH_BYTES) {
      throw new IllegalArgumentException("cannot expose " + lengthBytes + " bytes");
    }
    // Removes closed regions here, because closing is rare.
    exposed.removeIf(region -> region.view() == null);
    try {
      ShmExposedRegion region = create(lengthBytes, access);
      exposed.add(region);
      return region;
    } catch (IOException e) {
      String reason = "no shared memory of " + lengthBytes + " bytes: " + e.getMessage();
      throw new FabricUnavailableException(
          ShmFabricProvider.NAME, reason, ShmAvailability.remedy(e, ownDirectory), e);
    }
  }

  ShmRemoteRegion attach(long key, int lengthBytes) throws RemoteAccessException {
    for (ShmRemoteRegion known : attached) {
      if (known.key() == key && known.lengthBytes() == lengthBytes && !known.revoked()) {
        ShmRemoteRegion again = known.again();
        attached.add(again);
        return again;
      }
    }
    if (lengthBytes < 1 || lengthBytes > RegionLayout.MAX_LENGTH_BYTES) {
      throw new RemoteAccessException("no region has " + lengthBytes + " bytes");
    }
    Path path = RegionNames.region(peerDirectory, link.nonce(), !link.connectingSide(), key);
    ShmRemoteRegion region = open(path, key, lengthBytes);
    attached.add(region);
    return region;
  }

  /** Other users of the region keep it: a peer may announce one key for two purposes. */
  void detach(ShmRemoteRegion region) {
    if (attached.remove(region) && attached.stream().noneMatch(region::sharesMemory)) {
      region.release();
    }
  }

  void revokeAll() {
    for (ShmExposedRegion region : exposed) {
      region.revoke();
    }
  }

  void close() {
    exposed.forEach(ShmExposedRegion::close);
    exposed.clear();
    attached.forEach(ShmRemoteRegion::release);
    attached.clear();
  }

  private ShmExposedRegion create(int lengthBytes, Access access) throws IOException {
    int fileBytes = RegionLayout.fileBytes(lengthBytes);
    for (int attempt = 1; ; attempt++) {
      long key = context.randomLong();
      Path path = RegionNames.region(ownDirectory, link.nonce(), link.connectingSide(), key);
      try {
        MappedMemory file = MappedMemory.create(path, fileBytes);
        return new ShmExposedRegion(file, key, lengthBytes, access);
      } catch (FileAlreadyExistsException e) {
        // A seeded generator may repeat a number; the next one may be free.
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private ShmRemoteRegion open(Path path, long key, int lengthBytes) throws RemoteAccessException {
    MappedMemory file;
    try {
      file = MappedMemory.open(path, RegionLayout.fileBytes(lengthBytes));
    } catch (IOException e) {
      throw new RemoteAccessException("no such region: " + e.getMessage());
    }
    try {
      ShmRemoteRegion region = new ShmRemoteRegion(this, file, key, lengthBytes);
      file.unlink();
      return region;
    } catch (RemoteAccessException e) {
      file.close();
      throw e;
    } catch (IOException e) {
      file.close();
      throw new RemoteAccessException("cannot remove the name of the region: " + e.getMessage());
    }
  }
}
