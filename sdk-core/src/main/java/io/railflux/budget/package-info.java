/** The memory of messages that subscribers own, bounded per node. */
@NullMarked
package io.railflux.budget;

import org.jspecify.annotations.NullMarked;
