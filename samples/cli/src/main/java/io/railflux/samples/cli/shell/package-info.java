/** Common parts of all commands: one-line failures, results, child processes and process figures. */
package io.railflux.samples.cli.shell;
