package io.probelet.kube.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.fabric8.kubernetes.client.Config;
import io.probelet.health.SystemClock;
import io.probelet.health.tls.MadeCertificate;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A kubeconfig without a server is rejected, instead of using a default server. */
class KubeconfigTest {
  @TempDir Path home;

  @ParameterizedTest
  @CsvSource({
    "'probes: {}', current-context must name one of its contexts",
    "'current-context: nowhere', current-context must name one of its contexts",
    "'clusters: [', 'is not a kubeconfig: not YAML at line 1, column 12'",
    "'', is not a kubeconfig: it is empty",
    "hello, is not a kubeconfig: unexpected type of the document",
    "'{\"users\": x}', 'is not a kubeconfig: not JSON at line 1, column 11'",
    "'users: [{user: [x]}]', 'is not a kubeconfig: unexpected type of users[0].user'"
  })
  @DisplayName("errors of the --kubeconfig file name the file")
  void named(String content, String complaint) throws IOException {
    Path file = Files.writeString(home.resolve("kubeconfig"), content);
    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, SystemClock.INSTANCE))
        .withMessageStartingWith("--kubeconfig " + file + ": " + complaint);
  }

  /** Attack: a file with secrets, named by mistake or as a trap, was printed into the error. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3cret",
        "token: s3cret\n  x: [",
        "[s3cret]",
        "users: s3cret",
        "users: [s3cret]",
        "users: [{name: s3cret, user: [s3cret]}]",
        "users: [{name: a, user: {token: {s3cret: 1}}}]",
        "clusters: {s3cret: 1}",
        "{\"users\": s3cret}",
        "{\"token\": \"s3cret\"",
        "a: *s3cret",
        "a: !s3cret x",
        "&s3cret a: &s3cret b",
        "a: \"\\qs3cret\"",
        "%s3cret\n--- a",
        "s3cret: 1\ns3cret: 2",
        "a\u0000s3cret",
        "-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----",
        "user:s3cret@host",
        "apiVersion: v1\nkind: Secret\ndata: {password: s3cret}",
        "current-context: c\ncontexts: [{name: c, context: {cluster: a, user: u}}]\n"
            + "clusters: [{name: a, cluster: {server: 'ht tps:s3cret'}}]",
        "current-context: c\ncontexts: [{name: c, context: {cluster: a, user: u}}]\n"
            + "clusters: [{name: a, cluster: {server: 'https://a:s3cret'}}]",
        "current-context: c\ncontexts: [{name: c, context: {cluster: a, user: u}}]\n"
            + "clusters: [{name: a, cluster: {server: 'https://a'}}]\n"
            + "users: [{name: u, user: {client-certificate-data: s3cret,"
            + " client-key-data: s3cret}}]",
      })
  void quotesNothingOfTheFile(String content) throws IOException {
    Path file = Files.writeString(home.resolve("kubeconfig"), content);

    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, SystemClock.INSTANCE))
        .satisfies(error -> {
          StringWriter trace = new StringWriter();
          error.printStackTrace(new PrintWriter(trace));
          assertThat(trace.toString()).doesNotContain("s3cret");
          assertThat(error).hasMessageContaining("kubeconfig");
        });
  }

  private static final String CONTEXT =
      "current-context: c\ncontexts: [{name: c, context: {cluster: a, user: u}}]\n";

  /** Attack: the client printed a token with a line end, header and all. */
  @ParameterizedTest
  @ValueSource(strings = {"|\n    s3cret\n", "\"s3cret\\u0007\"", "s3cr\u00e9t"})
  void refusesTokensThatNoHeaderTakes(String token) throws IOException {
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            CONTEXT
                + "clusters: [{name: a, cluster: {server: 'https://a'}}]\n"
                + "users:\n- name: u\n  user:\n   token: "
                + token);

    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, SystemClock.INSTANCE))
        .withMessage("the kubeconfig's token has a line end or another character no token has");
  }

  /** Attack: an address that is none was quoted by each request, credentials and all. */
  @Test
  void refusesServerWithoutHost() throws IOException {
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            CONTEXT
                + "clusters: [{name: a, cluster: {server: '//admin:s3cret@127.0.0.1:1'}}]\n"
                + "users: [{name: u, user: {token: t}}]");

    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, SystemClock.INSTANCE))
        .withMessage("the kubeconfig's server must begin with https:// or http:// and a host");
  }

  /** The client falls back to plain HTTP if it cannot connect by TLS at once. */
  @ParameterizedTest
  @CsvSource({
    "'', token: t, https://127.0.0.1:1/",
    "insecure-skip-tls-verify: true, token: t, https://127.0.0.1:1/",
    "'', 'username: u, password: p', https://127.0.0.1:1/",
    "certificate-authority-data: %s, '', https://127.0.0.1:1/",
  })
  void serverWithoutSchemeMeansHttps(String tls, String user, String url) throws IOException {
    String authority =
        Base64.getEncoder()
            .encodeToString(
                MadeCertificate.authority("a")
                    .selfSigned()
                    .pem()
                    .getBytes(StandardCharsets.US_ASCII));
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            CONTEXT
                + "clusters: [{name: a, cluster: {server: '127.0.0.1:1', "
                + tls.formatted(authority)
                + "}}]\nusers: [{name: u, user: {"
                + user
                + "}}]\n");

    try (ClusterAccess access = new ClusterAccess(file, SystemClock.INSTANCE)) {
      assertThat(access.client().getConfiguration().getMasterUrl()).isEqualTo(url);
    }
  }

  @Test
  void serverWithoutSchemeAndCredentialsIsRefused() throws IOException {
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            CONTEXT + "clusters: [{name: a, cluster: {server: '127.0.0.1:1'}}] # http://other:1");

    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, SystemClock.INSTANCE))
        .withMessage("the kubeconfig's server must begin with https:// or http:// and a host");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:1", "HTTP://127.0.0.1:1/", "http:\\/\\/127.0.0.1:1"})
  void plainHttpStaysWhereItIsWritten(String server) throws IOException {
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            CONTEXT
                + "clusters: [{name: a, cluster: {server: \"%s\"}}]\n".formatted(server)
                + "users: [{name: u, user: {token: t}}]");

    try (ClusterAccess access = new ClusterAccess(file, SystemClock.INSTANCE)) {
      assertThat(access.client().getConfiguration().getMasterUrl())
          .isEqualToIgnoringCase("http://127.0.0.1:1/");
    }
  }

  /** Attack: a token went out by plain HTTP where the text held the address for another reason. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | # http://127.0.0.1:1",
        "'' | , {name: b, cluster: {server: 'http://127.0.0.1:1'}}",
        "'' | , {name: b, cluster: {server: 'http://127.0.0.1:12'}}",
        "'' | , {name: b, cluster: {server: 'http://127.0.0.1:1/path'}}",
        "{name: a, cluster: {server: \"http://127.0.0.1:1\"}}, | ''",
      })
  @DisplayName("only the server of the context's cluster can request plain HTTP")
  void plainHttpElsewhereInTheFile(String before, String after) throws IOException {
    boolean comment = after.startsWith("#");
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            CONTEXT
                + "clusters: [%s{name: a, cluster: {server: '127.0.0.1:1'}}%s] %s\n"
                    .formatted(before, comment ? "" : after, comment ? after : "")
                + "users: [{name: u, user: {token: t}}]");

    try (ClusterAccess access = new ClusterAccess(file, SystemClock.INSTANCE)) {
      assertThat(access.client().getConfiguration().getMasterUrl())
          .isEqualTo("https://127.0.0.1:1/");
    }
  }

  /** The first of several files counts, and KUBERNETES_MASTER more than any of them. */
  @ParameterizedTest
  @CsvSource({
    "'', 127.0.0.1:1, http://127.0.0.1:1, https://127.0.0.1:1/",
    "'', http://127.0.0.1:1, 127.0.0.1:1, http://127.0.0.1:1/",
    "127.0.0.1:1, http://127.0.0.1:1, http://127.0.0.1:1, https://127.0.0.1:1/",
    "http://127.0.0.1:1, 127.0.0.1:1, 127.0.0.1:1, http://127.0.0.1:1/",
    "http://127.0.0.1:12, 127.0.0.1:1, 127.0.0.1:1, http://127.0.0.1:12/",
  })
  void plainHttpOfTheEnvironment(String master, String first, String second, String url)
      throws IOException {
    String files =
        String.join(
            File.pathSeparator,
            Files.createFile(home.resolve("empty")).toString(),
            Files.writeString(home.resolve("null"), "clusters: null").toString(),
            kubeconfig("first", first).toString(),
            kubeconfig("second", second).toString());

    assertThat(urlWith(Map.of("kubernetes.master", master, "kubeconfig", files), null))
        .isEqualTo(url);
  }

  /** The client does not look at KUBERNETES_MASTER then. */
  @Test
  void plainHttpOfTheEnvironmentIsNotThatOfTheNamedFile() throws IOException {
    Path file = kubeconfig("kubeconfig", "127.0.0.1:1");

    assertThat(urlWith(Map.of("kubernetes.master", "http://127.0.0.1:1"), file))
        .isEqualTo("https://127.0.0.1:1/");
  }

  private Path kubeconfig(String name, String server) throws IOException {
    return Files.writeString(
        home.resolve(name),
        CONTEXT
            + "clusters: [{name: a, cluster: {server: '%s'}}]\n".formatted(server)
            + "users: [{name: u, user: {token: t}}]");
  }

  private static String urlWith(Map<String, String> properties, Path file) throws IOException {
    Properties before = (Properties) System.getProperties().clone();
    System.getProperties().putAll(properties);
    try (ClusterAccess access = new ClusterAccess(file, SystemClock.INSTANCE)) {
      return access.client().getConfiguration().getMasterUrl();
    } finally {
      System.setProperties(before);
    }
  }

  @Test
  void quotesNothingOfTheFileOfTheEnvironment() throws IOException {
    Path file = Files.writeString(home.resolve("kubeconfig"), "users: [s3cret]");
    String before = System.getProperty("kubeconfig");
    System.setProperty("kubeconfig", file.toString());
    try {
      assertThatIOException()
          .isThrownBy(() -> new ClusterAccess(null, SystemClock.INSTANCE))
          .withMessage("kubeconfig " + file + ": is not a kubeconfig: unexpected type of users[0]");
    } finally {
      if (before == null) {
        System.clearProperty("kubeconfig");
      } else {
        System.setProperty("kubeconfig", before);
      }
    }
  }

  @Test
  void refusesFilesThatAreTooLargeOrEndless() throws IOException {
    Path file = home.resolve("kubeconfig");
    Files.writeString(file, "a: " + "x".repeat(KubeconfigFile.MAX_MEBIBYTES << 20));

    for (Path each : List.of(file, Path.of("/dev/zero"))) {
      assertThatIOException()
          .isThrownBy(() -> new ClusterAccess(each, SystemClock.INSTANCE))
          .withMessage("--kubeconfig " + each + ": is larger than 4 MiB");
    }
    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(home, SystemClock.INSTANCE))
        .withMessage("--kubeconfig " + home + ": is a directory");
  }

  @Test
  void readsPipeOnce() throws Exception {
    Path pipe = home.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    String content =
        """
        clusters: [{name: a, cluster: {server: "https://a.example:6443"}}]
        contexts: [{name: two, context: {cluster: a, user: u}}]
        current-context: one
        """;
    Thread writer = Thread.startVirtualThread(() -> write(pipe, content));

    try (ClusterAccess access = new ClusterAccess(pipe, "two", SystemClock.INSTANCE)) {
      assertThat(access.client().getMasterUrl()).hasHost("a.example");
    }
    writer.join();
  }

  private static void write(Path pipe, String content) {
    try {
      Files.writeString(pipe, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Aliases expand to 10^9 values; levels of nesting to a stack overflow. */
  @Test
  void refusesYamlThatExpands() throws IOException {
    String bomb =
        IntStream.range(1, 10)
            .mapToObj(i -> "a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(10)))
            .collect(Collectors.joining("", "a0: &a0 [x]\n", ""));
    for (String content : List.of(bomb, "a: " + "[".repeat(100_000), "[".repeat(100_000))) {
      Path file = Files.writeString(home.resolve("kubeconfig"), content);
      assertThatIOException()
          .isThrownBy(() -> new ClusterAccess(file, SystemClock.INSTANCE))
          .withMessageStartingWith("--kubeconfig " + file + ": is not a kubeconfig: ");
    }
  }

  /** Attack: the server's URL is logged, shown on pages, and stands in the client's exceptions. */
  @ParameterizedTest
  @CsvSource({
    "https://user:s3cret@a.example:6443, https://a.example:6443/",
    "https://s3cret@a.example:6443/path, https://a.example:6443/path/",
    "https://user:p@s3cret@a.example, https://a.example/",
    "https://user:s3cret@[::1]:6443, https://[::1]:6443/",
    "HTTPS://user:s3cret@a.example/x@y, https://a.example/x@y/",
    "https://a.example:6443/x@y, https://a.example:6443/x@y/"
  })
  @DisplayName("credentials in the server's URL are not sent")
  void credentialsInServer(String server, String used) throws IOException {
    Path file =
        Files.writeString(
            home.resolve("kubeconfig"),
            """
            clusters: [{name: a, cluster: {server: "%s"}}]
            contexts: [{name: c, context: {cluster: a, user: u}}]
            current-context: c
            """
                .formatted(server));
    try (ClusterAccess access = new ClusterAccess(file, SystemClock.INSTANCE)) {
      assertThat(access.client().getMasterUrl().toString()).isEqualToIgnoringCase(used);
      assertThat(access.client().getConfiguration().getMasterUrl())
          .isEqualToIgnoringCase(used)
          .doesNotContain("s3cret");
    }
  }

  @Test
  @DisplayName("another context; an unknown context lists the existing ones")
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
        .withMessage(
            "--context three: the kubeconfig has no such context; its contexts are one, two");
  }

  @Test
  @DisplayName("a context of the environment's kubeconfig does not use the current context's user")
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
  @DisplayName("of many contexts twenty are named; a kubeconfig without any says so")
  void contexts() throws IOException {
    String many =
        IntStream.range(10, 35)
            .mapToObj("- {name: c%d, context: {cluster: a, user: u}}\n"::formatted)
            .collect(Collectors.joining("", "contexts:\n", ""));
    Path file = Files.writeString(home.resolve("kubeconfig"), many);
    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, "", SystemClock.INSTANCE))
        .withMessageContaining("its contexts are c10, c11, ")
        .withMessageEndingWith(", c29 and 5 more");
    Files.writeString(file, "kind: Config");
    assertThatIOException()
        .isThrownBy(() -> new ClusterAccess(file, "x", SystemClock.INSTANCE))
        .withMessageEndingWith("; it has no contexts");
  }

  @Test
  @DisplayName("without any configuration the error says so")
  void nothing() {
    String before = System.getProperty("kubernetes.auth.tryKubeConfig");
    System.setProperty("kubernetes.auth.tryKubeConfig", "false");
    try {
      assertThatIOException()
          .isThrownBy(() -> new ClusterAccess(null, SystemClock.INSTANCE))
          .withMessageContainingAll("no cluster access", "--kubeconfig");
    } finally {
      if (before == null) {
        System.clearProperty("kubernetes.auth.tryKubeConfig");
      } else {
        System.setProperty("kubernetes.auth.tryKubeConfig", before);
      }
    }
  }
}
