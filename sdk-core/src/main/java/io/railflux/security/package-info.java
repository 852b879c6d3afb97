/**
 * Security settings: sources of secrets, and the condition of encryption.
 *
 * <p>Depends on no other package.
 */
@NullMarked
package io.railflux.security;

import org.jspecify.annotations.NullMarked;
