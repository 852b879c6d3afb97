package io.railflux;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.scheduler.Schedulers;

/** The permitted dependencies between packages, and the restrictions of deterministic packages. */
@AnalyzeClasses(packages = "io.railflux", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ROOT = "io.railflux";

  @ArchTest
  static final ArchRule EXCEPTIONS_USE_NO_PACKAGE = packageUsesOnly("exceptions");

  @ArchTest
  static final ArchRule BUFFER = packageUsesOnly("buffer", "exceptions");

  @ArchTest
  static final ArchRule WIRE = packageUsesOnly("wire", "buffer", "exceptions");

  @ArchTest
  static final ArchRule HANDSHAKE = packageUsesOnly("wire.handshake", "wire");

  @ArchTest
  static final ArchRule MESSAGE =
      packageUsesOnly("message", "message.layout", "buffer", "exceptions");

  @ArchTest
  static final ArchRule LAYOUT_OF_RECORDS_USES_NO_PACKAGE = packageUsesOnly("message.layout");

  @ArchTest
  static final ArchRule POLICY_USES_NO_PACKAGE = packageUsesOnly("policy");

  @ArchTest
  static final ArchRule METRICS_USE_NAMES_OF_POLICIES_ONLY = packageUsesOnly("metrics", "policy");

  @ArchTest
  static final ArchRule FABRIC = packageUsesOnly("fabric", "buffer", "wire", "exceptions");

  @ArchTest
  static final ArchRule WHAT_FABRICS_SHARE_KNOWS_NONE = packageUsesOnly("fabric.base", "fabric");

  @ArchTest
  static final ArchRule SHM_KNOWS_NO_OTHER_FABRIC = fabricUsesOnlyTheContract(
      "shm", "fabric.shm.socket", "fabric.shm.memory", "fabric.shm.files");

  @ArchTest
  static final ArchRule SHM_SOCKETS =
      fabricUsesOnlyTheContract("shm.socket", "fabric.shm.memory", "fabric.shm.files");

  @ArchTest
  static final ArchRule SHM_MEMORY = fabricUsesOnlyTheContract("shm.memory");

  @ArchTest
  static final ArchRule SHM_FILES = fabricUsesOnlyTheContract("shm.files");

  @ArchTest
  static final ArchRule ADDRESS_USES_NO_PACKAGE = packageUsesOnly("address");

  @ArchTest
  static final ArchRule BUDGET =
      packageUsesOnly("budget", "pipeline", "message", "wire", "buffer", "exceptions");

  @ArchTest
  static final ArchRule TCP_KNOWS_NO_OTHER_FABRIC =
      fabricUsesOnlyTheContract("tcp", "fabric.tcp.frames");

  @ArchTest
  static final ArchRule TCP_FRAMES = fabricUsesOnlyTheContract("tcp.frames");

  @ArchTest
  static final ArchRule SIM_KNOWS_NO_OTHER_FABRIC =
      fabricUsesOnlyTheContract("sim", "fabric.sim.memory", "fabric.sim.events");

  @ArchTest
  static final ArchRule SIM_MEMORY = fabricUsesOnlyTheContract("sim.memory", "fabric.sim.events");

  @ArchTest
  static final ArchRule SIM_EVENTS_USE_NO_PACKAGE = packageUsesOnly("fabric.sim.events");

  @ArchTest
  static final ArchRule FAULTS_KNOW_NO_PARTICULAR_FABRIC = fabricUsesOnlyTheContract("faults");

  @ArchTest
  static final ArchRule PIPELINE_NEVER_USES_THE_ENGINE =
      packageUsesOnly("pipeline", "message", "policy", "wire", "buffer", "exceptions");

  /** The packages that every package of the engine may use, in addition to lower layers. */
  private static final String[] BELOW_THE_ENGINE = {
    "pipeline",
    "policy",
    "fabric",
    "fabric.base",
    "wire",
    "wire.handshake",
    "buffer",
    "message",
    "exceptions",
    "metrics",
    "security",
    "crypto"
  };

  /** The layers of the engine, from the lowest to the highest. */
  private static final List<String> ENGINE_LAYERS = List.of(
      "engine.base",
      "engine.seal",
      "engine.ring",
      "engine.path",
      "engine.send",
      "engine.rendezvous",
      "engine.stream",
      "engine.session",
      "engine.connect",
      "engine");

  @ArchTest
  static void engineLayersUseOnlyLayersBelowThem(JavaClasses classes) {
    for (int layer = 0; layer < ENGINE_LAYERS.size(); layer++) {
      List<String> allowed = new ArrayList<>(List.of(BELOW_THE_ENGINE));
      allowed.addAll(ENGINE_LAYERS.subList(0, layer));
      packageUsesOnly(ENGINE_LAYERS.get(layer), allowed.toArray(String[]::new)).check(classes);
    }
  }

  @ArchTest
  static void documentedLayersMatchTheEngine(JavaClasses classes) throws IOException {
    List<String> documented =
        Files.readAllLines(repositoryRoot().resolve("docs/architecture.md")).stream()
            .filter(line -> line.matches("\\| `engine(\\.\\w+)?` \\|.*"))
            .map(line -> line.split("`", -1)[1])
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.reverse(documented);

    assertEquals(ENGINE_LAYERS, documented);
  }

  private static Path repositoryRoot() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("sdk-bom"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  @ArchTest
  static final ArchRule THE_ENGINE_HAS_NO_OTHER_PACKAGES = classes()
      .that(resideInAPackage(ROOT + ".engine.."))
      .should(be(resideInAnyPackage(
          ENGINE_LAYERS.stream().map(layer -> ROOT + "." + layer).toArray(String[]::new))))
      .allowEmptyShould(true);

  @ArchTest
  static final ArchRule SECURITY_USES_NO_PACKAGE = packageUsesOnly("security");

  @ArchTest
  static final ArchRule CRYPTO_USES_NO_PACKAGE = packageUsesOnly("crypto");

  @ArchTest
  static final ArchRule ONLY_NODES_REHEARSE = noClasses()
      .that(resideInAPackage(ROOT + ".*.."))
      .and()
      .resideOutsideOfPackage(ROOT + ".rehearsal")
      .should()
      .dependOnClassesThat()
      .resideInAPackage(ROOT + ".rehearsal")
      .allowEmptyShould(true);

  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().assignedFrom(eachPackage()).should().beFreeOfCycles().allowEmptyShould(true);

  @ArchTest
  static final ArchRule THE_SAME_SEED_GIVES_THE_SAME_TRACE = noClasses()
      .that(resideInAnyPackage(
          ROOT + ".engine..",
          ROOT + ".pipeline..",
          ROOT + ".policy..",
          ROOT + ".wire..",
          ROOT + ".crypto.."))
      .and(describe(
          "are not the engine thread and its watchdog",
          type -> !isOrIsNestedIn(type, ROOT + ".engine.EngineThread")
              && !isOrIsNestedIn(type, ROOT + ".engine.EngineWatchdog")))
      .should()
      .accessTargetWhere(dependsOnClockThreadOrChance())
      .because(
          "time, threads and randomness are passed in (EngineThread and EngineWatchdog alone own them)")
      .allowEmptyShould(true);

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS = noClasses()
      .should()
      .haveNameMatching(".*(Impl|Utils?|Helper|Manager)(\\$.*)?")
      .allowEmptyShould(true);

  @ArchTest
  static final ArchRule UNSAFE_STAYS_IN_BUFFER = noClasses()
      .that()
      .resideOutsideOfPackage(ROOT + ".buffer..")
      .should()
      .dependOnClassesThat()
      .haveFullyQualifiedName("sun.misc.Unsafe")
      .allowEmptyShould(true);

  /** @param parts further packages of the same fabric */
  private static ArchRule fabricUsesOnlyTheContract(String fabric, String... parts) {
    List<String> allowed =
        new ArrayList<>(List.of("fabric", "fabric.base", "buffer", "wire", "exceptions"));
    allowed.addAll(List.of(parts));
    return packageUsesOnly("fabric." + fabric, allowed.toArray(String[]::new));
  }

  /**
   * Classes of the package depend, among the SDK's packages, only on their own package tree and the permitted ones.
   */
  private static ArchRule packageUsesOnly(String name, String... allowed) {
    List<String> packages = new ArrayList<>();
    packages.add(ROOT + "." + name);
    Stream.of(allowed).map(other -> ROOT + "." + other).forEach(packages::add);
    String[] exact = packages.toArray(String[]::new);
    return classes()
        .that(resideInAPackage(ROOT + "." + name))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(exact).or(DescribedPredicate.not(resideInAPackage(ROOT + ".."))))
        .as("io.railflux." + name + " uses only " + List.of(allowed))
        .allowEmptyShould(true);
  }

  private static SliceAssignment eachPackage() {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return SliceIdentifier.of(type.getPackageName());
      }

      @Override
      public String getDescription() {
        return "each package";
      }
    };
  }

  private static boolean isOrIsNestedIn(JavaClass type, String name) {
    return type.getName().equals(name) || type.getName().startsWith(name + "$");
  }

  private static DescribedPredicate<JavaAccess<?>> dependsOnClockThreadOrChance() {
    return describe(
        "reads a clock, blocks, schedules or is random", access -> isForbidden(access.getTarget()));
  }

  private static boolean isForbidden(AccessTarget target) {
    JavaClass owner = target.getOwner();
    String name = target.getName();
    return isMember(owner, name, System.class, "nanoTime", "currentTimeMillis", "identityHashCode")
        || isMember(owner, name, Instant.class, "now")
        || isMember(
            owner, name, Clock.class, "systemUTC", "systemDefaultZone", "system", "tickMillis")
        || isMember(owner, name, Thread.class, "sleep", "start", "ofVirtual", "ofPlatform")
        || isMember(owner, name, Math.class, "random")
        || isMember(owner, name, UUID.class, "randomUUID")
        || owner.isEquivalentTo(ThreadLocalRandom.class)
        || owner.isEquivalentTo(SecureRandom.class)
        || owner.isEquivalentTo(Schedulers.class)
        || owner.isEquivalentTo(IdentityHashMap.class)
        || (owner.isEquivalentTo(Random.class) && isConstructorWithoutSeed(target))
        || (owner.getPackageName().startsWith("reactor.core") && takesRealTime(target));
  }

  private static boolean isMember(JavaClass owner, String name, Class<?> type, String... members) {
    return owner.isEquivalentTo(type) && List.of(members).contains(name);
  }

  private static boolean isConstructorWithoutSeed(AccessTarget target) {
    return target instanceof CodeUnitAccessTarget unit
        && unit.getName().equals("<init>")
        && unit.getRawParameterTypes().isEmpty();
  }

  /** Reactor's timed operators without an explicit scheduler use a scheduler of Reactor. */
  private static boolean takesRealTime(AccessTarget target) {
    return target instanceof CodeUnitAccessTarget unit
        && unit.getRawParameterTypes().stream()
            .anyMatch(type -> type.isEquivalentTo(Duration.class));
  }
}
