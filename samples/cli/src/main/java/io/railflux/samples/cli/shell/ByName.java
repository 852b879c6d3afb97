package io.railflux.samples.cli.shell;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a name to a value, ignoring case. The error for an unknown name lists the valid names. */
public abstract class ByName<T> implements ITypeConverter<T> {

  private final String kind;
  private final T[] values;

  /**
   * @param kind description of the values for messages
   */
  protected ByName(String kind, T[] values) {
    this.kind = kind;
    this.values = values.clone();
  }

  @Override
  public T convert(String name) {
    return Arrays.stream(values)
        .filter(value -> value.toString().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("no " + kind + " has the name '" + name
            + "'; choose " + Arrays.stream(values).map(Object::toString).collect(joining(", "))));
  }
}
