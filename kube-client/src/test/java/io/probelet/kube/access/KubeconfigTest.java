package io.probelet.kube.access;

import static org.assertj.core.api.Assertions.assertThatIOException;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A kubeconfig that leads nowhere is refused, instead of a server being asked that nobody named.
 */
class KubeconfigTest {
  @TempDir Path home;

  @ParameterizedTest
  @CsvSource({
    "'probes: {}', current-context must name one of its contexts",
    "'current-context: nowhere', current-context must name one of its contexts",
    "'clusters: [', is not a kubeconfig: while parsing a flow node in reader",
    "'', is not a kubeconfig: it says nothing",
    "hello, is not a kubeconfig: "
  })
  @DisplayName("what is wrong with the file of --kubeconfig is told with its name")
  void named(String content, String complaint) throws IOException {
    Path file = Files.writeString(home.resolve("kubeconfig"), content);
    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, SystemClock.INSTANCE))
        .withMessageStartingWith("--kubeconfig " + file + ": " + complaint);
  }

  @Test
  @DisplayName("where nothing says how the API server is reached, that is told")
  void nothing() {
    String before = System.getProperty("kubernetes.auth.tryKubeConfig");
    System.setProperty("kubernetes.auth.tryKubeConfig", "false");
    try {
      assertThatIOException()
          .isThrownBy(() -> new ClusterAccess(null, SystemClock.INSTANCE))
          .withMessageContainingAll("how is the API server reached?", "--kubeconfig");
    } finally {
      if (before == null) {
        System.clearProperty("kubernetes.auth.tryKubeConfig");
      } else {
        System.setProperty("kubernetes.auth.tryKubeConfig", before);
      }
    }
  }
}
