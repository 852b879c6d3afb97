/**
 * Send and receive pipelines, one idea a program.
 *
 * <p>Depends on the API and the policies only.
 */
package io.railflux.samples.pipelines;
