package io.probelet.nodehealth.webhook;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.fuzz.Bounded;
import io.probelet.nodehealth.resource.RunningRemediations;
import io.probelet.nodehealth.resource.TemplateKinds;
import java.io.CharConversionException;

/** Requests to the webhook, which anybody who reaches its port may send. */
class AdmissionReviewFuzzTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final AdmissionReviews REVIEWS =
      new AdmissionReviews(TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN);

  @FuzzTest
  void review(byte[] data) throws Exception {
    Bounded.run(() -> {
      JsonNode review;
      try {
        review = JSON.readTree(data);
      } catch (JsonProcessingException | CharConversionException declared) {
        return;
      }
      ObjectNode answer = REVIEWS.answer(review);
      Bounded.check(answer.path("response").path("allowed").isBoolean(), "no answer");
      Bounded.check(JSON.writeValueAsBytes(answer).length < 100_000, "an answer without end");
    });
  }
}
