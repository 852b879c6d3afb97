package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles a user's module against the SDK's module. */
class ModulePathTest {

  private static final List<String> NEEDED =
      List.of("reactor-core", "reactive-streams-1", "netty-", "slf4j-api", "jspecify");

  @TempDir
  Path directory;

  private static String modulePath() {
    Stream<String> libraries = Arrays.stream(
            System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> NEEDED.stream().anyMatch(new File(entry).getName()::startsWith))
        .filter(entry -> !entry.contains("netty-transport-native-epoll"))
        .filter(entry -> !entry.contains("netty-pkitesting"));
    return Stream.concat(Stream.of(Path.of("target", "classes").toString()), libraries)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns the output of the compiler for a class with a statement. */
  private String compile(String statement) throws IOException {
    Path module = Files.writeString(
        directory.resolve("module-info.java"), "module consumer { requires io.railflux.core; }");
    Path type = Files.writeString(
        directory.resolve("Use.java"),
        "package consumer; class Use { Object x = " + statement + "; }");
    StringWriter output = new StringWriter();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      compiler
          .getTask(
              output,
              files,
              null,
              List.of("--module-path", modulePath(), "-d", directory.toString(), "-proc:none"),
              null,
              files.getJavaFileObjects(module, type))
          .call();
    }
    return output.toString();
  }

  @Test
  void publicApiIsExported() throws IOException {
    assertEquals(
        "", compile("io.railflux.Railflux.create().start().flatMap(io.railflux.Node::close)"));
    assertEquals("", compile("new io.railflux.fabric.tcp.TcpFabricProvider().availability()"));
    assertEquals("", compile("io.railflux.message.Codecs.utf8()"));
    assertEquals("", compile("io.railflux.metrics.RailfluxMeter.STALLS"));
  }

  @Test
  void internalsAreNotExported() throws IOException {
    for (String inside : List.of(
        "io.railflux.wire.FrameType.class",
        "io.railflux.engine.Engine.class",
        "io.railflux.pipeline.Outgoing.class",
        "io.railflux.buffer.BufferPool.class",
        "io.railflux.fabric.base.NettyFitness.class")) {
      String output = compile(inside);
      assertTrue(output.contains("is not visible"), inside + ": " + output);
    }
  }
}
