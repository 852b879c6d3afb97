/** Addresses as users write them, and the addresses of this host. Uses no other package. */
@NullMarked
package io.railflux.address;

import org.jspecify.annotations.NullMarked;
