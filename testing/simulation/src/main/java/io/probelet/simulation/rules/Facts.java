package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.Collections;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The objects of the API server after all events so far. */
public final class Facts {
  private final TreeMap<String, JsonNode> objects = new TreeMap<>();

  void saw(WorldEvent event) {
    if (event instanceof Restored restored) {
      objects.clear();
      objects.putAll(restored.objects());
    } else if (event instanceof Written written) {
      if (written.after() == null) {
        objects.remove(written.path());
      } else {
        objects.put(written.path(), written.after());
      }
    }
  }

  /** {@return an object, if it exists} */
  public Optional<JsonNode> object(String path) {
    return Optional.ofNullable(objects.get(path));
  }

  /** {@return all objects of a kind, in the order of their paths} */
  public Stream<JsonNode> all(String kind) {
    return objects.values().stream().filter(each -> ObjectFields.kind(each).equals(kind));
  }

  /** {@return all objects by path, as a view} */
  public SequencedMap<String, JsonNode> objects() {
    return Collections.unmodifiableSortedMap(objects);
  }
}
