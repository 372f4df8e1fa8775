package io.probelet.document.tree;

import org.jspecify.annotations.Nullable;

/** A parser event, the same for YAML and JSON. */
sealed interface TreeEvent {
  Position at();

  /** A mapping begins: names and values follow in turn, then {@link End}. */
  record MappingStart(Position at, @Nullable String anchor) implements TreeEvent {}

  /** A list begins: its items follow, then {@link End}. */
  record SequenceStart(Position at, @Nullable String anchor) implements TreeEvent {}

  /** A single value; {@code plain} if it has neither quotes nor a tag. */
  record Value(Position at, @Nullable String anchor, ScalarType type, String text, boolean plain)
      implements TreeEvent {}

  /** An alias of an anchored value. */
  record Alias(Position at, String anchor) implements TreeEvent {}

  /** The innermost mapping or list ends. */
  record End(Position at) implements TreeEvent {}

  /** The end of the document. */
  record Done(Position at) implements TreeEvent {}
}
