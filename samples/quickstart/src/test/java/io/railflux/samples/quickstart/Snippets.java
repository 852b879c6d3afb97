package io.railflux.samples.quickstart;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tagged snippets of the samples, without regard to white space. */
final class Snippets {

  private static final Pattern TAGGED =
      Pattern.compile("// tag::([a-z-]+)\\[]\\n(.*?)// end::\\1\\[]", Pattern.DOTALL);

  /**
   * One tagged snippet.
   * @param source the file of the snippet
   * @param text with single spaces
   */
  record Snippet(Path source, String tag, String text) {}

  private Snippets() {}

  static List<Snippet> all() {
    List<Snippet> found = new ArrayList<>();
    for (String module : List.of("samples/quickstart", "samples/pipelines")) {
      for (Path source : Repository.files(module + "/src/main", ".java")) {
        Matcher tagged = TAGGED.matcher(Repository.read(source));
        while (tagged.find()) {
          found.add(new Snippet(source, tagged.group(1), normalised(tagged.group(2))));
        }
      }
    }
    return found;
  }

  static String normalised(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }
}
