package io.probelet.kube.object;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object to keep. Namespace, name, uid and resourceVersion are always kept;
 * managed fields never are.
 */
public final class KeptFields {
  /** Keeps all fields. */
  public static final KeptFields ALL = new KeptFields(null, true);

  private static final KeptFields NOTHING = new KeptFields(Map.of(), false);

  private static final String METADATA = "metadata";

  /** Null keeps everything below. */
  private final @Nullable Map<String, KeptFields> fields;

  private final boolean others;

  private KeptFields(@Nullable Map<String, KeptFields> fields, boolean others) {
    this.fields = fields;
    this.others = others;
  }

  /**
   * {@return an instance that keeps some fields, each with its whole content}
   *
   * @param pointers JSON pointers such as {@code /status/phase}, without indexes: an array's
   *     elements are read as the array's field says. A slash in a name is {@code ~1}.
   */
  public static KeptFields of(String... pointers) {
    return of(false, ALL, pointers);
  }

  /** {@return an instance that keeps all fields but some} */
  public static KeptFields allBut(String... pointers) {
    return of(true, NOTHING, pointers);
  }

  private static KeptFields of(boolean others, KeptFields named, String... pointers) {
    KeptFields root = new KeptFields(new HashMap<>(), others);
    for (String pointer : pointers) {
      root.add(pointer, named);
    }
    return root;
  }

  private void add(String pointer, KeptFields named) {
    String[] names = pointer.substring(1).split("/", -1);
    Map<String, KeptFields> at = fields;
    for (int i = 0; i < names.length && at != null; i++) {
      String name = names[i].replace("~1", "/").replace("~0", "~");
      boolean last = i == names.length - 1;
      KeptFields next =
          last ? named : at.computeIfAbsent(name, _ -> new KeptFields(new HashMap<>(), others));
      at.put(name, next);
      at = next.fields;
    }
  }

  /** {@return what to keep of a field; null for nothing} */
  @SuppressWarnings("ReferenceEquality") // NOTHING is one object
  @Nullable KeptFields in(String field) {
    if (fields == null) {
      return this;
    }
    KeptFields kept = fields.get(field);
    if (kept == null) {
      return others ? ALL : null;
    }
    return kept == NOTHING ? null : kept;
  }

  /** {@return whether the object's metadata is sufficient} */
  public boolean isMetadataOnly() {
    return fields != null
        && !others
        && (fields.isEmpty() || fields.keySet().equals(Set.of(METADATA)));
  }
}
