/** The demo command streams host telemetry and a file through three processes, verified end to end. */
package io.railflux.samples.cli.demo;
