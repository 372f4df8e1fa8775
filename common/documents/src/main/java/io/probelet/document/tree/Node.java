package io.probelet.document.tree;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of a document with its position. Aliases are resolved, so a node may occur more than
 * once.
 */
public sealed interface Node {
  /** {@return the position of the value} */
  Position at();

  /** Named values, in the order of the text. */
  record Mapping(Position at, Map<String, Entry> entries) implements Node {
    /** Keeps an unmodifiable copy of the entries, in their order. */
    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    /**
     * {@return the value of a name; null if there is none}
     *
     * @param name any
     */
    public @Nullable Node value(String name) {
      Entry entry = entries.get(name);
      return entry == null ? null : entry.value();
    }
  }

  /** One named value. */
  record Entry(Position nameAt, Node value) {}

  /** A list. */
  record Sequence(Position at, List<Node> items) implements Node {
    /** Keeps an unmodifiable copy of the items. */
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /**
   * A single value.
   *
   * @param text the text, quotes and escapes resolved; otherwise as written
   */
  record Scalar(Position at, ScalarType type, String text) implements Node {}
}
