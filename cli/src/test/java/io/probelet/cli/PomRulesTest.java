package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Every version stands in the root pom.xml: a module names what it uses and never which one. */
class PomRulesTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int LIBRARY_RELEASE = 21;
  private static final int FIRST_CLASS_VERSION = 44;
  private static final int MAGIC_AND_MINOR = 6;

  static Stream<String> modules() throws Exception {
    return elements(read(ROOT), "module").map(Element::getTextContent);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleDeclaresNoVersionOfADependencyOrPlugin(String module) throws Exception {
    assumeThat(module).isNotEqualTo("bom"); // which is nothing but versions
    Document pom = read(ROOT.resolve(module));
    List<String> versioned =
        declarations(pom)
            .filter(declaration -> !children(declaration, "version").isEmpty())
            .map(declaration -> children(declaration, "artifactId").getFirst())
            .toList();
    assertThat(versioned)
        .as("%s/pom.xml: artifacts with a <version>; manage them in the root pom.xml", module)
        .isEmpty();
  }

  /** Authors of controllers build on these, by the long-term release before ours. */
  @ParameterizedTest
  @ValueSource(strings = {"common/health-model", "health-checks", "probe-engine"})
  void aLibraryIsForJdk21(String module) throws Exception {
    assertThat(elements(read(ROOT.resolve(module)), "class.release").map(Element::getTextContent))
        .as("%s/pom.xml: class.release", module)
        .containsExactly(Integer.toString(LIBRARY_RELEASE));
    List<Path> stale = new ArrayList<>();
    FileTime said = Files.getLastModifiedTime(ROOT.resolve(module).resolve("pom.xml"));
    Path classes = ROOT.resolve(module).resolve("target/classes");
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        // What was compiled before the pom said so tells nothing.
        if (Files.getLastModifiedTime(file).compareTo(said) > 0
            && major(file) != LIBRARY_RELEASE + FIRST_CLASS_VERSION) {
          stale.add(file);
        }
      }
    }
    assertThat(stale).as("class files that are not for JDK %d", LIBRARY_RELEASE).isEmpty();
  }

  @Test
  void theBillOfMaterialsHasThePublishedLibraries() throws Exception {
    assertThat(
            elements(read(ROOT.resolve("bom")), "dependency")
                .map(library -> children(library, "artifactId").getFirst()))
        .containsExactlyInAnyOrder("health-model", "health-checks", "probe-engine");
  }

  /** Others build on these; elsewhere a tag that repeats a name may be left out. */
  @ParameterizedTest
  @ValueSource(strings = {"common/health-model", "health-checks", "probe-engine"})
  void aPublishedLibraryHasCompleteJavadoc(String module) throws Exception {
    assertThat(elements(read(ROOT.resolve(module)), "doclint").map(Element::getTextContent))
        .as("%s/pom.xml: doclint", module)
        .containsExactly("all/public");
  }

  /** {@code ./probelet}, scripts/image and benchmarks/run build these with maven.test.skip. */
  @ParameterizedTest
  @MethodSource("modules")
  void aBuildWithoutTestsNeedsNoJarOfTests(String module) throws Exception {
    assumeThat(module).isNotEqualTo("testing/system-tests"); // which is nothing but tests
    List<String> always =
        elements(read(ROOT.resolve(module)), "dependency")
            .filter(dependency -> children(dependency, "type").contains("test-jar"))
            .filter(dependency ->
                !dependency.getParentNode().getParentNode().getNodeName().equals("profile"))
            .map(dependency -> children(dependency, "artifactId").getFirst())
            .toList();
    assertThat(always)
        .as("%s/pom.xml: test-jar outside the profile that maven.test.skip turns off", module)
        .isEmpty();
  }

  private static int major(Path classFile) throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(classFile))) {
      in.skipNBytes(MAGIC_AND_MINOR);
      return in.readUnsignedShort();
    }
  }

  static Stream<String> all() throws Exception {
    return Stream.concat(Stream.of("."), modules());
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyVersionIsOneVersion(String module) throws Exception {
    Document root = read(ROOT);
    List<String> floating =
        declarations(read(ROOT.resolve(module)))
            .flatMap(declaration ->
                children(declaration, "version").stream()
                    .filter(version -> !isPinned(root, declaration, version))
                    .map(version -> children(declaration, "artifactId") + " " + version))
            .toList();
    assertThat(floating)
        .as("%s/pom.xml: ranges, snapshots and words; a build must be the same tomorrow", module)
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyPluginHasAVersion(String module) throws Exception {
    List<String> managed =
        elements(read(ROOT), "plugin")
            .filter(plugin -> !children(plugin, "version").isEmpty())
            .map(plugin -> children(plugin, "artifactId").getFirst())
            .toList();
    List<String> used =
        elements(read(ROOT.resolve(module)), "plugin")
            .map(plugin -> children(plugin, "artifactId").getFirst())
            .toList();
    assertThat(managed)
        .as("plugins of %s/pom.xml among those with a version in the root pom.xml", module)
        .containsAll(used);
  }

  /** The last release that the next version has to be compatible with, as semver.org says. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # next version,  released,            baseline
          0.1.0-SNAPSHOT,  '',                  ''
          0.1.1-SNAPSHOT,  '0.1.0',             0.1.0
          0.2.0-SNAPSHOT,  '0.1.1 0.1.0',       ''
          1.0.0-SNAPSHOT,  '0.2.0 0.1.1 0.1.0', ''
          1.1.0-SNAPSHOT,  '1.0.0 0.2.0',       1.0.0
          1.1.1-SNAPSHOT,  '1.1.0 1.0.0',       1.1.0
          2.0.0-SNAPSHOT,  '1.1.0 1.0.0',       ''
          """)
  void theBaselineIsTheLastReleaseThatTheNextVersionMustKeep(
      String next, String released, String baseline) {
    assertThat(baseline(next, List.of(released.split(" ")))).isEqualTo(baseline);
  }

  @Test
  void librariesAreComparedWithTheirLastRelease() throws Exception {
    List<String> released =
        Pattern.compile("(?m)^## ([0-9]+\\.[0-9]+\\.[0-9]+), [0-9]{4}-")
            .matcher(Files.readString(ROOT.resolve("CHANGELOG.md")))
            .results()
            .map(heading -> heading.group(1))
            .toList();
    String next = children(read(ROOT).getDocumentElement(), "version").getFirst();
    String option = "-Dapi.baseline=";
    assertThat(Files.readAllLines(ROOT.resolve(".mvn/maven.config")))
        .as(".mvn/maven.config: the release in CHANGELOG.md that %s must be compatible with", next)
        .filteredOn(line -> line.startsWith(option))
        .isEqualTo(
            Stream.of(baseline(next, released))
                .filter(version -> !version.isEmpty())
                .map(version -> option + version)
                .toList());
  }

  /**
   * {@return the newest release of the same major version, before 1.0 of the same minor version}
   */
  private static String baseline(String next, List<String> newestFirst) {
    String kept = next.replaceAll(next.startsWith("0.") ? "\\.[^.]*$" : "\\..*$", ".");
    return newestFirst.stream().filter(version -> version.startsWith(kept)).findFirst().orElse("");
  }

  /** Only what belongs to the same build has the build's own version, a snapshot. */
  private static boolean isPinned(Document root, Element declaration, String version) {
    if (version.equals("${project.version}")) {
      return children(declaration, "groupId").contains("io.probelet");
    }
    if (version.equals("${api.baseline}")) {
      return true; // .mvn/maven.config has it
    }
    String value = version;
    if (version.startsWith("${")) {
      String name = version.substring(2, version.length() - 1);
      value = elements(root, name).findFirst().map(Element::getTextContent).orElse("");
    }
    return value.matches("[0-9][0-9A-Za-z.+-]*") && !value.endsWith("-SNAPSHOT");
  }

  private static Stream<Element> declarations(Document pom) {
    return Stream.of("dependency", "plugin", "path", "extension")
        .flatMap(kind -> elements(pom, kind));
  }

  private static Document read(Path directory) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(directory.resolve("pom.xml").toFile());
  }

  private static Stream<Element> elements(Document pom, String name) {
    return stream(pom.getElementsByTagName(name));
  }

  private static List<String> children(Element parent, String name) {
    return stream(parent.getElementsByTagName(name))
        .filter(child -> child.getParentNode().isSameNode(parent))
        .map(child -> child.getTextContent().strip())
        .toList();
  }

  private static Stream<Element> stream(NodeList nodes) {
    return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item).map(Element.class::cast);
  }
}
