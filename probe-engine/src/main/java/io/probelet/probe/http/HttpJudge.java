package io.probelet.probe.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.Verdict;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Judges a final answer: as the kubelet does, or by what the annotation expects. */
final class HttpJudge {
  /** Decimals stay what they are; as doubles, 1e999 would be no number. */
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** 1 and 1.0 are equal; anything else must be what it is. */
  private static final Comparator<JsonNode> BY_VALUE =
      (one, other) -> {
        boolean numbers = one.isNumber() && other.isNumber();
        boolean equal =
            numbers ? one.decimalValue().compareTo(other.decimalValue()) == 0 : one.equals(other);
        return equal ? 0 : 1;
      };

  private HttpJudge() {}

  /** {@return the verdict on an answer whose body has arrived} */
  static Verdict judge(Answer answer, HttpExpectation expected) {
    int status = answer.status();
    Verdict failure = failureByStatus(status, expected);
    if (failure != null) {
      return failure;
    }
    if (expected.equals(HttpExpectation.KUBELET)) { // H-3
      String body = answer.body().text();
      return status < 300
          ? new Verdict.Success(body)
          : new Verdict.Warning("Probe terminated redirects, Response body: " + body);
    }
    String body = answer.body().text();
    for (BodyRule rule : expected.body()) {
      String broken = broken(rule, body, answer.body().full());
      if (broken != null) {
        return new Verdict.Failure("HTTP probe failed: " + broken);
      }
    }
    return new Verdict.Success(body);
  }

  /** {@return the failure no body can save an answer from, or null; never tells the body (H-3)} */
  static @Nullable Verdict failureByStatus(int status, HttpExpectation expected) {
    if (accepts(status, expected)) {
      return null;
    }
    String wanted = expected.statuses().isEmpty() ? "" : ", expected " + expected.statuses();
    return new Verdict.Failure("HTTP probe failed with statuscode: " + status + wanted);
  }

  private static boolean accepts(int status, HttpExpectation expected) {
    return expected.statuses().isEmpty()
        ? status >= 200 && status < 400
        : expected.statuses().contains(status);
  }

  /** What a body lacks; what it says instead may be a secret. */
  private static @Nullable String broken(BodyRule rule, String body, boolean cut) {
    return switch (rule) {
      case BodyRule.Contains contains ->
          body.contains(contains.text())
              ? null
              : "body does not contain \"" + contains.text() + "\"";
      case BodyRule.Matches matches ->
          matches.pattern().matcher(body).find()
              ? null
              : "body does not match \"" + matches.pattern() + "\"";
      case BodyRule.JsonEquals equality -> unequal(equality, body, cut);
    };
  }

  private static @Nullable String unequal(BodyRule.JsonEquals rule, String body, boolean cut) {
    JsonNode found;
    try {
      found = JSON.readTree(body).at(rule.pointer());
    } catch (JacksonException notJson) {
      return cut ? "body is no JSON within its first 10 KiB" : "body is not JSON";
    }
    if (found.isMissingNode()) {
      return "body has no value at \"" + rule.pointer() + "\"";
    }
    return rule.expected().equals(BY_VALUE, found)
        ? null
        : "body's value at \"" + rule.pointer() + "\" is not " + rule.expected();
  }
}
