package io.probelet.document.field;

import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Position;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An object being read: hands out its fields and remembers which names it was asked for. */
public final class Fields {
  private final Scope scope;
  private final String path;
  private final Mapping mapping;
  private final Set<String> known = new LinkedHashSet<>();

  Fields(Scope scope, String path, Mapping mapping) {
    this.scope = scope;
    this.path = path;
    this.mapping = mapping;
  }

  /**
   * Hands out one field, which from now on counts as known.
   *
   * @return the field, whether it is there or not
   */
  public Field field(String name) {
    known.add(name);
    String written = scope.anyCase() ? written(name) : name;
    Node.Entry entry = mapping.entries().get(written);
    return entry == null
        ? Field.absent(scope, name, child(name), mapping.at())
        : Field.present(scope, written, child(written), entry.value());
  }

  /** As Go does: the very name first, or else the last that differs only in its case. */
  private String written(String name) {
    if (mapping.entries().containsKey(name)) {
      return name;
    }
    return names().stream().filter(name::equalsIgnoreCase).reduce((_, later) -> later).orElse(name);
  }

  /** Hands out the field with a name that is data, such as an annotation's key. */
  public Field keyed(String key) {
    known.add(key);
    Node.Entry entry = mapping.entries().get(key);
    String keyPath = path + "[" + key + "]";
    return entry == null
        ? Field.absent(scope, key, keyPath, mapping.at())
        : Field.present(scope, key, keyPath, entry.value());
  }

  /** {@return the object itself as a field, to complain about it as a whole} */
  public Field self() {
    return Field.present(scope, path, path, mapping);
  }

  /** {@return the names there are, in order} */
  public List<String> names() {
    return List.copyOf(mapping.entries().keySet());
  }

  /** {@return how many errors the document has so far; the same afterwards means all was good} */
  public int errors() {
    return scope.problems().errors();
  }

  /**
   * Complains about every field that was not asked for.
   *
   * @param unused names that are known too, though nobody here reads them
   */
  public void rejectUnknown(Set<String> unused) {
    rejectUnknown("unknown field", unused);
  }

  /**
   * Complains about every field that was not asked for.
   *
   * @param severity how bad that is here
   */
  public void rejectUnknown(Severity severity, String complaint) {
    rejectUnknown(severity, complaint, Set.of());
  }

  /**
   * Complains about every field that was not asked for.
   *
   * @param unused names that are known too, though nobody here reads them
   */
  public void rejectUnknown(String complaint, Set<String> unused) {
    rejectUnknown(scope.unknownFields(), complaint, unused);
  }

  private void rejectUnknown(Severity severity, String complaint, Set<String> unused) {
    Set<String> all = new LinkedHashSet<>(known);
    all.addAll(unused);
    for (var named : mapping.entries().entrySet()) {
      String name = named.getKey();
      boolean isKnown =
          all.contains(name) || (scope.anyCase() && all.stream().anyMatch(name::equalsIgnoreCase));
      if (!isKnown) {
        Position at = named.getValue().nameAt();
        scope
            .problems()
            .add(severity, at, child(name), Complaint.UNKNOWN_FIELD, complaint + guess(name, all));
      }
    }
  }

  private String guess(String name, Set<String> all) {
    return scope.problems().isFull()
        ? ""
        : Suggestion.of(name, all).map(meant -> "; did you mean \"" + meant + "\"?").orElse("");
  }

  private String child(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
