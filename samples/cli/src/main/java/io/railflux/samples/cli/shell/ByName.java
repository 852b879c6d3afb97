package io.railflux.samples.cli.shell;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one of some values by the name it is written by, in whichever case; what is none is told with those there are. */
public abstract class ByName<T> implements ITypeConverter<T> {

  private final String kind;
  private final T[] values;

  /** @param kind what they are, for people */
  protected ByName(String kind, T[] values) {
    this.kind = kind;
    this.values = values.clone();
  }

  @Override
  public T convert(String name) {
    return Arrays.stream(values)
        .filter(value -> value.toString().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("no " + kind + " is called '" + name
            + "'; choose " + Arrays.stream(values).map(Object::toString).collect(joining(", "))));
  }
}
