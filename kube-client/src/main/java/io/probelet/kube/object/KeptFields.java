package io.probelet.kube.object;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of an object are kept. What identifies an object is always kept: namespace, name,
 * uid and resourceVersion. Nobody needs its managed fields, they never are.
 */
public final class KeptFields {
  /** Keeps all fields. */
  public static final KeptFields ALL = new KeptFields(null);

  private static final String METADATA = "metadata";

  /** Null for everything below. */
  private final @Nullable Map<String, KeptFields> fields;

  private KeptFields(@Nullable Map<String, KeptFields> fields) {
    this.fields = fields;
  }

  /**
   * {@return what keeps some fields, each with all that is in it}
   *
   * @param pointers JSON pointers such as {@code /status/phase}, without indexes: an array's
   *     elements are read as the array's field says. A slash in a name is {@code ~1}.
   */
  public static KeptFields of(String... pointers) {
    KeptFields root = new KeptFields(new HashMap<>());
    for (String pointer : pointers) {
      root.add(pointer);
    }
    return root;
  }

  private void add(String pointer) {
    String[] names = pointer.substring(1).split("/", -1);
    Map<String, KeptFields> at = fields;
    for (int i = 0; i < names.length && at != null; i++) {
      String name = names[i].replace("~1", "/").replace("~0", "~");
      boolean last = i == names.length - 1;
      KeptFields next = last ? ALL : at.computeIfAbsent(name, _ -> new KeptFields(new HashMap<>()));
      at.put(name, next);
      at = next.fields;
    }
  }

  /** {@return what is kept of a field; null if nothing is} */
  @Nullable KeptFields in(String field) {
    return fields == null ? this : fields.get(field);
  }

  /** {@return whether the API server need not send more than the object's metadata} */
  public boolean isMetadataOnly() {
    return fields != null && (fields.isEmpty() || fields.keySet().equals(Set.of(METADATA)));
  }
}
