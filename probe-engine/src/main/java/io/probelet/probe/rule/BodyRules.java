package io.probelet.probe.rule;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.ShortText;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.HttpExpectation.Response;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds one body, or another text of an answer, against the rules of one probe; JSON is parsed
 * once, however many ask for it.
 */
final class BodyRules {
  /** Bodies nest as deep as their authors please; comparing them recurses. */
  static final int MAX_DEPTH = 64;

  private static final int LONGEST_SHOWN = 200;

  /** Decimals stay what they are; as doubles, 1e999 would be no number. */
  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** 1 and 1.0 are equal; anything else must be what it is. */
  private static final Comparator<JsonNode> BY_VALUE =
      (one, other) -> {
        boolean numbers = one.isNumber() && other.isNumber();
        boolean equal =
            numbers ? one.decimalValue().compareTo(other.decimalValue()) == 0 : one.equals(other);
        return equal ? 0 : 1;
      };

  private final CompiledPatterns patterns;
  private final String what;
  private final BoundedText body;
  private final boolean cut;
  private @Nullable JsonNode json;
  private @Nullable String notJson;

  /**
   * Prepares a text.
   *
   * @param what it is, for messages
   * @param cut whether there was more of it than is kept
   */
  BodyRules(CompiledPatterns patterns, String what, BoundedText body, boolean cut) {
    this.patterns = patterns;
    this.what = what;
    this.body = body;
    this.cut = cut;
  }

  /**
   * {@return the rule that the body breaks, or null} The body itself may be a secret.
   *
   * @throws BoundedText.StoppedException if it took too long
   */
  @Nullable String broken(List<BodyRule> rules) {
    for (BodyRule rule : rules) {
      body.check();
      String broken =
          switch (rule) {
            case BodyRule.Contains(String text) ->
                body.toString().contains(text) ? null : what + " does not contain " + shown(text);
            case BodyRule.NotContains(String text) ->
                body.toString().contains(text) ? what + " contains " + shown(text) : null;
            case BodyRule.Matches matches ->
                patterns.get(matches.pattern()).matcher(body).find()
                    ? null
                    : what + " does not match " + shown(matches.pattern().pattern());
            case BodyRule.JsonEquals equality -> unequal(equality);
            case BodyRule.Complies complies -> notComplying(complies);
          };
      if (broken != null) {
        return broken;
      }
    }
    return null;
  }

  private @Nullable String unequal(BodyRule.JsonEquals rule) {
    parse();
    if (json == null) {
      return notJson;
    }
    JsonNode found = json.at(rule.pointer());
    if (found.isMissingNode()) {
      return "body has no value at " + shown(rule.pointer().toString());
    }
    return rule.expected().equals(BY_VALUE, found)
        ? null
        : "body's value at "
            + shown(rule.pointer().toString())
            + " is not "
            + cut(rule.expected().toString());
  }

  private @Nullable String notComplying(BodyRule.Complies rule) {
    parse();
    Response response =
        new Response(rule.status(), rule.headers(), body.toString(), json, rule.phases());
    return rule.condition().broken(response);
  }

  private void parse() {
    if (json == null && notJson == null) {
      try {
        json = JSON.readTree(body.toString());
      } catch (JacksonException malformed) {
        notJson = cut ? "body is not JSON within its first 10 KiB" : "body is not JSON";
      }
    }
  }

  private static String shown(String text) {
    return "\"" + cut(text) + "\"";
  }

  private static String cut(String text) {
    return ShortText.of(text, LONGEST_SHOWN);
  }
}
