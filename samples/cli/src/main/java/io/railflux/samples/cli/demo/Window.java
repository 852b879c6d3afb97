package io.railflux.samples.cli.demo;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;

/** The readings of one kind within one second. */
record Window(Event.Kind kind, long count, double mean, double max) {

  static final Codec<Window> CODEC = Codecs.record(Window.class);
}
