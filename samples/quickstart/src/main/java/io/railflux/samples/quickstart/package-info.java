/**
 * The shortest programs that do something useful; the guides quote them.
 *
 * <p>Depends on the API only.
 */
package io.railflux.samples.quickstart;
