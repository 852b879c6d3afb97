/**
 * The shortest useful programs, with one idea each. Each program has a {@code main}, is run by a test, and is quoted by
 * the guides in {@code docs}, between {@code tag::name[]} and {@code end::name[]}.
 */
package io.railflux.samples.quickstart;
