package io.railflux.fabric.shm;

import io.railflux.buffer.MappedMemory;
import io.railflux.fabric.shm.files.RegionNames;
import io.railflux.fabric.shm.memory.LinkLayout;
import io.railflux.fabric.shm.memory.ShmLane;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mapped link file, as one of its two sides uses it. */
final class Link {

  private static final Logger LOG = LoggerFactory.getLogger(Link.class);

  private final MappedMemory file;
  private final long nonce;
  private final boolean connectingSide;
  private final ShmLane outgoing;
  private final ShmLane incoming;

  private Link(MappedMemory file, long nonce, boolean connectingSide) {
    this.file = file;
    this.nonce = nonce;
    this.connectingSide = connectingSide;
    this.outgoing = new ShmLane(file.memory(), connectingSide ? 0 : 1);
    this.incoming = new ShmLane(file.memory(), connectingSide ? 1 : 0);
  }

  /** Connecting side: creates the file. */
  static Link create(Path directory, long nonce) throws IOException {
    MappedMemory file =
        MappedMemory.create(RegionNames.link(directory, nonce), LinkLayout.LENGTH_BYTES);
    ByteBuffer memory = file.memory();
    memory.putLong(LinkLayout.MAGIC_OFFSET, LinkLayout.MAGIC);
    memory.putLong(LinkLayout.NONCE_OFFSET, nonce);
    memory.putInt(LinkLayout.LENGTH_OFFSET, LinkLayout.LENGTH_BYTES);
    return new Link(file, nonce, true);
  }

  /** Accepting side: maps the file and removes its name. */
  static Link open(Path directory, long nonce) throws IOException {
    MappedMemory file =
        MappedMemory.open(RegionNames.link(directory, nonce), LinkLayout.LENGTH_BYTES);
    ByteBuffer memory = file.memory();
    if (memory.getLong(LinkLayout.MAGIC_OFFSET) != LinkLayout.MAGIC
        || memory.getLong(LinkLayout.NONCE_OFFSET) != nonce
        || memory.getInt(LinkLayout.LENGTH_OFFSET) != LinkLayout.LENGTH_BYTES) {
      file.close();
      throw new IOException(file.path() + " is not the link of this connection");
    }
    file.unlink();
    return new Link(file, nonce, false);
  }

  long nonce() {
    return nonce;
  }

  boolean connectingSide() {
    return connectingSide;
  }

  ShmLane outgoing() {
    return outgoing;
  }

  ShmLane incoming() {
    return incoming;
  }

  /** Unmaps the file and removes its name if present. Views must not be used afterwards. */
  void release() {
    file.close();
    try {
      file.unlink();
    } catch (IOException e) {
      LOG.warn("cannot remove link {}: {}", file.path(), e.getMessage());
    }
  }
}
