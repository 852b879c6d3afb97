/** Sessions with a place instead of a node: connected on first use, and connected again after each end. */
@NullMarked
package io.railflux.remote;

import org.jspecify.annotations.NullMarked;
