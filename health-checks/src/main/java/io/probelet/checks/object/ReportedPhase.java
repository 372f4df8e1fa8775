package io.probelet.checks.object;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One word in which an object sums up how it is, as {@code status.phase} of many kinds (CH-41).
 *
 * @param field where it is, for example {@code status.phase}
 * @param text the word, as it is written
 * @param meaning what it says
 */
record ReportedPhase(String field, String text, Meaning meaning) {

  /** What a phase says. */
  enum Meaning {
    GOOD,
    BAD,
    CHANGING,
    /** The object says that it does not know. */
    UNKNOWN,
    /** A word that is not known here. */
    UNCLEAR
  }

  private static final List<JsonPointer> FIELDS =
      Stream.of(
              "/status/phase",
              "/status/state",
              "/status/status",
              "/status/health",
              "/status/health/status",
              "/status/health/state")
          .map(JsonPointer::compile)
          .toList();
  private static final Set<String> GOOD =
      Set.of(
          "ready",
          "running",
          "active",
          "bound",
          "succeeded",
          "success",
          "successful",
          "completed",
          "complete",
          "healthy",
          "available",
          "deployed",
          "established",
          "synced",
          "installed",
          "provisioned",
          "online",
          "exists",
          "ok",
          "green");
  private static final Set<String> BAD =
      Set.of(
          "failed",
          "fail",
          "failure",
          "failing",
          "error",
          "errored",
          "degraded",
          "invalid",
          "unhealthy",
          "unavailable",
          "rejected",
          "lost",
          "aborted",
          "broken",
          "crashed",
          "missing",
          "unreachable",
          "red");

  /** Words of something under way that do not end as the others do. */
  private static final Set<String> CHANGING = Set.of("progress", "queued", "scheduled", "yellow");

  static List<ReportedPhase> in(JsonNode object) {
    return FIELDS.stream().map(field -> read(object, field)).flatMap(Optional::stream).toList();
  }

  private static Optional<ReportedPhase> read(JsonNode object, JsonPointer field) {
    JsonNode value = object.at(field);
    if (!value.isTextual() || value.asText().isBlank()) {
      return Optional.empty();
    }
    String name = field.toString().substring(1).replace('/', '.');
    return Optional.of(new ReportedPhase(name, value.asText(), meaning(Words.of(value.asText()))));
  }

  private static Meaning meaning(List<String> words) {
    if (words.isEmpty()) {
      return Meaning.UNCLEAR;
    }
    if (words.getFirst().equals("not") || words.stream().anyMatch(BAD::contains)) {
      return Meaning.BAD;
    }
    if (words.size() == 1 && GOOD.contains(words.getFirst())) {
      return Meaning.GOOD;
    }
    if (words.equals(List.of("unknown"))) {
      return Meaning.UNKNOWN;
    }
    String last = words.getLast();
    boolean changing = CHANGING.contains(last) || (last.endsWith("ing") && !last.equals("running"));
    return changing ? Meaning.CHANGING : Meaning.UNCLEAR;
  }
}
