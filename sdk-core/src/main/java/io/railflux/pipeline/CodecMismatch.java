package io.railflux.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the first difference between two records by the names of their codecs. */
public final class CodecMismatch {

  private static final String PREFIX = "record:";

  /** Type of a record among the components. */
  private static final String NESTED = "(…)";

  /** Types in the names of records of primitives, which contain no names of components. */
  private static final Map<Character, String> PRIMITIVES = Map.of(
      'Z', "boolean", 'B', "byte", 'S', "short", 'C', "char", 'I', "int", 'J', "long", 'F', "float",
      'D', "double");

  /**
   * One component.
   *
   * @param path its path through the enclosing records; null if the name of the codec has types alone
   * @param number position among the components of all records, from 1
   * @param type its type as in the name
   */
  private record Component(@Nullable String path, int number, String type) {

    boolean matches(Component other) {
      boolean sameName = path == null || other.path == null || path.equals(other.path);
      return sameName && type.equals(other.type);
    }

    @Override
    public String toString() {
      return (path == null ? "number " + number : "'" + path + "'") + " of type " + type;
    }
  }

  private CodecMismatch() {}

  /**
   * Describes the first component in which two records differ.
   *
   * @param sent name of the sender's codec
   * @param received name of the receiver's codec
   * @return text that follows both names in a message; empty if the names do not show the difference
   */
  public static String explain(String sent, String received) {
    if (!sent.startsWith(PREFIX) || !received.startsWith(PREFIX)) {
      return "";
    }
    List<Component> there = components(sent);
    List<Component> here = components(received);
    for (int i = 0; i < Math.min(there.size(), here.size()); i++) {
      if (!there.get(i).matches(here.get(i))) {
        return ": component " + there.get(i) + " is sent where " + here.get(i) + " is expected";
      }
    }
    if (there.isEmpty() != here.isEmpty()) {
      return ": one record is of a release that sends enums by ordinal";
    }
    if (there.size() != here.size()) {
      boolean more = there.size() > here.size();
      Component odd = more ? there.get(here.size()) : here.get(there.size());
      return ": component " + odd + (more ? " is not expected" : " is not sent");
    }
    return "";
  }

  /**
   * Components in order; none if the name does not contain their types. Components that were cut off a long name are
   * omitted.
   */
  private static List<Component> components(String name) {
    return name.indexOf('=') < 0 ? primitives(name) : named(name);
  }

  private static int end(String name) {
    return name.lastIndexOf('#') < 0 ? name.length() : name.lastIndexOf('#');
  }

  private static List<Component> primitives(String name) {
    List<Component> found = new ArrayList<>();
    int begin = name.indexOf('(') + 1;
    for (int i = begin; begin > 0 && i < end(name); i++) {
      char c = name.charAt(i);
      String type = c == '(' ? NESTED : PRIMITIVES.get(c);
      if (type != null) {
        found.add(new Component(null, found.size() + 1, type));
      } else if (c != ')') {
        return List.of();
      }
    }
    return found;
  }

  private static List<Component> named(String name) {
    List<Component> found = new ArrayList<>();
    Deque<String> path = new ArrayDeque<>();
    int end = end(name);
    int begin = name.indexOf('(') + 1;
    StringBuilder type = new StringBuilder();
    for (int i = begin; begin > 0 && i < end; i++) {
      char c = name.charAt(i);
      if (c == '=') {
        path.addLast(name.substring(begin, i));
        type.setLength(0);
      } else if (c == '(' || c == ',' || c == ')') {
        add(found, path, c == '(' ? type.append(NESTED) : type);
        if (c != '(' && !path.isEmpty()) {
          path.removeLast();
        }
        begin = i + 1;
      } else {
        type.append(c);
      }
    }
    return found;
  }

  private static void add(List<Component> found, Deque<String> path, StringBuilder type) {
    // Only brackets remain behind a nested record.
    boolean bracketsOnly = type.chars().allMatch(c -> c == ']' || c == '}');
    if (!path.isEmpty() && !bracketsOnly) {
      found.add(new Component(String.join(".", path), found.size() + 1, type.toString()));
    }
    type.setLength(0);
  }
}
