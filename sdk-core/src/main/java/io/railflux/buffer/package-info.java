/**
 * Memory outside the heap with an explicit owner: a budgeted pool that tells who forgot to release,
 * and files mapped for sharing between processes.
 */
package io.railflux.buffer;
