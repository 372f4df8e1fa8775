package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.probelet.manifest.pod.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files and directories are found, and one that cannot be read costs only itself. */
class ManifestReaderTest {

  @TempDir private Path folder;

  @Test
  void directoriesGiveTheirManifestsInOrderAndNothingElse() throws IOException {
    write("b.yaml", pod("b"));
    write("a.yml", pod("a"));
    write("c.json", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}");
    write(".hidden.yaml", "broken: [");
    write("notes.txt", "broken: [");
    write("deeper/d.yaml", "broken: [");
    Files.createDirectory(folder.resolve("dir.yaml"));
    Manifests manifests = read(folder);
    assertThat(manifests.problems()).isEmpty();
    assertThat(manifests.pods()).extracting(pod -> pod.ref().name()).containsExactly("a", "b");
  }

  @Test
  void aFileNamedTwiceIsReadOnce() throws IOException {
    Path file = write("a.yaml", pod("a"));
    Files.createSymbolicLink(folder.resolve("link.yaml"), file);
    assertThat(read(file, folder, file.resolve("../a.yaml")).pods()).hasSize(1);
  }

  @Test
  void everyProblemOfEveryFileIsReportedByFileAndLine() throws IOException {
    write("a.yaml", "kind: Pod\n---\nx: [");
    write("b.json", "{");
    Path missing = folder.resolve("z");
    Manifests manifests = read(missing, folder);
    assertThat(manifests.problems())
        .extracting(problem -> folder.relativize(Path.of(problem.origin())) + ":" + problem.at())
        .containsExactly(
            "a.yaml:1:1", "a.yaml:1:1", "a.yaml:1:1", "a.yaml:3:5", "b.json:1:2", "z:null");
    assertThat(manifests.problems().getLast())
        .hasToString(missing + ": error: no such file or directory");
    assertThat(manifests.hasErrors()).isTrue();
  }

  @Test
  void nothingToReadIsAWarning() throws IOException {
    Path empty = write("empty.yaml", "# nothing\n");
    Path bare = Files.createDirectory(folder.resolve("bare"));
    Manifests manifests = read(empty, bare);
    assertThat(manifests.problems())
        .extracting(Object::toString)
        .containsExactly(
            bare + ": warning: no manifests here: no *.yaml, *.yml or *.json",
            empty + ": warning: is empty");
    assertThat(manifests.hasErrors()).isFalse();
  }

  @Test
  void whatIsHugeOrNoTextSaysSo() throws IOException {
    Path huge = write("huge.yaml", "#".repeat((1 << 20) + 1));
    Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {'a', (byte) 0xC0});
    assertThat(read(huge, binary).problems())
        .extracting(Object::toString)
        .containsExactly(
            binary + ":1:2: error: is not UTF-8 from here on",
            huge + ": error: is larger than 1 MiB; split it");
  }

  @Test
  void whatMayNotBeReadSaysSo() throws IOException {
    Path secret = write("secret.yaml", pod("a"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(secret), "root reads everything");
    assertThat(read(secret).problems())
        .extracting(Object::toString)
        .containsExactly(secret + ": error: cannot be read: permission denied");
  }

  @Test
  void aPodInTwoFilesIsAnErrorThatNamesBoth() throws IOException {
    Path first = write("a.yaml", pod("same"));
    Path second = write("b.yaml", "---\n" + pod("same"));
    Manifests manifests = read(folder);
    assertThat(manifests.pods()).hasSize(1);
    assertThat(manifests.problems())
        .extracting(Object::toString)
        .containsExactly(
            second
                + ":4:18: error: document 1: metadata.name: Duplicate value: \"default/same\": the"
                + " pod is defined in "
                + first
                + ":3:18 (document 1) already");
  }

  @Test
  void relativeNamesStartAtTheManifestsDirectory() throws IOException {
    Path file = write("a.yaml", pod("a").replace("command", "workingDir: ../x, command"));
    assertThat(read(file).pods().getFirst().local().containers().getFirst().workingDir())
        .isEqualTo(folder.resolveSibling("x"));
  }

  private static Manifests read(Path... paths) {
    return ManifestReader.read(List.of(paths), Mode.STANDALONE_PROCESS);
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  static String pod(String name) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec: {containers: [{name: web, command: [sleep, inf]}]}
    """
        .formatted(name);
  }
}
