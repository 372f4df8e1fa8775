import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Lets an agent rehearse its start, so that the JVM can keep what it loads and links for it:
 * against an API server that has one pod and accepts whatever it gets, on loopback and by TLS, with
 * probes by HTTP, HTTPS, TCP and gRPC that succeed and one that fails, and the node's own monitors.
 * Ends the agent once all of that has happened.
 *
 * <pre>java Rehearsal.java JAVA OPTION… io.probelet.cli.Probelet</pre>
 *
 * <p>Exit code 0 if it has; the JVM that ran it has then written what it was asked to write.
 */
final class Rehearsal {
  private static final String PASSWORD = "rehearsal";
  private static final int MAX_SECONDS = 120;

  private final HttpServer target = HttpServer.create(loopback(), 0);
  private final HttpsServer secure = HttpsServer.create(loopback(), 0);
  private final HttpsServer api = HttpsServer.create(loopback(), 0);
  private final ServerSocket grpc = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final CountDownLatch probes = new CountDownLatch(6);
  private final CountDownLatch secureProbes = new CountDownLatch(2);
  private final CountDownLatch grpcProbes = new CountDownLatch(1);
  private final CountDownLatch event = new CountDownLatch(1);
  private final CountDownLatch conditions = new CountDownLatch(1);

  private Rehearsal() throws IOException {}

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  public static void main(String[] command) throws Exception {
    Path directory = Files.createTempDirectory("probelet-rehearsal");
    boolean rehearsed = false;
    try {
      rehearsed = new Rehearsal().run(List.of(command), directory);
    } finally {
      delete(directory);
    }
    System.exit(rehearsed ? 0 : 1); // the servers would go on
  }

  private boolean run(List<String> command, Path directory) throws Exception {
    SSLContext certificate = certificate(directory);
    api.setHttpsConfigurator(
        new HttpsConfigurator(certificate) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters asInGo = certificate.getDefaultSSLParameters();
            asInGo.setUseCipherSuitesOrder(false); // the client chooses
            parameters.setSSLParameters(asInGo);
          }
        });
    api.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    api.createContext("/", this::serve);
    api.start();
    target.createContext("/", exchange -> probed(exchange, probes));
    target.start();
    secure.setHttpsConfigurator(new HttpsConfigurator(certificate));
    secure.createContext("/", exchange -> probed(exchange, secureProbes));
    secure.start();
    Thread.ofVirtual().start(this::acceptGrpc);
    Path configuration = directory.resolve("agent.yaml");
    Files.writeString(
        configuration,
        "probes: {sources: [spec, annotation]}\nnodeMonitor: {monitors: [default]}\n");
    int port = freePort();
    List<String> agent = new ArrayList<>(command);
    agent.addAll(
        List.of(
            "agent",
            "--node-name=rehearsal",
            "--runtime-endpoint=none",
            "--log-format=json",
            "--config=" + configuration,
            "--listen=127.0.0.1:" + port));
    ProcessBuilder builder = new ProcessBuilder(agent).inheritIO();
    Map<String, String> environment = builder.environment();
    environment.remove("KUBECONFIG");
    environment.put("HOME", directory.toString());
    environment.put("XDG_STATE_HOME", directory.toString());
    environment.put("KUBERNETES_MASTER", "https://127.0.0.1:" + api.getAddress().getPort());
    environment.put("KUBERNETES_CERTS_CA_FILE", directory.resolve("ca.pem").toString());
    environment.put("KUBERNETES_AUTH_TOKEN", "rehearsal");
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    boolean rehearsed =
        ready(process, port)
            && probes.await(MAX_SECONDS, TimeUnit.SECONDS)
            && secureProbes.await(MAX_SECONDS, TimeUnit.SECONDS)
            && grpcProbes.await(MAX_SECONDS, TimeUnit.SECONDS)
            && event.await(MAX_SECONDS, TimeUnit.SECONDS)
            && conditions.await(MAX_SECONDS, TimeUnit.SECONDS);
    process.destroy();
    return process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) && rehearsed;
  }

  /** Asks as a kubelet does, and once for the metrics. */
  private static boolean ready(Process process, int port) throws InterruptedException {
    for (int i = 0; i < MAX_SECONDS * 10 && process.isAlive(); i++) {
      try {
        for (String path : List.of("/livez", "/readyz", "/metrics")) {
          get("http://127.0.0.1:" + port + path);
        }
        return true;
      } catch (IOException notYet) {
        Thread.sleep(100);
      }
    }
    return false;
  }

  private static void get(String url) throws IOException {
    try (InputStream answer = URI.create(url).toURL().openStream()) {
      answer.readAllBytes();
    }
  }

  private static void probed(HttpExchange exchange, CountDownLatch seen) throws IOException {
    seen.countDown();
    boolean fails = exchange.getRequestURI().getPath().equals("/fails");
    answer(exchange, fails ? 500 : 200, "{\"status\":\"UP\"}");
  }

  private void acceptGrpc() {
    try {
      while (true) {
        Socket socket = grpc.accept();
        Thread.ofVirtual().start(() -> serveGrpc(socket));
      }
    } catch (IOException closed) {
      // with this program
    }
  }

  /** As much of HTTP/2 as a health check needs: every call is answered with SERVING. */
  private void serveGrpc(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      in.readFully(new byte[24]); // the preface
      out.write(frame(4, 0, 0, new byte[0])); // SETTINGS
      while (true) {
        int head = in.readInt();
        int type = head & 0xff;
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(head >>> 8);
        boolean acknowledged = (flags & 1) != 0;
        if ((type == 4 || type == 6) && !acknowledged) { // SETTINGS, PING
          out.write(frame(type, 1, 0, type == 4 ? new byte[0] : payload));
        } else if (type <= 1 && acknowledged) { // DATA or HEADERS, with END_STREAM
          out.write(frame(1, 4, stream, headers((byte) 0x88, "content-type", "application/grpc")));
          out.write(frame(0, 0, stream, new byte[] {0, 0, 0, 0, 2, 8, 1}));
          out.write(frame(1, 5, stream, headers(null, "grpc-status", "0")));
          grpcProbes.countDown();
        }
      }
    } catch (IOException gone) {
      // a probe closes its connection
    }
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putInt(payload.length << 8 | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Perhaps an indexed header, then one by name and value, which nobody keeps. */
  private static byte[] headers(Byte indexed, String name, String value) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    if (indexed != null) {
      block.write(indexed);
    }
    block.write(0);
    for (String text : List.of(name, value)) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
    return block.toByteArray();
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    switch (exchange.getRequestMethod()) {
      case "GET" -> {
        if (path.startsWith("/api/v1/nodes/rehearsal")) {
          answer(
              exchange,
              200,
              "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"rehearsal\",\"uid\":\"2\","
                  + "\"resourceVersion\":\"1\"},\"spec\":{},\"status\":{\"conditions\":[]}}");
        } else if (!path.equals("/api/v1/pods")) {
          answer(exchange, 404, "{\"kind\":\"Status\",\"code\":404,\"message\":\"not here\"}");
        } else if (query.contains("watch=true")) {
          watch(exchange);
        } else {
          answer(
              exchange,
              200,
              "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":["
                  + pod("8")
                  + "]}");
        }
      }
      case "POST" -> {
        answer(exchange, 201, sent);
        event.countDown();
      }
      default -> {
        answer(exchange, 200, sent);
        conditions.countDown();
      }
    }
  }

  private void watch(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    String changed = "{\"type\":\"MODIFIED\",\"object\":" + pod("9") + "}\n";
    String bookmark =
        "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"10\"}}}\n";
    out.write((changed + bookmark).getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static void answer(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String pod(String version) {
    int port = target.getAddress().getPort();
    String probes =
        """
        {web: {liveness: {httpGet: {path: /ok, port: %1$d}, period: 200ms,
        expect: {body: {matches: 'U[P]'}}},
        readiness: {httpGet: {path: /fails, port: %1$d}, period: 200ms, failureThreshold: 1}},
        others: {liveness: {tcpSocket: {port: %1$d}, period: 200ms},
        readiness: {httpGet: {path: /ok, port: %2$d, scheme: HTTPS}, period: 200ms},
        startup: {grpc: {port: %3$d}, period: 200ms}}}\
        """
            .replace("\n", " ")
            .formatted(port, secure.getAddress().getPort(), grpc.getLocalPort());
    return """
    {"apiVersion": "v1", "kind": "Pod",
     "metadata": {"namespace": "default", "name": "web", "uid": "1", "resourceVersion": "%1$s",
      "labels": {"app": "web", "tier": "front"},
      "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "3",
       "controller": true}],
      "managedFields": [{"manager": "kubelet", "fieldsV1": {"f:status": {"f:conditions": {}}}}],
      "annotations": {"probelet.io/probes": "%2$s"}},
     "spec": {"nodeName": "rehearsal", "restartPolicy": "Always",
      "readinessGates": [{"conditionType": "probelet.io/ready"}],
      "containers": [{"name": "web", "image": "example.io/web",
       "ports": [{"name": "http", "containerPort": %3$d}],
       "env": [{"name": "LEVEL", "value": "info"}]},
       {"name": "others", "image": "example.io/others"},
       {"name": "usual", "image": "example.io/usual",
        "ports": [{"name": "http", "containerPort": %3$d}],
        "lifecycle": {"preStop": {"exec": {"command": ["true"]}}},
        "livenessProbe": {"httpGet": {"path": "/ok", "port": "http",
         "httpHeaders": [{"name": "X-Rehearsal", "value": "1"}]}, "periodSeconds": 1,
         "timeoutSeconds": 1, "failureThreshold": 3},
        "readinessProbe": {"tcpSocket": {"port": "http"}, "periodSeconds": 1}}]},
     "status": {"phase": "Running", "podIP": "127.0.0.1", "podIPs": [{"ip": "127.0.0.1"}],
      "conditions": [{"type": "Ready", "status": "True"}],
      "containerStatuses": [{"name": "web", "ready": true, "started": true, "restartCount": 0,
       "containerID": "containerd://web",
       "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}},
       {"name": "others", "ready": true, "started": false, "restartCount": 0,
       "containerID": "containerd://others",
       "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}},
       {"name": "usual", "ready": true, "started": true, "restartCount": 0,
       "containerID": "containerd://usual",
       "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}]}}
    """
        .replace("\n", " ")
        .formatted(version, probes, port);
  }

  /** A certificate for loopback, and itself as its authority in {@code ca.pem}. */
  private static SSLContext certificate(Path directory)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = directory.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    int made = keytool(keytool, store);
    if (made != 0) {
      throw new IOException("keytool ended with " + made);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] certificate = keys.getCertificate("api").getEncoded();
    Files.writeString(
        directory.resolve("ca.pem"),
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate)
            + "\n-----END CERTIFICATE-----\n");
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  private static int keytool(Path keytool, Path store) throws IOException, InterruptedException {
    return new ProcessBuilder(
            keytool.toString(),
            "-genkeypair",
            "-alias",
            "api",
            "-keyalg",
            "EC",
            "-dname",
            "CN=rehearsal",
            "-validity",
            "2",
            "-ext",
            "san=ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            store.toString())
        .inheritIO()
        .start()
        .waitFor();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
