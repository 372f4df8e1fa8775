package io.probelet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Every version stands in the root pom.xml: a module names what it uses and never which one. */
class PomRulesTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  static Stream<String> modules() throws Exception {
    return elements(read(ROOT), "module").map(Element::getTextContent);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleDeclaresNoVersionOfADependencyOrPlugin(String module) throws Exception {
    Document pom = read(ROOT.resolve(module));
    List<String> versioned =
        Stream.of("dependency", "plugin", "path", "extension")
            .flatMap(kind -> elements(pom, kind))
            .filter(declaration -> !children(declaration, "version").isEmpty())
            .map(declaration -> children(declaration, "artifactId").getFirst())
            .toList();
    assertThat(versioned)
        .as("%s/pom.xml: artifacts with a <version>; manage them in the root pom.xml", module)
        .isEmpty();
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
