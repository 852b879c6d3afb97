package io.railflux.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Finds the first difference between two records by the names of their codecs. */
public final class CodecMismatch {

  private static final String PREFIX = "record:";

  /** One component: its path through the enclosing records, and its type as in the name. */
  private record Component(String path, String type) {

    @Override
    public String toString() {
      return "'" + path + "' of type " + type;
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
      if (!there.get(i).equals(here.get(i))) {
        return ": component " + there.get(i) + " is sent where " + here.get(i) + " is expected";
      }
    }
    if (there.isEmpty() != here.isEmpty()) {
      return ": one record has primitives alone, or is of a release that sends enums by ordinal";
    }
    if (there.size() != here.size()) {
      boolean more = there.size() > here.size();
      Component odd = more ? there.get(here.size()) : here.get(there.size());
      return ": component " + odd + (more ? " is not expected" : " is not sent");
    }
    return "";
  }

  /**
   * Components in order; none if the name contains no names of components. Components that were cut off a long name
   * are omitted.
   */
  private static List<Component> components(String name) {
    List<Component> found = new ArrayList<>();
    Deque<String> path = new ArrayDeque<>();
    int end = name.lastIndexOf('#') < 0 ? name.length() : name.lastIndexOf('#');
    int begin = name.indexOf('(') + 1;
    StringBuilder type = new StringBuilder();
    for (int i = begin; begin > 0 && i < end; i++) {
      char c = name.charAt(i);
      if (c == '=') {
        path.addLast(name.substring(begin, i));
        type.setLength(0);
      } else if (c == '(' || c == ',' || c == ')') {
        add(found, path, c == '(' ? type.append("(…)") : type);
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
      found.add(new Component(String.join(".", path), type.toString()));
    }
    type.setLength(0);
  }
}
