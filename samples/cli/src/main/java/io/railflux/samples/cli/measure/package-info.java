/** What every measurement moves, how long it runs, and the least that can move it; uses the shell package. */
package io.railflux.samples.cli.measure;
