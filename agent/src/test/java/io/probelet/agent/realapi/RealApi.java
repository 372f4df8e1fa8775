package io.probelet.agent.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.VersionInfo;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The real API server of a test: a cluster somebody has, or etcd and kube-apiserver of our own. */
final class RealApi implements AutoCloseable {
  private static final String TOKEN = "only-for-this-test";
  private static final int FIRST_WITH_RULES = 25;

  private final List<Process> processes = new ArrayList<>();
  private final Path kubeconfig;
  private final KubernetesClient client;

  private RealApi(Path kubeconfig) throws IOException {
    this.kubeconfig = kubeconfig;
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    client = new KubernetesClientBuilder().withConfig(new ConfigBuilder(config).build()).build();
  }

  /** Finds or starts one; skips the test, loudly, where there is none to be had. */
  static RealApi open(Path directory) throws IOException, GeneralSecurityException {
    Optional<String> kubeconfig = variable("KUBECONFIG");
    if (kubeconfig.isPresent()) {
      return new RealApi(Path.of(kubeconfig.get()));
    }
    Optional<String> assets = variable("KUBEBUILDER_ASSETS");
    if (assets.isEmpty()) {
      System.err.println(
          "SKIPPED: tests against a real API server; set KUBECONFIG or KUBEBUILDER_ASSETS");
      Assumptions.abort("neither KUBECONFIG nor KUBEBUILDER_ASSETS is set");
    }
    return start(Path.of(assets.orElseThrow()), directory);
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }

  private static RealApi start(Path assets, Path directory)
      throws IOException, GeneralSecurityException {
    int etcdPort = freePort();
    int port = freePort();
    KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Path privateKey = pem(directory.resolve("sa.key"), "PRIVATE KEY", keys.getPrivate());
    Path publicKey = pem(directory.resolve("sa.pub"), "PUBLIC KEY", keys.getPublic());
    Path tokens = directory.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",admin,admin,\"system:masters\"\n");
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
        users: [{name: u, user: {token: %s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(port, TOKEN));
    RealApi api = new RealApi(kubeconfig);
    String etcd = "http://127.0.0.1:" + etcdPort;
    try {
      api.run(
          directory,
          assets.resolve("etcd").toString(),
          "--data-dir=" + directory.resolve("etcd"),
          "--listen-client-urls=" + etcd,
          "--advertise-client-urls=" + etcd,
          "--listen-peer-urls=http://127.0.0.1:0",
          "--unsafe-no-fsync");
      api.run(
          directory,
          assets.resolve("kube-apiserver").toString(),
          "--etcd-servers=" + etcd,
          "--cert-dir=" + directory.resolve("certificates"),
          "--bind-address=127.0.0.1",
          "--secure-port=" + port,
          "--token-auth-file=" + tokens,
          "--authorization-mode=RBAC",
          "--service-account-issuer=https://127.0.0.1",
          "--service-account-key-file=" + publicKey,
          "--service-account-signing-key-file=" + privateKey,
          "--service-cluster-ip-range=10.0.0.0/24",
          "--disable-admission-plugins=ServiceAccount",
          "--allow-privileged=true");
      await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptions()
          .until(() -> "ok".equals(api.client.raw("/readyz")));
      return api;
    } catch (IOException | RuntimeException e) {
      api.close();
      throw e;
    }
  }

  private void run(Path directory, String... command) throws IOException {
    String name = Path.of(command[0]).getFileName().toString();
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile())
            .start());
  }

  private static Path pem(Path file, String type, Key key) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  KubernetesClient client() {
    return client;
  }

  /** {@return what {@code probelet agent --kubeconfig} takes} */
  Path kubeconfig() {
    return kubeconfig;
  }

  /** {@return whether nobody but the test keeps the status of Deployments} */
  boolean isWithoutControllers() {
    return !processes.isEmpty();
  }

  /** {@return whether rules in definitions hold: they came with Kubernetes 1.25} */
  boolean knowsRules() {
    VersionInfo version = client.getKubernetesVersion();
    return Integer.parseInt(version.getMinor().replaceAll("[^0-9]", "")) >= FIRST_WITH_RULES;
  }

  /** Skips the test where rules in definitions do not hold. */
  void assumeRules() {
    Assumptions.assumeTrue(knowsRules(), "SKIPPED: this server knows no rules in definitions");
  }

  /**
   * Applies a file of the repository, given from its root, or those of its objects that are of one
   * of these kinds. Not by server-side apply: before Kubernetes 1.25 that refuses rules.
   */
  void apply(String file, String... kinds) throws IOException {
    try (var in = Files.newInputStream(Path.of("..").resolve(file))) {
      for (HasMetadata object : client.load(in).items()) {
        if (kinds.length == 0 || List.of(kinds).contains(object.getKind())) {
          client.resource(object).createOr(NonDeletingOperation::update);
        }
      }
    }
  }

  /** Applies a definition and waits until its resources can be used. */
  void define(String file, String crd) throws IOException {
    apply(file);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            assertThat(
                    client
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName(crd)
                        .get()
                        .getStatus()
                        .getConditions())
                .anyMatch(condition ->
                    condition.getType().equals("Established")
                        && condition.getStatus().equals("True")));
  }

  @Override
  public void close() {
    client.close();
    for (Process process : processes.reversed()) {
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException interrupted) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
