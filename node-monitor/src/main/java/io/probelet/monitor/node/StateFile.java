package io.probelet.monitor.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.ConditionStatus;
import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import io.probelet.monitor.track.ConditionHistory;
import io.probelet.monitor.track.ConditionHistory.PastStatus;
import io.probelet.monitor.track.SavedCondition;
import io.probelet.monitor.track.SavedCondition.SavedClaim;
import io.probelet.monitor.track.SavedCondition.SavedRule;
import io.probelet.monitor.track.SavedCondition.SavedStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The small file that keeps the state over restarts (B-4). It is replaced atomically: after a crash
 * it is the old or the new one. A corrupt file is reported and ignored.
 */
final class StateFile {
  private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final @Nullable Path file;
  private boolean complained;

  /** Null keeps no state. */
  StateFile(@Nullable Path file) {
    this.file = file;
  }

  /** Reads the state; empty if it is of another boot, or cannot be read. */
  SavedState read(String bootId) {
    if (file == null) {
      return SavedState.none(bootId);
    }
    try {
      SavedState state = state(JSON.readTree(Files.readAllBytes(file)));
      if (state.bootId().equals(bootId)) {
        return state;
      }
      LOG.info("ignoring state from before the last boot file={}", file);
    } catch (NoSuchFileException firstStart) {
      LOG.debug("no state file yet file={}", file);
    } catch (IOException | IllegalArgumentException | DateTimeException corrupt) {
      LOG.warn(
          "state file unusable, starting without state file={} reason=\"{}\"",
          file,
          FailureReason.of(corrupt));
    }
    return SavedState.none(bootId);
  }

  /** Replaces the file. A failure is logged once, until it works again. */
  void write(SavedState state) {
    if (file == null) {
      return;
    }
    try {
      PrivateFiles.replace(file, JSON.writeValueAsBytes(json(state)));
      complained = false;
    } catch (IOException failed) {
      if (!complained) {
        LOG.warn(
            "cannot write state, a restart will lose it file={} reason=\"{}\"",
            file,
            FailureReason.of(failed));
      }
      complained = true;
    }
  }

  private static ObjectNode json(SavedState state) {
    ObjectNode root = JSON.createObjectNode();
    root.put("bootId", state.bootId());
    ObjectNode positions = root.putObject("positions");
    state.positions().forEach(positions::put);
    ObjectNode conditions = root.putObject("conditions");
    state.conditions().forEach((type, saved) -> write(saved, conditions.putObject(type)));
    ObjectNode events = root.putObject("events");
    state.events().forEach((id, rule) -> write(rule, events.putObject(id)));
    return root;
  }

  private static void write(SavedCondition saved, ObjectNode out) {
    SavedStatus published = saved.published();
    if (published != null) {
      out.putObject("published")
          .put("status", published.status().toString())
          .put("reason", published.reason())
          .put("message", published.message())
          .put("lastTransitionTime", published.lastTransitionTime().toString())
          .put("lastUpdateTime", published.lastUpdateTime().toString());
    }
    out.put("problem", saved.problem());
    write(saved.changes(), out.putArray("changes"));
    ObjectNode rules = out.putObject("rules");
    saved.rules().forEach((id, rule) -> write(rule, rules.putObject(id)));
    ArrayNode history = out.putArray("history");
    saved.history().changes().forEach(change -> write(change, history.addObject()));
  }

  private static void write(PastStatus change, ObjectNode out) {
    out.put("at", change.at().toString())
        .put("status", change.status().toString())
        .put("reason", change.reason())
        .put("message", change.message());
  }

  private static void write(SavedRule rule, ObjectNode out) {
    SavedClaim settled = rule.settled();
    if (settled != null) {
      write(settled, out);
    }
    SavedClaim pending = rule.pending();
    if (pending != null) {
      write(pending, out.putObject("pending"));
    }
    write(rule.matches(), out.putArray("matches"));
    if (!rule.devices().isEmpty()) {
      ObjectNode devices = out.putObject("devices");
      rule.devices().forEach((device, one) -> write(one, devices.putObject(device)));
    }
  }

  private static void write(SavedClaim claim, ObjectNode out) {
    out.put("status", claim.status().toString())
        .put("message", claim.message())
        .put("since", claim.since().toString());
  }

  private static void write(List<Instant> times, ArrayNode out) {
    times.forEach(time -> out.add(time.toString()));
  }

  private static SavedState state(JsonNode root) {
    Map<String, String> positions = new LinkedHashMap<>();
    root.path("positions")
        .properties()
        .forEach(entry -> positions.put(entry.getKey(), entry.getValue().asText()));
    Map<String, SavedCondition> conditions = new LinkedHashMap<>();
    root.path("conditions")
        .properties()
        .forEach(entry -> conditions.put(entry.getKey(), condition(entry.getValue())));
    return new SavedState(
        root.path("bootId").asText(), conditions, rules(root.path("events")), positions);
  }

  private static SavedCondition condition(JsonNode in) {
    JsonNode published = in.path("published");
    return new SavedCondition(
        published.isObject()
            ? new SavedStatus(
                ConditionStatus.parse(published.path("status").asText()),
                published.path("reason").asText(),
                published.path("message").asText(),
                Instant.parse(published.path("lastTransitionTime").asText()),
                Instant.parse(published.path("lastUpdateTime").asText()))
            : null,
        in.path("problem").asBoolean(),
        times(in.path("changes")),
        rules(in.path("rules")),
        history(in.path("history")));
  }

  private static ConditionHistory history(JsonNode in) {
    List<PastStatus> changes = new ArrayList<>();
    in.forEach(change ->
        changes.add(
            new PastStatus(
                Instant.parse(change.path("at").asText()),
                ConditionStatus.parse(change.path("status").asText()),
                change.path("reason").asText(),
                change.path("message").asText())));
    return new ConditionHistory(changes);
  }

  private static Map<String, SavedRule> rules(JsonNode in) {
    Map<String, SavedRule> rules = new LinkedHashMap<>();
    in.properties().forEach(entry -> rules.put(entry.getKey(), rule(entry.getValue())));
    return rules;
  }

  private static SavedRule rule(JsonNode in) {
    return new SavedRule(
        claim(in), claim(in.path("pending")), times(in.path("matches")), rules(in.path("devices")));
  }

  private static @Nullable SavedClaim claim(JsonNode in) {
    return in.has("status")
        ? new SavedClaim(
            ConditionStatus.parse(in.path("status").asText()),
            in.path("message").asText(),
            Instant.parse(in.path("since").asText()))
        : null;
  }

  private static List<Instant> times(JsonNode in) {
    List<Instant> times = new ArrayList<>();
    in.forEach(time -> times.add(Instant.parse(time.asText())));
    return times;
  }

  /**
   * The saved state (B-4).
   *
   * @param bootId the boot it belongs to; invalid in any other
   * @param events the matches that count for the next event, by rule ID
   * @param positions the read positions, by log
   */
  record SavedState(
      String bootId,
      Map<String, SavedCondition> conditions,
      Map<String, SavedRule> events,
      Map<String, String> positions) {
    SavedState { // in their order, so that the same state is the same file
      conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
      events = Collections.unmodifiableMap(new LinkedHashMap<>(events));
      positions = Collections.unmodifiableMap(new LinkedHashMap<>(positions));
    }

    static SavedState none(String bootId) {
      return new SavedState(bootId, Map.of(), Map.of(), Map.of());
    }
  }
}
