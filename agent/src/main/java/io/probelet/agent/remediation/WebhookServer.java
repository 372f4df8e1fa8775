package io.probelet.agent.remediation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.agent.http.HttpEndpoint;
import io.probelet.agent.http.ListenAddress;
import io.probelet.agent.http.Resource;
import io.probelet.agent.http.Resource.Answer;
import io.probelet.agent.tls.HttpsServer;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.nodehealth.webhook.ServingCertificate;
import java.io.CharConversionException;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Serves the admission webhook over TLS; the certificate may be changed while it runs. */
final class WebhookServer implements AutoCloseable {
  /** Where reviews are posted. */
  static final String PATH = "/validate-nodehealthcheck";

  /** Others wait for so long. */
  private static final int MAX_REVIEWS_AT_ONCE = 4;

  private static final int MAX_WAIT_SECONDS = 5;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final AdmissionReviews reviews;
  private final Semaphore atOnce = new Semaphore(MAX_REVIEWS_AT_ONCE);
  private final HttpsServer server;

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
    server =
        HttpsServer.open(
            certificate,
            (loop, keys) -> HttpEndpoint.ofWebhook(address, loop, keys, PATH, this::admit));
  }

  /** {@return the server, of which nothing else is needed while it runs} */
  HttpsServer server() {
    return server;
  }

  /** The port it listens on. */
  int port() {
    return server.port();
  }

  /** Serves new connections with another certificate. */
  void use(ServingCertificate certificate) {
    server.use(certificate);
  }

  @Override
  public void close() {
    server.close();
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
}
