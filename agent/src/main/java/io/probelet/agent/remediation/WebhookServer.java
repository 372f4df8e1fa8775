package io.probelet.agent.remediation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.probelet.agent.http.ListenAddress;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.nodehealth.webhook.ServingCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Serves the admission webhook over TLS; the certificate may be changed while it runs. */
final class WebhookServer implements AutoCloseable {
  /** Where reviews are posted. */
  public static final String PATH = "/validate-nodehealthcheck";

  private static final int MOST_BYTES = 4 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final AdmissionReviews reviews;
  private final Keys keys;
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Opens the server.
   *
   * @param address where to listen
   * @param reviews answers
   * @param certificate what to serve with
   * @throws IOException if it cannot listen there
   */
  public WebhookServer(
      ListenAddress address, AdmissionReviews reviews, ServingCertificate certificate)
      throws IOException {
    this.reviews = reviews;
    this.keys = new Keys(certificate);
    server = HttpsServer.create(new InetSocketAddress(address.host(), address.port()), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
    server.setExecutor(threads);
    server.createContext(PATH, this::handle);
    server.start();
  }

  /** {@return the port it listens on} */
  public int port() {
    return server.getAddress().getPort();
  }

  /**
   * Serves new connections with another certificate.
   *
   * @param certificate the new one
   */
  public void use(ServingCertificate certificate) {
    keys.current = certificate;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        answer(exchange, 405, "text/plain", "post an AdmissionReview");
        return;
      }
      JsonNode review;
      try (InputStream body = exchange.getRequestBody()) {
        byte[] bytes = body.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
          answer(exchange, 413, "text/plain", "more than " + MOST_BYTES + " bytes");
          return;
        }
        review = JSON.readTree(bytes);
      } catch (JsonProcessingException noJson) {
        answer(exchange, 400, "text/plain", "no JSON: " + noJson.getOriginalMessage());
        return;
      }
      answer(exchange, 200, "application/json", reviews.answer(review).toString());
    }
  }

  private static void answer(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private static SSLContext context(Keys keys) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys}, null, null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has TLS", impossible);
    }
  }

  /** One key at a time, which may change. */
  private static final class Keys extends X509ExtendedKeyManager {
    private static final String ALIAS = "webhook";

    private volatile ServingCertificate current;

    Keys(ServingCertificate current) {
      this.current = current;
    }

    @Override
    public String chooseEngineServerAlias(
        String type, Principal @Nullable [] issuers, SSLEngine engine) {
      return ALIAS;
    }

    @Override
    public String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return ALIAS;
    }

    @Override
    public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return current.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return current.key();
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }
}
