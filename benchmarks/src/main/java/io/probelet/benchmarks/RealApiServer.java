package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * kube-apiserver and etcd with usual settings. Agents have the identity of a service account, so
 * that the server's priority and fairness holds for them. The audit log shows their requests.
 * Objects are written to etcd before the server starts.
 */
final class RealApiServer implements FleetServer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAMESPACE = "probelet-system";
  private static final String AGENT = "system:serviceaccount:" + NAMESPACE + ":probelet-agent";
  private static final String AGENT_TOKEN = "agent-of-this-benchmark";
  private static final String ADMIN_TOKEN = "admin-of-this-benchmark";

  /** etcd accepts 128 operations in a transaction. */
  private static final int BATCH = 100;

  private static final Pattern BYTES = Pattern.compile("bytes_(?:sent|received):(\\d+)");

  private final Path directory;
  private final int port;
  private final String etcdUrl;
  private final List<String> command;
  private final Daemon etcd;
  private HttpClient http;
  private final Path kubeconfig;
  private final Path audit;
  private final List<Seen> seen = new ArrayList<>();
  private @Nullable Daemon server;
  private long auditRead;
  private int openWatches;
  private double cpuOfEarlier;

  /**
   * Starts etcd only.
   *
   * @param assets the folder of kube-apiserver and etcd
   */
  RealApiServer(Path assets, Path directory) throws IOException, GeneralSecurityException {
    this.directory = directory;
    port = AgentProcess.freePort();
    etcdUrl = "http://127.0.0.1:" + AgentProcess.freePort();
    audit = directory.resolve("audit.log");
    kubeconfig = writeKubeconfig();
    command = command(assets);
    http = HttpClient.newHttpClient();
    etcd =
        Daemon.start(
            directory,
            "etcd",
            List.of(
                assets.resolve("etcd").toString(),
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + etcdUrl,
                "--advertise-client-urls=" + etcdUrl,
                "--listen-peer-urls=http://127.0.0.1:0",
                "--log-level=error",
                "--unsafe-no-fsync"));
    Waiting.until("etcd", () -> post("/v3/kv/range", "{\"key\":\"AA==\"}") != null);
  }

  private List<String> command(Path assets) throws IOException, GeneralSecurityException {
    KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Path tokens = directory.resolve("tokens.csv");
    Files.writeString(
        tokens,
        """
        %s,admin,admin,"system:masters"
        %s,%s,agent,"system:serviceaccounts,system:serviceaccounts:%s"
        """
            .formatted(ADMIN_TOKEN, AGENT_TOKEN, AGENT, NAMESPACE));
    Path policy = directory.resolve("audit.yaml");
    Files.writeString(
        policy,
        """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        omitStages: [RequestReceived]
        rules:
        - {level: Metadata, users: ["%s"]}
        - {level: None}
        """
            .formatted(AGENT));
    return List.of(
        assets.resolve("kube-apiserver").toString(),
        "--etcd-servers=" + etcdUrl,
        "--cert-dir=" + directory.resolve("certificates"),
        "--bind-address=127.0.0.1",
        "--secure-port=" + port,
        "--token-auth-file=" + tokens,
        "--authorization-mode=AlwaysAllow",
        "--service-account-issuer=https://127.0.0.1",
        "--service-account-key-file=" + pem("sa.pub", "PUBLIC KEY", keys.getPublic()),
        "--service-account-signing-key-file=" + pem("sa.key", "PRIVATE KEY", keys.getPrivate()),
        "--service-cluster-ip-range=10.0.0.0/24",
        "--disable-admission-plugins=ServiceAccount",
        "--audit-log-path=" + audit,
        "--audit-policy-file=" + policy,
        "--allow-privileged=true");
  }

  private Path pem(String file, String label, Key key) throws IOException {
    return Files.writeString(
        directory.resolve(file),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(
                label,
                Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded()),
                label));
  }

  private Path writeKubeconfig() throws IOException {
    return Files.writeString(
        directory.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
        users: [{name: u, user: {token: %s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(url(), certificate(), AGENT_TOKEN));
  }

  /** The server signs its own certificate. */
  private Path certificate() {
    return directory.resolve("certificates/apiserver.crt");
  }

  private void trust() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(certificate())) {
      store.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    http.close();
    http = HttpClient.newBuilder().sslContext(tls).build();
  }

  private String url() {
    return "https://127.0.0.1:" + port;
  }

  /** Writes objects directly to etcd, as JSON, which the server reads like protobuf. */
  void fill(int nodes, int pods, int probedPort) throws IOException {
    List<ObjectNode> puts = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      put(puts, "minions/" + FleetObjects.node(node), FleetObjects.nodeObject(node));
      for (int pod = 0; pod < pods; pod++) {
        put(
            puts,
            "pods/" + FleetObjects.NAMESPACE + "/" + FleetObjects.pod(node, pod),
            FleetObjects.podObject(node, pod, pod == 0 ? probedPort : 0));
      }
      if (puts.size() >= BATCH) {
        write(puts);
      }
    }
    write(puts);
  }

  private static void put(List<ObjectNode> puts, String key, ObjectNode object) {
    Base64.Encoder base64 = Base64.getEncoder();
    ObjectNode put = JSON.createObjectNode();
    put.putObject("requestPut")
        .put("key", base64.encodeToString(utf8("/registry/" + key)))
        .put("value", base64.encodeToString(utf8(object.toString())));
    puts.add(put);
  }

  private void write(List<ObjectNode> puts) throws IOException {
    ArrayNode success = JSON.createArrayNode();
    success.addAll(puts);
    ObjectNode txn = JSON.createObjectNode();
    txn.set("success", success);
    puts.clear();
    post("/v3/kv/txn", txn.toString());
  }

  private String post(String path, String body) throws IOException {
    return send(
        HttpRequest.newBuilder(URI.create(etcdUrl + path))
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private String send(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      if (response.statusCode() >= 300) {
        throw new IOException(request.uri() + ": " + response.statusCode() + response.body());
      }
      return response.body();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
  }

  private HttpRequest.Builder asAdmin(String path) {
    return HttpRequest.newBuilder(URI.create(url() + path))
        .header("Authorization", "Bearer " + ADMIN_TOKEN)
        .header("Content-Type", "application/json");
  }

  @Override
  public void start() throws IOException {
    server = Daemon.start(directory, "kube-apiserver", command);
    if (cpuOfEarlier == 0) {
      Waiting.untilWithin(
          60,
          "the API server has a certificate",
          () -> {
            trust();
            return true;
          });
    }
    Waiting.untilWithin(
        120, "the API server is ready", () -> send(asAdmin("/readyz").build()).equals("ok"));
    if (cpuOfEarlier == 0) {
      send(
          asAdmin("/api/v1/namespaces")
              .POST(
                  BodyPublishers.ofString("{\"metadata\":{\"name\":\"%s\"}}".formatted(NAMESPACE)))
              .build());
    }
  }

  @Override
  public void stop() {
    cpuOfEarlier = cpuMillis();
    running().close();
    server = null;
    openWatches = 0;
    try {
      readAudit();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    openWatches = 0;
  }

  private Daemon running() {
    if (server == null) {
      throw new IllegalStateException("the API server does not run");
    }
    return server;
  }

  @Override
  public String name() {
    return "kube-apiserver";
  }

  @Override
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public List<Seen> seen() throws IOException {
    readAudit();
    return List.copyOf(seen);
  }

  @Override
  public int watches() throws IOException {
    readAudit();
    return openWatches;
  }

  private void readAudit() throws IOException {
    if (!Files.exists(audit)) {
      return;
    }
    try (RandomAccessFile file = new RandomAccessFile(audit.toFile(), "r")) {
      file.seek(auditRead);
      byte[] bytes = new byte[(int) (file.length() - auditRead)];
      file.readFully(bytes);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--; // the last line is still being written
      }
      auditRead += end;
      for (String line : new String(bytes, 0, end, StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isEmpty()) {
          take(JSON.readTree(line));
        }
      }
    }
  }

  private void take(JsonNode event) {
    String verb = event.path("verb").asText();
    boolean begins = event.path("stage").asText().equals("ResponseStarted");
    boolean watch = verb.equals("watch");
    int code = event.at("/responseStatus/code").asInt();
    if (watch && code == 200) {
      openWatches += begins ? 1 : -1;
    }
    if (begins == (watch && code == 200)) {
      JsonNode object = event.path("objectRef");
      String resource = object.path("resource").asText(event.path("requestURI").asText());
      String part = object.path("subresource").asText("");
      seen.add(
          new Seen(
              Instant.parse(event.path("requestReceivedTimestamp").asText()).toEpochMilli(),
              verb,
              part.isEmpty() ? resource : resource + "/" + part,
              code));
    }
  }

  /** Of open connections only, with TLS and the server's connections to itself. */
  @Override
  public double bytes() throws IOException {
    Process ss =
        new ProcessBuilder("ss", "-tinH", "sport", "=", ":" + port)
            .redirectErrorStream(true)
            .start();
    Matcher bytes =
        BYTES.matcher(new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    double sum = 0;
    while (bytes.find()) {
      sum += Double.parseDouble(bytes.group(1));
    }
    return sum;
  }

  @Override
  public double cpuMillis() {
    return cpuOfEarlier + (server == null ? 0 : server.cpuMicros() / 1e3);
  }

  @Override
  public String memory() {
    return "API server " + running().memory() + ", etcd " + etcd.memory();
  }

  @Override
  public void change(String pod, int value) throws IOException {
    send(
        asAdmin("/api/v1/namespaces/" + FleetObjects.NAMESPACE + "/pods/" + pod)
            .setHeader("Content-Type", ApiServer.MERGE_PATCH)
            .method(
                "PATCH",
                BodyPublishers.ofString(
                    "{\"metadata\":{\"labels\":{\"changed\":\"" + value + "\"}}}"))
            .build());
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    etcd.close();
    http.close();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
