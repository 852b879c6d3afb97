package io.railflux.lab;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Reloads all classes of the SDK and the simulation. Some classes are compiled from a modified copy of their source.
 * Production code has no hooks for this.
 */
final class MutatedClasses extends ClassLoader {

  private static final String OURS = "io.railflux.";
  static final Path SOURCES = Path.of("..", "..", "sdk-core", "src", "main", "java");

  private final Map<String, byte[]> mutated;

  private MutatedClasses(Map<String, byte[]> mutated) {
    super(MutatedClasses.class.getClassLoader());
    this.mutated = mutated;
  }

  static MutatedClasses with(Mutation... mutations) {
    Map<String, byte[]> mutated = new TreeMap<>();
    for (Mutation mutation : mutations) {
      mutated.putAll(mutate(mutation));
    }
    return new MutatedClasses(mutated);
  }

  private static Map<String, byte[]> mutate(Mutation mutation) {
    return compile(mutation, patched(mutation));
  }

  /** Returns the modified source. Fails unless the snippet occurs exactly once. */
  static String patched(Mutation mutation) {
    Path file = SOURCES.resolve("io/railflux/" + mutation.file() + ".java");
    try {
      String source = Files.readString(file);
      int first = source.indexOf(mutation.snippet());
      if (first < 0 || source.indexOf(mutation.snippet(), first + 1) >= 0) {
        throw new AssertionError(
            "mutation '" + mutation + "': the snippet must be in " + file + " exactly once");
      }
      return source.replace(mutation.snippet(), mutation.replacement());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the unmodified sources, to verify the class loader itself. */
  static MutatedClasses unchanged() {
    return new MutatedClasses(Map.of());
  }

  private static Map<String, byte[]> compile(Mutation mutation, String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, byte[]> classes = new TreeMap<>();
    StringWriter complaints = new StringWriter();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    boolean compiled = compiler
        .getTask(
            complaints,
            new Memory(files, classes),
            null,
            List.of("-nowarn", "-proc:none", "-cp", System.getProperty("java.class.path")),
            null,
            List.of(new Source(mutation.file(), source)))
        .call();
    if (!compiled) {
      throw new AssertionError("mutation '" + mutation + "' does not compile: " + complaints);
    }
    return classes;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = name.startsWith(OURS) ? define(name) : super.loadClass(name, false);
      }
      return loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = mutated.get(name);
    if (bytes == null) {
      String resource = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(resource)) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        bytes = in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String file, String text) {
      super(URI.create("string:///io/railflux/" + file + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {

    private final Map<String, byte[]> classes;

    Memory(StandardJavaFileManager files, Map<String, byte[]> classes) {
      super(files);
      this.classes = classes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        JavaFileManager.Location location,
        String name,
        JavaFileObject.Kind kind,
        FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
        @Override
        public OutputStream openOutputStream() {
          return new ByteArrayOutputStream() {
            @Override
            public void close() {
              classes.put(name, toByteArray());
            }
          };
        }
      };
    }
  }
}
