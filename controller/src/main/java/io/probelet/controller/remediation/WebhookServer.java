package io.probelet.controller.remediation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.controller.gate.ReadinessGateReviews;
import io.probelet.health.Slots;
import io.probelet.health.Threads;
import io.probelet.kube.certificate.ServingCertificate;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.PostResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.tls.HttpsServer;
import java.io.CharConversionException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/**
 * Answers the requests of the admission webhooks, a few at once. Each webhook has its own places,
 * so that pods keep no NodeHealthCheck waiting.
 */
public final class WebhookServer {
  /** Where reviews of NodeHealthChecks are posted. */
  public static final String PATH = "/validate-nodehealthcheck";

  /** Where reviews of pods are posted, to get the readiness gate. */
  public static final String GATE_PATH = "/add-readiness-gate";

  /** Others wait for so long. */
  private static final int MAX_REVIEWS_AT_ONCE = 4;

  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Function<JsonNode, ObjectNode> reviews;
  private final Slots atOnce;

  private WebhookServer(Function<JsonNode, ObjectNode> reviews, Threads threads) {
    this.reviews = reviews;
    this.atOnce = new Slots(MAX_REVIEWS_AT_ONCE, threads);
  }

  /**
   * {@return the webhooks, by path}
   *
   * @param threads in whose time requests wait for one another
   */
  public static Map<String, PostResource> resources(AdmissionReviews reviews, Threads threads) {
    return Map.of(
        PATH,
        new WebhookServer(reviews::answer, threads)::admit,
        GATE_PATH,
        new WebhookServer(ReadinessGateReviews::answer, threads)::admit);
  }

  /**
   * Opens the server.
   *
   * @param webhooks by path
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static HttpsServer open(
      ListenAddress address, Map<String, PostResource> webhooks, ServingCertificate certificate)
      throws IOException {
    return HttpsServer.open(
        certificate, (loop, keys) -> HttpEndpoint.ofWebhook(address, loop, keys, webhooks));
  }

  private Answer admit(byte[] body) throws IOException, InterruptedException {
    if (!atOnce.tryAcquire(MAX_WAIT)) {
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
    return Answer.of(200, Resource.JSON, reviews.apply(review).toString());
  }
}
