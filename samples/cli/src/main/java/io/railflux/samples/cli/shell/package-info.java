/** What every command needs: one-line failures and results, child processes, figures of a process. */
package io.railflux.samples.cli.shell;
