/** Virtual time: the queue of events, seeded choices and the trace of a run. Depends on no other package. */
package io.railflux.fabric.sim.events;
