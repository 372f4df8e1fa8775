package io.probelet.simulation.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.simulation.api.SimulatedApiServer.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Requests, one a line, and what is expected of the answers:
 *
 * <pre>
 *   MERGE /api/v1/nodes/a {spec: {unschedulable: true}} -> 200 /spec/unschedulable=true
 * </pre>
 *
 * <p>A value that begins with {@code @} is that of an earlier answer, counted from 1, such as
 * {@code @1/metadata/uid}; {@code -} is absence, and a word after the code is a Status' reason. The
 * events of a watch are in {@code /events}.
 */
record Conversation(String name, String lines) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern LINE =
      Pattern.compile("(\\w+) (\\S+)(?: (\\{.*}|\\[.*]))? -> (\\d+)(?: ([A-Z]\\w+))?((?: \\S+)*)");
  private static final Pattern EARLIER = Pattern.compile("@(\\d+)(/[\\w/~.-]+)");

  /** Sends requests. */
  @FunctionalInterface
  interface Sender {
    Reply send(String method, String path, String type, String body) throws IOException;
  }

  void with(Sender sender) throws IOException {
    List<JsonNode> answers = new ArrayList<>();
    for (String line : lines.strip().split("\n", -1)) {
      Matcher parts = LINE.matcher(line.strip());
      assertThat(parts.matches()).as("form of: " + line).isTrue();
      String path = earlier(parts.group(2), answers);
      String body = parts.group(3) == null ? "" : json(earlier(parts.group(3), answers));
      String verb = parts.group(1);
      Reply reply = sender.send(method(verb), query(verb, path), type(verb, body), body);
      answers.add(reply.body());
      String seen = line.strip() + "\n  got " + reply;
      assertThat(reply.code()).as(seen).isEqualTo(Integer.parseInt(parts.group(4)));
      if (parts.group(5) != null) {
        assertThat(reply.body().path("reason").asText()).as(seen).isEqualTo(parts.group(5));
      }
      for (String expected : parts.group(6).strip().split(" ", -1)) {
        if (!expected.isEmpty()) {
          expect(earlier(expected, answers), reply.body(), seen);
        }
      }
    }
  }

  private static void expect(String expected, JsonNode body, String seen) {
    String[] sides = expected.split("!?=", 2);
    JsonNode found = body.at(sides[0]);
    String text =
        found.isMissingNode() ? "-" : found.isTextual() ? found.textValue() : found.toString();
    if (expected.contains("!=")) {
      assertThat(text).as(expected + " of " + seen).isNotEqualTo(sides[1]);
    } else {
      assertThat(text).as(expected + " of " + seen).isEqualTo(sides[1]);
    }
  }

  /** {@return the events of a watch as one text, such as {@code ADDED:a,DELETED:a}} */
  static JsonNode events(String lines) {
    List<String> events = new ArrayList<>();
    for (String line : lines.strip().split("\n", -1)) {
      try {
        JsonNode event = JSON.readTree(line);
        JsonNode object = event.path("object");
        events.add(
            event.path("type").asText()
                + ":"
                + object.at("/metadata/name").asText(object.path("reason").asText()));
      } catch (JsonProcessingException invalid) {
        throw new IllegalArgumentException(line, invalid);
      }
    }
    return JSON.createObjectNode().put("events", String.join(",", events));
  }

  private static String earlier(String text, List<JsonNode> answers) {
    return EARLIER
        .matcher(text)
        .replaceAll(each ->
            Matcher.quoteReplacement(
                answers.get(Integer.parseInt(each.group(1)) - 1).at(each.group(2)).asText()));
  }

  private static String json(String flow) {
    Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(flow);
    try {
      return JSON.writeValueAsString(read);
    } catch (JsonProcessingException invalid) {
      throw new IllegalArgumentException(invalid);
    }
  }

  private static String method(String verb) {
    return switch (verb) {
      case "MERGE", "STRATEGIC", "JSON", "APPLY" -> "PATCH";
      default -> verb;
    };
  }

  private static String query(String verb, String path) {
    return verb.equals("APPLY") ? path + "?fieldManager=test&force=true" : path;
  }

  private static String type(String verb, String body) {
    return switch (verb) {
      case "MERGE" -> "application/merge-patch+json";
      case "STRATEGIC" -> "application/strategic-merge-patch+json";
      case "JSON" -> "application/json-patch+json";
      case "APPLY" -> "application/apply-patch+yaml";
      default -> body.isEmpty() ? "" : "application/json";
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
