package io.railflux.samples.cli.shell;

import tools.jackson.databind.json.JsonMapper;

/** Writes results as one line of JSON, with fields in the order of the record's components. */
public final class Json {

  private static final JsonMapper MAPPER = JsonMapper.builder()
      .disable(tools.jackson.databind.MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
      .build();

  private Json() {}

  public static String line(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  public static <T> T parse(String line, Class<T> type) {
    return MAPPER.readValue(line, type);
  }
}
