/**
 * The layout of records: how the values of each type of a component are encoded, composed by reflection once for each
 * record.
 *
 * <p>Depends on no other package.
 */
@NullMarked
package io.railflux.message.layout;

import org.jspecify.annotations.NullMarked;
