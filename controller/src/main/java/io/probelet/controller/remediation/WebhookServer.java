package io.probelet.controller.remediation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.certificate.ServingCertificate;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.tls.HttpsServer;
import java.io.CharConversionException;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Answers the admission webhook's requests, a few at once. */
public final class WebhookServer {
  /** Where reviews are posted. */
  public static final String PATH = "/validate-nodehealthcheck";

  /** Others wait for so long. */
  private static final int MAX_REVIEWS_AT_ONCE = 4;

  private static final int MAX_WAIT_SECONDS = 5;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final AdmissionReviews reviews;
  private final Semaphore atOnce = new Semaphore(MAX_REVIEWS_AT_ONCE);

  private WebhookServer(AdmissionReviews reviews) {
    this.reviews = reviews;
  }

  /**
   * Opens the server.
   *
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static HttpsServer open(
      ListenAddress address, AdmissionReviews reviews, ServingCertificate certificate)
      throws IOException {
    WebhookServer webhook = new WebhookServer(reviews);
    return HttpsServer.open(
        certificate,
        (loop, keys) -> HttpEndpoint.ofWebhook(address, loop, keys, PATH, webhook::admit));
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
      return Answer.of(400, Resource.TEXT, "invalid JSON: " + noJson.getOriginalMessage() + "\n");
    } catch (CharConversionException noText) { // Jackson's word for UTF-32 that breaks off
      return Answer.of(400, Resource.TEXT, "invalid JSON: " + noText.getMessage() + "\n");
    }
    if (!review.path("request").isObject()) {
      return Answer.of(400, Resource.TEXT, "not an AdmissionReview: request is missing\n");
    }
    return Answer.of(200, Resource.JSON, reviews.answer(review).toString());
  }
}
