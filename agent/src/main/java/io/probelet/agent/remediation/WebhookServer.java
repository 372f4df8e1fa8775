package io.probelet.agent.remediation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.probelet.agent.http.HttpEndpoint;
import io.probelet.agent.http.ListenAddress;
import io.probelet.agent.http.Resource;
import io.probelet.agent.http.Resource.Answer;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.nodehealth.webhook.ServingCertificate;
import java.io.CharConversionException;
import java.io.IOException;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Serves the admission webhook over TLS; the certificate may be changed while it runs. */
final class WebhookServer implements AutoCloseable {
  /** Where reviews are posted. */
  static final String PATH = "/validate-nodehealthcheck";

  /** Others wait for so long. */
  private static final int MAX_REVIEWS_AT_ONCE = 4;

  private static final int MAX_WAIT_SECONDS = 5;
  private static final int END_SECONDS = 5;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final AdmissionReviews reviews;
  private final Keys keys;
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("https", true), NioIoHandler.newFactory());
  private final Semaphore atOnce = new Semaphore(MAX_REVIEWS_AT_ONCE);
  private final HttpEndpoint server;

  /**
   * Opens the server.
   *
   * @param address where to listen
   * @param reviews answers
   * @param certificate what to serve with
   * @throws IOException if it cannot listen there; the message is for the user
   */
  WebhookServer(ListenAddress address, AdmissionReviews reviews, ServingCertificate certificate)
      throws IOException {
    this.reviews = reviews;
    this.keys = new Keys(certificate);
    try {
      server = HttpEndpoint.ofWebhook(address, loop, keys, PATH, this::admit);
    } catch (IOException unable) {
      endLoop();
      throw unable;
    }
  }

  /** The port it listens on. */
  int port() {
    return server.address().port();
  }

  /** Serves new connections with another certificate. */
  void use(ServingCertificate certificate) {
    keys.current = certificate;
  }

  @Override
  public void close() {
    server.close();
    endLoop();
  }

  private void endLoop() {
    loop.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(END_SECONDS, TimeUnit.SECONDS);
  }

  private Answer admit(byte[] body) throws IOException, InterruptedException {
    if (!atOnce.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
      return Answer.of(503, Resource.TEXT, "too many reviews at once\n");
    }
    try {
      return answer(body);
    } finally {
      atOnce.release();
    }
  }

  private Answer answer(byte[] body) throws IOException {
    JsonNode review;
    try {
      review = JSON.readTree(body);
    } catch (JsonProcessingException noJson) {
      return Answer.of(400, Resource.TEXT, "no JSON: " + noJson.getOriginalMessage() + "\n");
    } catch (CharConversionException noText) { // Jackson's word for UTF-32 that breaks off
      return Answer.of(400, Resource.TEXT, "no JSON: " + noText.getMessage() + "\n");
    }
    if (!review.path("request").isObject()) {
      return Answer.of(400, Resource.TEXT, "no AdmissionReview: it has no request\n");
    }
    return Answer.of(200, Resource.JSON, reviews.answer(review).toString());
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
