package io.probelet.document.field;

import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Position;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An object being read: returns its fields and remembers the requested names. */
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
   * Returns a field, whose name then counts as known.
   *
   * @return the field, present or not
   */
  public Field field(String name) {
    known.add(name);
    String written = scope.anyCase() ? written(name) : name;
    Node.Entry entry = mapping.entries().get(written);
    return entry == null
        ? Field.absent(scope, name, child(name), mapping.at())
        : Field.present(scope, written, child(written), entry.value());
  }

  /** As in Go: the exact name first, or else the last that differs only in case. */
  private String written(String name) {
    if (mapping.entries().containsKey(name)) {
      return name;
    }
    return names().stream().filter(name::equalsIgnoreCase).reduce((_, later) -> later).orElse(name);
  }

  /** Returns the field of a map key, such as an annotation's. */
  public Field keyed(String key) {
    known.add(key);
    Node.Entry entry = mapping.entries().get(key);
    String keyPath = path + "[" + key + "]";
    return entry == null
        ? Field.absent(scope, key, keyPath, mapping.at())
        : Field.present(scope, key, keyPath, entry.value());
  }

  /** {@return the object itself as a field, to report problems of the whole} */
  public Field self() {
    return Field.present(scope, path, path, mapping);
  }

  /** {@return the names present, in order} */
  public List<String> names() {
    return List.copyOf(mapping.entries().keySet());
  }

  /**
   * {@return the number of errors of the document so far; if unchanged afterwards, everything was
   * valid}
   */
  public int errors() {
    return scope.problems().errors();
  }

  /**
   * Reports every field that was not requested.
   *
   * @param unused further known names that are not read
   */
  public void rejectUnknown(Set<String> unused) {
    rejectUnknown("unknown field", unused);
  }

  /**
   * Reports every field that was not requested.
   *
   * @param severity the severity of an unknown field
   */
  public void rejectUnknown(Severity severity, String complaint) {
    rejectUnknown(severity, complaint, Set.of());
  }

  /**
   * Reports every field that was not requested.
   *
   * @param unused further known names that are not read
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
    return scope.problems().isFull() ? "" : Suggestion.question(name, all);
  }

  private String child(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
