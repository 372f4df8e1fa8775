package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The version of the poms is the only one; {@code scripts/release} replaces it everywhere. */
class VersionTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern IMAGE = Pattern.compile("image: probelet:(\\S+)");
  private static final Pattern IN_CHART = Pattern.compile("(?m)^(?:appVersion|version): (\\S+)");
  private static final Pattern IN_DOCS =
      Pattern.compile("probelet[-_:](?:image[-_:])?(\\d+\\.\\d+\\.\\d+(?:-SNAPSHOT)?)");

  private static final Pattern SNAPSHOT = Pattern.compile("\\d+\\.\\d+\\.\\d+-SNAPSHOT");

  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map(match -> match.group(match.groupCount()))
        .toList();
  }

  private static String version() throws IOException {
    return found(Pattern.compile("<version>(\\S+)</version>"), ROOT.resolve("pom.xml")).getFirst();
  }

  @Test
  @DisplayName("the chart and its application have the version of the poms")
  void chart() throws IOException {
    assertThat(found(IN_CHART, HelmChart.DIRECTORY.resolve("Chart.yaml")))
        .hasSize(2)
        .containsOnly(version());
  }

  @Test
  @DisplayName("each image in deploy has the version of the poms")
  void images() throws IOException {
    String version = version();
    int images = 0;
    try (Stream<Path> files = Files.walk(ROOT.resolve("deploy"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
        List<String> found = found(IMAGE, file);
        images += found.size();
        assertThat(found).as("%s", file).allMatch(version::equals);
      }
    }
    assertThat(images).isGreaterThan(4);
  }

  @Test
  @DisplayName(
      "pages that name a file or an image name the version of the poms, or the next release")
  void docs() throws IOException {
    String version = version();
    List<String> named = new ArrayList<>();
    for (String page :
        List.of("README.md", "docs/how-to/install.md", "docs/development/releasing.md")) {
      List<String> found = found(IN_DOCS, ROOT.resolve(page));
      assertThat(found)
          .as(page)
          .allMatch(each -> version.equals(each) || version.equals(each + "-SNAPSHOT"));
      named.addAll(found);
    }
    assertThat(named).hasSizeGreaterThan(5);
  }

  @Test
  @DisplayName("each snapshot in poms and pages is the version of the poms")
  void snapshots() throws IOException {
    String version = version();
    List<String> named = new ArrayList<>();
    for (Path file : texts()) {
      List<String> found = found(SNAPSHOT, file);
      assertThat(found).as("%s", file).allMatch(version::equals);
      named.addAll(found);
    }
    assertThat(named).hasSizeGreaterThan(25);
  }

  private static List<Path> texts() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return List.of("target", ".git", "node_modules")
                    .contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (name.endsWith(".md") || name.equals("pom.xml")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
