package io.probelet.nodehealth.real;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A real API server: the one of {@code KUBECONFIG}, which should be nobody's, or one started from
 * the etcd and kube-apiserver in {@code KUBEBUILDER_ASSETS}.
 */
final class RealApi implements AutoCloseable {
  private final List<Process> processes = new ArrayList<>();
  private final KubernetesClient client;

  private RealApi() throws Exception {
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    client =
        assets == null
            ? new KubernetesClientBuilder().build()
            : new KubernetesClientBuilder().withConfig(start(Path.of(assets))).build();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> client.namespaces().withName("default").get() != null);
  }

  static RealApi open() throws Exception {
    return new RealApi();
  }

  static boolean isThere() {
    return System.getenv("KUBECONFIG") != null || System.getenv("KUBEBUILDER_ASSETS") != null;
  }

  KubernetesClient client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
    processes.reversed().forEach(Process::destroyForcibly);
  }

  private Config start(Path assets) throws Exception {
    Path folder = Files.createTempDirectory("real-api");
    String etcd = "http://127.0.0.1:" + freePort();
    String peer = "http://127.0.0.1:" + freePort();
    run(
        folder,
        assets.resolve("etcd").toString(),
        "--data-dir=" + folder.resolve("etcd"),
        "--listen-client-urls=" + etcd,
        "--advertise-client-urls=" + etcd,
        "--listen-peer-urls=" + peer);
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    Path key = folder.resolve("sa.key");
    Files.writeString(
        key,
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(generator.generateKeyPair().getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n");
    Path tokens = folder.resolve("tokens");
    Files.writeString(tokens, "for-tests,admin,1,\"system:masters\"\n");
    int port = freePort();
    run(
        folder,
        assets.resolve("kube-apiserver").toString(),
        "--etcd-servers=" + etcd,
        "--bind-address=127.0.0.1",
        "--secure-port=" + port,
        "--cert-dir=" + folder,
        "--token-auth-file=" + tokens,
        "--authorization-mode=RBAC",
        "--disable-admission-plugins=ServiceAccount",
        "--service-account-issuer=https://localhost",
        "--service-account-key-file=" + key,
        "--service-account-signing-key-file=" + key,
        "--service-cluster-ip-range=10.0.0.0/24");
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("https://127.0.0.1:" + port)
        .withOauthToken("for-tests")
        .withTrustCerts(true)
        .build();
  }

  private void run(Path folder, String... command) throws IOException {
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(Path.of(command[0]).getFileName() + ".log").toFile())
            .start());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
