/**
 * The shortest programs that do something useful, one idea each. Every one has a {@code main}, is run
 * by a test and is quoted by the guides in {@code docs}: what stands between {@code tag::name[]} and
 * {@code end::name[]} is what a reader sees.
 */
package io.railflux.samples.quickstart;
