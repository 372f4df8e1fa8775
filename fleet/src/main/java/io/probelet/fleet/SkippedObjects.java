package io.probelet.fleet;

import io.probelet.kube.object.BoundedObject.TooLarge;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The objects of a kind that are too large to be read. Their authors decide how many there are: the
 * first are remembered, the others counted. Not safe for use by several threads.
 */
final class SkippedObjects {
  /** Objects that are remembered. */
  static final int MAX_KNOWN = 1_000;

  private static final int MAX_NAMED = 3;

  private final TreeMap<String, String> known = new TreeMap<>();
  private final Set<String> seen = new HashSet<>();
  private boolean more;
  private boolean moreSeen;

  /** An object was skipped. */
  void add(TooLarge object) {
    String namespace = object.identity().at("/metadata/namespace").asText("");
    String name = object.identity().at("/metadata/name").asText("");
    String key = namespace.isEmpty() ? name : namespace + "/" + name;
    if (known.size() < MAX_KNOWN || known.containsKey(key)) {
      known.put(key, FleetText.of(object.text(), FleetText.SENTENCE));
      seen.add(key);
    } else {
      more = true;
      moreSeen = true;
    }
  }

  /** An object was read, or is gone. */
  void remove(String key) {
    known.remove(key);
    seen.remove(key);
  }

  /** A list has ended: what was not skipped since the one before is gone, or was read. */
  void listed() {
    known.keySet().retainAll(seen);
    seen.clear();
    more = moreSeen;
    moreSeen = false;
  }

  void clear() {
    known.clear();
    seen.clear();
    more = false;
    moreSeen = false;
  }

  /** {@return which objects are skipped and why, in a line; empty if none} */
  String text() {
    if (known.isEmpty()) {
      return "";
    }
    List<String> named = new ArrayList<>(known.values());
    int others = named.size() - MAX_NAMED;
    String first =
        "skipped: " + String.join(", ", named.subList(0, Math.min(MAX_NAMED, named.size())));
    if (more) {
      return first + " and more than " + others + " others";
    }
    return others > 0 ? first + " and " + others + " others" : first;
  }
}
