/** Layout and use of the memory that two processes share: regions, mailboxes and wake-up words. */
@NullMarked
package io.railflux.fabric.shm.memory;

import org.jspecify.annotations.NullMarked;
