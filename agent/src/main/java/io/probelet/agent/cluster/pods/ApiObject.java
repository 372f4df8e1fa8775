package io.probelet.agent.cluster.pods;

import io.probelet.agent.manifest.tree.Document;
import io.probelet.agent.manifest.tree.Node;
import io.probelet.agent.manifest.tree.Node.Mapping;
import io.probelet.agent.manifest.tree.Node.Scalar;
import io.probelet.agent.manifest.tree.Position;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** JSON objects of the API server, without the part of them that is about the API server itself. */
final class ApiObject {
  /** Who set which field: half of a pod's text, and nothing that probing needs. */
  private static final Set<String> LEFT_OUT = Set.of("managedFields");

  /** An object without fields. */
  static final Mapping NOTHING = new Mapping(Position.START, Map.of());

  private ApiObject() {}

  /** Reads one; empty if the text is none. */
  static Optional<Mapping> read(String json) {
    return Document.ofProgram(json, LEFT_OUT).root() instanceof Mapping object
        ? Optional.of(object)
        : Optional.empty();
  }

  /** Returns an object that is a field of another; one without fields if there is none. */
  static Mapping child(Mapping object, String name) {
    return value(object, name) instanceof Mapping child ? child : NOTHING;
  }

  /** Returns a text that is a field of an object, empty if there is none. */
  static String text(Mapping object, String name) {
    return value(object, name) instanceof Scalar scalar ? scalar.text() : "";
  }

  private static @Nullable Node value(Mapping object, String name) {
    Node.Entry entry = object.entries().get(name);
    return entry == null ? null : entry.value();
  }
}
