/** The shortest programs that do something useful. */
module io.railflux.samples.quickstart {
  requires io.railflux.core;
}
