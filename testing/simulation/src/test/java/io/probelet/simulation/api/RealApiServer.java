package io.probelet.simulation.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.simulation.api.SimulatedApiServer.Reply;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A real kube-apiserver with its etcd, to compare the simulated one with. */
final class RealApiServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOKEN = "only-for-this-test";
  private static final Duration START = Duration.ofMinutes(3);

  private final List<Process> processes = new ArrayList<>();
  private final HttpClient http;
  private final String url;

  /**
   * Starts one.
   *
   * @param assets the folder of the two programs
   */
  RealApiServer(Path assets, Path folder) throws IOException, GeneralSecurityException {
    String etcd = "http://127.0.0.1:" + freePort();
    int port = freePort();
    url = "https://127.0.0.1:" + port;
    http = HttpClient.newBuilder().sslContext(trusting()).build();
    KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Path tokens = folder.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",admin,admin,\"system:masters\"\n");
    try {
      run(
          folder,
          assets.resolve("etcd").toString(),
          "--data-dir=" + folder.resolve("etcd"),
          "--listen-client-urls=" + etcd,
          "--advertise-client-urls=" + etcd,
          "--listen-peer-urls=http://127.0.0.1:0",
          "--unsafe-no-fsync");
      run(
          folder,
          assets.resolve("kube-apiserver").toString(),
          "--etcd-servers=" + etcd,
          "--cert-dir=" + folder.resolve("certificates"),
          "--bind-address=127.0.0.1",
          "--secure-port=" + port,
          "--token-auth-file=" + tokens,
          "--authorization-mode=RBAC",
          "--service-account-issuer=https://127.0.0.1",
          "--service-account-key-file="
              + pem(folder.resolve("sa.pub"), "PUBLIC KEY", keys.getPublic()),
          "--service-account-signing-key-file="
              + pem(folder.resolve("sa.key"), "PRIVATE KEY", keys.getPrivate()),
          "--service-cluster-ip-range=10.0.0.0/24",
          "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition");
      awaitStart();
    } catch (IOException | RuntimeException failed) {
      close();
      throw failed;
    }
  }

  private void run(Path folder, String... command) throws IOException {
    String name = Path.of(command[0]).getFileName().toString();
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(folder.resolve(name + ".log").toFile()))
            .start());
  }

  private void awaitStart() throws IOException {
    long until = System.nanoTime() + START.toNanos();
    while (System.nanoTime() < until && processes.stream().allMatch(Process::isAlive)) {
      try {
        if (send("GET", "/readyz", "", "").code() == 200) {
          return;
        }
      } catch (IOException notYet) {
        Thread.onSpinWait();
      }
    }
    throw new IOException("the API server did not start");
  }

  /** Waits until collections are served. */
  void awaitServed(String... paths) throws IOException {
    long until = System.nanoTime() + START.toNanos();
    for (String path : paths) {
      while (send("GET", path, "", "").code() != 200) {
        if (System.nanoTime() > until) {
          throw new IOException("not served: " + path);
        }
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Path pem(Path file, String type, Key key) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }

  private static SSLContext trusting() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    TrustManager everyone =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {
            // none
          }

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {
            // the certificate was made a moment ago, by the server itself
          }

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    context.init(null, new TrustManager[] {everyone}, null);
    return context;
  }

  /** Sends a request. */
  Reply send(String method, String path, String type, String body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofMinutes(1))
            .header("Authorization", "Bearer " + TOKEN)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    try {
      HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
      return new Reply(response.statusCode(), read(response.body()));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException(stop);
    }
  }

  private static JsonNode read(byte[] body) {
    String text = new String(body, UTF_8);
    try {
      if (text.startsWith("{\"type\"")) {
        return Conversation.events(text);
      }
      return text.startsWith("{") ? JSON.readTree(text) : MissingNode.getInstance();
    } catch (IOException invalid) {
      throw new IllegalStateException(text, invalid);
    }
  }

  @Override
  public void close() {
    http.close();
    for (Process each : processes.reversed()) {
      each.destroy();
      var _ = each.onExit().join();
    }
  }
}
