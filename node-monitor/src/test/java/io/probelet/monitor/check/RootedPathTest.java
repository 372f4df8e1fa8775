package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RootedPathTest {
  @TempDir Path root;

  @BeforeEach
  void links() throws Exception {
    Files.createDirectories(root.resolve("run/systemd"));
    Files.createDirectories(root.resolve("etc"));
    Files.createDirectories(root.resolve("var"));
    link("var/run", "/run");
    link("etc/resolv.conf", "../run/systemd/stub");
    link("etc/twice", "/var/run/systemd/stub");
    link("etc/out", "../../../../etc/passwd");
    link("etc/around", "/etc/around");
  }

  private void link(String file, String target) throws Exception {
    Files.createSymbolicLink(root.resolve(file), Path.of(target));
  }

  @ParameterizedTest
  @CsvSource({
    "/, ''",
    "/etc/hosts, etc/hosts",
    "/var/run/x, run/x",
    "/etc/resolv.conf, run/systemd/stub",
    "/etc/twice, run/systemd/stub",
    "/etc/out, etc/passwd",
    "/etc/../var/run/./x, run/x",
    "/none/at/all, none/at/all"
  })
  @DisplayName("B-17 links resolve as for the node's own programs, and not outside the root")
  void resolved(String path, String expected) {
    assertThat(RootedPath.of(root, Path.of(path))).isEqualTo(root.resolve(expected));
  }

  @Test
  @DisplayName("B-17 link cycles end")
  void around() {
    assertThat(RootedPath.of(root, Path.of("/etc/around"))).isEqualTo(root.resolve("etc/around"));
  }
}
