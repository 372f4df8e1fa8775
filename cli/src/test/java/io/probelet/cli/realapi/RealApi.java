package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.VersionInfo;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.probelet.cli.agent.FreePort;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The real API server of a test: a cluster somebody has, or etcd and kube-apiserver of our own. */
public final class RealApi implements AutoCloseable {
  private static final String TOKEN = "only-for-this-test";
  private static final String EVERY_RIGHT = "probelet-test-every-right-of-";

  /** The minor version of Kubernetes that first knew rules in definitions. */
  static final int RULES = 25;

  /** The first that knew the eviction of policy/v1. */
  static final int EVICTION = 22;

  /** The first with admission policies, and with tokens that name the node of their pod. */
  static final int POLICIES = 30;

  private final Path directory;
  private final Path kubeconfig;
  private final KubernetesClient client;
  private List<String> serverCommand = List.of();
  private Optional<Path> assets = Optional.empty();
  private String etcdUrl = "";
  private @Nullable Process etcd;
  private @Nullable Process server;
  private @Nullable Process controllers;

  private RealApi(Path directory, Path kubeconfig) throws IOException {
    this.directory = directory;
    this.kubeconfig = kubeconfig;
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    client = new KubernetesClientBuilder().withConfig(new ConfigBuilder(config).build()).build();
  }

  /** Finds or starts one; skips the test, loudly, where there is none to be had. */
  public static RealApi open(Path directory) throws IOException, GeneralSecurityException {
    Optional<String> kubeconfig = variable("KUBECONFIG");
    if (kubeconfig.isPresent()) {
      return new RealApi(directory, Path.of(kubeconfig.get()));
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
    int etcdPort = FreePort.choose();
    int port = FreePort.choose();
    KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Path privateKey = pem(directory.resolve("sa.key"), "PRIVATE KEY", keys.getPrivate());
    Path publicKey = pem(directory.resolve("sa.pub"), "PUBLIC KEY", keys.getPublic());
    Path tokens = directory.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",admin,admin,\"system:masters\"\n");
    Path kubeconfig =
        kubeconfig(directory.resolve("kubeconfig"), "https://127.0.0.1:" + port, TOKEN);
    RealApi api = new RealApi(directory, kubeconfig);
    api.assets = Optional.of(assets);
    String etcd = "http://127.0.0.1:" + etcdPort;
    api.etcdUrl = etcd;
    api.serverCommand =
        List.of(
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
    try {
      api.etcd =
          api.run(
              List.of(
                  assets.resolve("etcd").toString(),
                  "--data-dir=" + directory.resolve("etcd"),
                  "--listen-client-urls=" + etcd,
                  "--advertise-client-urls=" + etcd,
                  "--listen-peer-urls=http://127.0.0.1:0",
                  "--unsafe-no-fsync"));
      api.startServer();
      return api;
    } catch (IOException | RuntimeException e) {
      api.close();
      throw e;
    }
  }

  /** Starts the server of our own, again after {@link #stopServer()}, with all it had. */
  public void startServer() throws IOException {
    server = run(serverCommand);
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .until(() -> "ok".equals(client.raw("/readyz")));
  }

  /** Ends the server; only where it is our own. */
  public void stopServer() {
    end(server);
    server = null;
  }

  /** Forgets all that was, while the server of our own is ended: what is now stays. */
  public void forgetHistory() throws IOException, InterruptedException {
    String now = askEtcd("range", "{\"key\":\"AA==\"}");
    String revision = now.replaceFirst("(?s).*\"revision\":\"(\\d+)\".*", "$1");
    askEtcd("compaction", "{\"revision\":\"" + revision + "\"}");
  }

  private String askEtcd(String what, String question) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(etcdUrl + "/v3/kv/" + what))
                  .POST(HttpRequest.BodyPublishers.ofString(question))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer.body();
    }
  }

  private Process run(List<String> command) throws IOException {
    String name = Path.of(command.getFirst()).getFileName().toString();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(directory.resolve(name + ".log").toFile()))
        .start();
  }

  /** The file with which one reaches a server of our own. */
  private static Path kubeconfig(Path file, String url, String token) throws IOException {
    return Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
        users: [{name: u, user: {token: %s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(url, token));
  }

  /**
   * With the rights of a pod's service account, and no others: as if from within the pod.
   *
   * @return what {@code probelet agent --kubeconfig} takes
   */
  public Path kubeconfigOf(Pod pod) throws IOException {
    TokenRequest request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withNewBoundObjectRef()
            .withApiVersion("v1")
            .withKind("Pod")
            .withName(pod.getMetadata().getName())
            .withUid(pod.getMetadata().getUid())
            .endBoundObjectRef()
            .endSpec()
            .build();
    return kubeconfigOf(
        pod.getMetadata().getNamespace(), pod.getSpec().getServiceAccountName(), request);
  }

  /**
   * With the rights of a service account, and no others.
   *
   * @param request what the token is bound to
   * @return what {@code probelet agent --kubeconfig} takes
   */
  Path kubeconfigOf(String namespace, String account, TokenRequest request) throws IOException {
    String token =
        client
            .serviceAccounts()
            .inNamespace(namespace)
            .withName(account)
            .tokenRequest(request)
            .getStatus()
            .getToken();
    return kubeconfig(
        Files.createTempFile(directory, account, ".kubeconfig"),
        client.getMasterUrl().toString(),
        token);
  }

  /** Lets a service account do anything with nodes, pods, events, leases and orders, everywhere. */
  void everyRight(String namespace, String account) {
    client
        .resource(
            new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(EVERY_RIGHT + account)
                .endMetadata()
                .addNewRule()
                .withApiGroups("", "coordination.k8s.io", "probelet.io")
                .withResources(
                    "nodes",
                    "nodes/status",
                    "pods",
                    "pods/status",
                    "pods/eviction",
                    "events",
                    "leases",
                    "nodeorders",
                    "nodeorders/status")
                .withVerbs("*")
                .endRule()
                .build())
        .createOr(NonDeletingOperation::update);
    client
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(EVERY_RIGHT + account)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", EVERY_RIGHT + account)
                .addNewSubject("", "ServiceAccount", account, namespace)
                .build())
        .createOr(NonDeletingOperation::update);
  }

  /** Takes back what {@link #everyRight} gave. */
  void takeEveryRight(String account) {
    client.rbac().clusterRoleBindings().withName(EVERY_RIGHT + account).delete();
    client.rbac().clusterRoles().withName(EVERY_RIGHT + account).delete();
  }

  /**
   * Sees to it that somebody checks the types of policies: in a cluster its controller manager
   * does. Skips the test where there is none to be had.
   */
  void checkPolicies() throws IOException {
    if (assets.isEmpty() || controllers != null) {
      return;
    }
    Path manager = assets.get().resolve("kube-controller-manager");
    Assumptions.assumeTrue(Files.isExecutable(manager), "SKIPPED: there is no " + manager);
    controllers =
        run(
            List.of(
                manager.toString(),
                "--kubeconfig=" + kubeconfig,
                "--controllers=validatingadmissionpolicy-status-controller",
                "--leader-elect=false",
                "--secure-port=0"));
  }

  /**
   * With the rights of a service account, and no others, on whichever node.
   *
   * @return what {@code --kubeconfig} takes
   */
  public Path kubeconfigOf(String namespace, String account) throws IOException {
    String token =
        client
            .serviceAccounts()
            .inNamespace(namespace)
            .withName(account)
            .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
            .getStatus()
            .getToken();
    return kubeconfig(
        directory.resolve(account + ".kubeconfig"), client.getMasterUrl().toString(), token);
  }

  /**
   * Binds a role that is collected into another of an account of ours by the controller manager,
   * which is not here.
   */
  void collected(String role, String account) {
    client
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(role + "-" + account)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                .addNewSubject(null, "ServiceAccount", account, "probelet-system")
                .build())
        .createOr(NonDeletingOperation::update);
  }

  private static Path pem(Path file, String type, Key key) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }

  public KubernetesClient client() {
    return client;
  }

  /** {@return what {@code probelet agent --kubeconfig} takes} */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /** {@return whether the server is one that the test has started, and may stop} */
  public boolean isOurs() {
    return !serverCommand.isEmpty();
  }

  /** {@return whether it is Kubernetes 1.{@code minor} or later} */
  boolean isSince(int minor) {
    VersionInfo version = client.getKubernetesVersion();
    return Integer.parseInt(version.getMinor().replaceAll("[^0-9]", "")) >= minor;
  }

  /** Skips the test on what is older than Kubernetes 1.{@code minor}. */
  void assumeSince(int minor) {
    Assumptions.assumeTrue(isSince(minor), "SKIPPED: this server is older than 1." + minor);
  }

  /** {@return the status of a pod's condition for our readiness gate; empty if it has none} */
  public static String gate(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("probelet.io/ready"))
        .map(PodCondition::getStatus)
        .findFirst()
        .orElse("");
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

  /**
   * Applies of such a file the namespace, the service account and its rights: nothing that runs.
   */
  public void applyRights(String file) throws IOException {
    apply(
        file,
        "Namespace",
        "ServiceAccount",
        "ClusterRole",
        "ClusterRoleBinding",
        "Role",
        "RoleBinding");
  }

  /** Applies a definition and waits until its resources can be used. */
  public void define(String file, String crd) throws IOException {
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
    end(controllers);
    end(server);
    end(etcd);
  }

  private static void end(@Nullable Process process) {
    if (process == null) {
      return;
    }
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
