package io.probelet.kube.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.fabric8.kubernetes.client.Config;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
  @DisplayName("a context that is not the current one; of one that is not there it says which are")
  void context() throws IOException {
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters:
            - {name: a, cluster: {server: "https://a.example:6443"}}
            - {name: b, cluster: {server: "https://b.example:6443"}}
            users: [{name: u, user: {token: t}}]
            contexts:
            - {name: two, context: {cluster: b, user: u}}
            - {name: one, context: {cluster: a, user: u}}
            current-context: one
            """);
    try (ClusterAccess current = new ClusterAccess(file, null, SystemClock.INSTANCE);
        ClusterAccess other = new ClusterAccess(file, "two", SystemClock.INSTANCE)) {
      assertThat(current.client().getMasterUrl()).hasHost("a.example");
      assertThat(other.client().getMasterUrl()).hasHost("b.example");
    }
    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, "three", SystemClock.INSTANCE))
        .withMessage("--context three: the kubeconfig has no such context; there are one, two");
  }

  @Test
  @DisplayName(
      "a context of the kubeconfig of the environment comes without the current one's user")
  void contextOfEnvironment() throws IOException {
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters:
            - {name: a, cluster: {server: "https://a.example:6443"}}
            - {name: b, cluster: {server: "https://b.example:6443"}}
            users: [{name: u, user: {token: t}}, {name: v, user: {username: me, password: p}}]
            contexts:
            - {name: two, context: {cluster: b, user: v}}
            - {name: one, context: {cluster: a, user: u}}
            current-context: one
            """);
    String before = System.getProperty("kubeconfig");
    System.setProperty("kubeconfig", file.toString());
    try (ClusterAccess other = new ClusterAccess(null, "two", SystemClock.INSTANCE)) {
      Config config = other.client().getConfiguration();
      assertThat(config.getMasterUrl()).isEqualTo("https://b.example:6443/");
      assertThat(config.getUsername()).isEqualTo("me");
      assertThat(config.getOauthToken()).isNull();
      assertThat(config.getAutoOAuthToken()).isNull();
    } finally {
      if (before == null) {
        System.clearProperty("kubeconfig");
      } else {
        System.setProperty("kubeconfig", before);
      }
    }
  }

  @Test
  @DisplayName(
      "of many contexts twenty are named, and of a kubeconfig without any that it has none")
  void contexts() throws IOException {
    String many =
        IntStream.range(10, 35)
            .mapToObj("- {name: c%d, context: {cluster: a, user: u}}\n"::formatted)
            .collect(Collectors.joining("", "contexts:\n", ""));
    Path file = Files.writeString(home.resolve("kubeconfig"), many);
    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, "", SystemClock.INSTANCE))
        .withMessageContaining("there are c10, c11, ")
        .withMessageEndingWith(", c29 and 5 more");
    Files.writeString(file, "kind: Config");
    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, "x", SystemClock.INSTANCE))
        .withMessageEndingWith("; it has none");
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
