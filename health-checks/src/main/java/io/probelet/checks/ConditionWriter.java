package io.probelet.checks;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.condition.ConditionJson;
import io.probelet.checks.result.ConditionUpdate;
import io.probelet.health.Condition;
import io.probelet.health.TimeSource;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes updates into an object's {@code status.conditions} beside those of others (CH-2), on the
 * newest object when somebody else was faster (CC-12), and not at all when nothing changes.
 */
final class ConditionWriter<T extends HasMetadata> {
  private static final Logger LOG = LoggerFactory.getLogger(ConditionWriter.class);
  private static final int ATTEMPTS = 5;

  private final ResourceAccess<T> access;
  private final KubernetesClient client;
  private final Set<String> removedTypes;
  private final TimeSource time;

  ConditionWriter(
      ResourceAccess<T> access,
      KubernetesClient client,
      Set<String> removedTypes,
      TimeSource time) {
    this.access = access;
    this.client = client;
    this.removedTypes = removedTypes;
    this.time = time;
  }

  /** Tries on the object as it was seen first, then on what the API server has. */
  void write(T seen, Map<String, ConditionUpdate> updates) {
    // Kubernetes writes times in whole seconds; what is read back must compare equal.
    Instant now = time.wallTime().truncatedTo(ChronoUnit.SECONDS);
    T object = seen;
    for (int attempt = 1; ; attempt++) {
      ConditionList before = ConditionList.of(access.conditions(object));
      ConditionList after = before.without(removedTypes);
      List<Condition> changed = new ArrayList<>();
      for (Map.Entry<String, ConditionUpdate> update : updates.entrySet()) {
        Condition old = before.getOrInitial(update.getKey(), now);
        Condition said = update.getValue().applyTo(old, now);
        if (!said.equals(old)) {
          changed.add(said);
        }
        after = after.with(said);
      }
      if (after.equals(before)) {
        return;
      }
      try {
        access.patchConditions(client, object, after.list());
        changed.forEach(condition -> log(seen, condition));
        return;
      } catch (KubernetesClientException e) {
        if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
          throw e;
        }
      }
      T newest = access.read(client, object);
      if (newest == null || !isSame(newest, seen)) {
        return;
      }
      object = newest;
    }
  }

  /** One that was made anew has the name, but not what was found of the one before it. */
  private static boolean isSame(HasMetadata one, HasMetadata other) {
    return Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid());
  }

  private void log(T object, Condition condition) {
    LOG.info(
        "condition changed kind={} namespace={} name={} type={} status={} reason={} message=\"{}\"",
        object.getKind(),
        object.getMetadata().getNamespace(),
        object.getMetadata().getName(),
        condition.type(),
        condition.status(),
        condition.reason(),
        condition.message());
  }

  /** An object's conditions as they are written, so that others' fields survive unread. */
  private record ConditionList(List<JsonNode> list) {

    static ConditionList of(JsonNode conditions) {
      List<JsonNode> list = new ArrayList<>();
      conditions.forEach(list::add);
      return new ConditionList(List.copyOf(list));
    }

    Condition getOrInitial(String type, Instant now) {
      return list.stream()
          .filter(condition -> ConditionJson.type(condition).equals(type))
          .findFirst()
          .flatMap(ConditionJson::read)
          .orElseGet(() -> Condition.initial(type, now));
    }

    ConditionList without(Set<String> types) {
      return new ConditionList(
          list.stream()
              .filter(condition -> !types.contains(ConditionJson.type(condition)))
              .toList());
    }

    ConditionList with(Condition said) {
      JsonNode written = ConditionJson.write(said);
      List<JsonNode> merged = new ArrayList<>();
      boolean placed = false;
      for (JsonNode condition : list) {
        if (!ConditionJson.type(condition).equals(said.type())) {
          merged.add(condition);
        } else if (!placed) {
          merged.add(written);
          placed = true;
        }
      }
      if (!placed) {
        merged.add(written);
      }
      return new ConditionList(List.copyOf(merged));
    }
  }
}
