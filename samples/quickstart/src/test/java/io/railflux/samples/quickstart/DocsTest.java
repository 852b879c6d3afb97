package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.message.Headers;
import io.railflux.message.Message;
import io.railflux.metrics.RailfluxMeter;
import io.railflux.samples.quickstart.Snippets.Snippet;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The guides agree with the code: they quote tested programs, and their tables are complete. */
class DocsTest {

  private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(#[^)\\s]*)?\\)");
  private static final Pattern TEST_CLASS = Pattern.compile("\\b[A-Z]\\w*Test\\b");
  private static final Pattern MECHANISM =
      Pattern.compile("^\\| ([A-Z]+\\d+) \\|(.*)$", Pattern.MULTILINE);
  private static final Set<String> OF_OBJECT =
      Set.of("toString", "equals", "hashCode", "getClass", "notify", "notifyAll", "wait");

  @Test
  void javaIsQuotedFromTestedSamples() {
    List<String> snippets = Snippets.all().stream().map(Snippet::text).toList();
    List<String> invented = new ArrayList<>();
    for (Path document : Repository.documents()) {
      matches(JAVA, document).forEach(block -> {
        String code = Snippets.normalised(block.group(1));
        if (snippets.stream().noneMatch(snippet -> snippet.contains(code))) {
          invented.add(document.getFileName() + ": " + code);
        }
      });
    }
    assertEquals(List.of(), invented);
  }

  @Test
  void everySampleWithASnippetIsRunByATest() {
    String tests = Stream.of("samples/quickstart", "samples/pipelines")
        .flatMap(module -> Repository.files(module + "/src/test", "Test.java").stream())
        .map(Repository::read)
        .collect(Collectors.joining());
    String tested = Snippets.all().stream()
        .map(Snippet::source)
        .filter(source -> tests.contains(Repository.simpleName(source) + "."))
        .map(Repository::read)
        .collect(Collectors.joining());
    Set<String> untested = new TreeSet<>();
    for (Snippet snippet : Snippets.all()) {
      String name = Repository.simpleName(snippet.source());
      if (!tests.contains(name) && !tested.contains(name + ".")) {
        untested.add(name);
      }
    }
    assertEquals(Set.of(), untested);
  }

  @Test
  void linksHaveTargets() {
    List<String> broken = new ArrayList<>();
    for (Path document : Repository.documents()) {
      matches(LINK, document).filter(link -> !link.group(1).contains(":")).forEach(link -> {
        Path target = link.group(1).isEmpty()
            ? document
            : document.resolveSibling(link.group(1)).normalize();
        if (!Files.exists(target) || !hasHeading(target, link.group(2))) {
          broken.add(document.getFileName() + ": " + link.group());
        }
      });
    }
    assertEquals(List.of(), broken);
  }

  private static boolean hasHeading(Path target, String anchor) {
    if (anchor == null) {
      return true;
    }
    return Repository.read(target)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ *", "").toLowerCase(java.util.Locale.ROOT))
        .map(line -> line.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .anyMatch(anchor.substring(1)::equals);
  }

  @Test
  void everyOptionIsInTheConfigurationTable() {
    List<String> options = Arrays.stream(Railflux.class.getMethods())
        .filter(method -> method.getReturnType() == Railflux.class)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(Method::getName)
        .toList();
    assertFalse(options.isEmpty());
    assertRowsFor(options, "docs/api-guide.md");
  }

  @Test
  void everyExceptionIsInTheErrorsTable() {
    List<String> exceptions =
        Repository.files("sdk-core/src/main/java/io/railflux/exceptions", "Exception.java").stream()
            .map(Repository::simpleName)
            .toList();
    assertFalse(exceptions.isEmpty());
    assertRowsFor(exceptions, "docs/api-guide.md");
  }

  private static void assertRowsFor(List<String> names, String document) {
    List<String> rows =
        Repository.read(document).lines().filter(line -> line.startsWith("| `")).toList();
    List<String> missing = names.stream()
        .filter(name -> rows.stream().noneMatch(row -> row.startsWith("| `" + name + "`")))
        .toList();
    assertEquals(List.of(), missing, "rows of " + document);
  }

  @Test
  void everyMeterIsInOperationsAsDeclared() {
    String operations = Repository.read("docs/operations.md");
    List<String> missing = Arrays.stream(RailfluxMeter.values())
        .map(meter ->
            "| `" + meter.meterName() + "` | " + meter.unit() + " | " + meter.description() + " |")
        .filter(row -> !operations.contains(row))
        .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void everyPublicMethodIsInTheApiGuide() {
    String guide = Repository.read("docs/api-guide.md");
    Set<String> missing = Stream.of(
            Railflux.class,
            Node.class,
            Peer.class,
            Codecs.class,
            Envelope.class,
            Headers.class,
            Message.class)
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .map(Method::getName)
        .filter(name -> !OF_OBJECT.contains(name))
        .filter(name -> !Pattern.compile("\\b" + name + "\\b").matcher(guide).find())
        .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), missing);
  }

  @Test
  void everyNamedTestExists() {
    Set<String> tests = Repository.files("", "Test.java").stream()
        .map(Repository::simpleName)
        .collect(Collectors.toSet());
    for (String document :
        List.of("docs/mechanisms.md", "docs/architecture.md", "docs/security.md")) {
      Set<String> named = matches(TEST_CLASS, Repository.ROOT.resolve(document))
          .map(MatchResult::group)
          .filter(name -> !tests.contains(name))
          .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(Set.of(), named, "named in " + document);
    }
  }

  @Test
  void everyTestOfAMechanismCarriesItsTag() {
    List<String> untagged = new ArrayList<>();
    matches(MECHANISM, Repository.ROOT.resolve("docs/mechanisms.md")).forEach(row -> {
      String tag = "@Tag(\"" + row.group(1) + "\")";
      TEST_CLASS.matcher(row.group(2)).results().map(MatchResult::group).forEach(test -> {
        List<Path> sources = Repository.files("", "/" + test + ".java");
        if (sources.stream().noneMatch(source -> Repository.read(source).contains(tag))) {
          untagged.add(test + " lacks " + tag);
        }
      });
    });
    assertEquals(List.of(), untagged);
  }

  private static Stream<MatchResult> matches(Pattern pattern, Path document) {
    return pattern.matcher(Repository.read(document)).results();
  }
}
