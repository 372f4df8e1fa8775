package io.probelet.document.field;

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
   * @param name its name
   * @return the field, whether it is there or not
   */
  public Field field(String name) {
    known.add(name);
    Node.Entry entry = mapping.entries().get(name);
    return entry == null
        ? Field.absent(scope, name, child(name), mapping.at())
        : Field.present(scope, name, child(name), entry.value());
  }

  /**
   * Hands out the field with a name that is data, such as an annotation's key.
   *
   * @param key the name
   * @return the field, its path in brackets
   */
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
   * @param complaint what to say of it
   * @param unused names that are known too, though nobody here reads them
   */
  public void rejectUnknown(String complaint, Set<String> unused) {
    Set<String> all = new LinkedHashSet<>(known);
    all.addAll(unused);
    for (var named : mapping.entries().entrySet()) {
      String name = named.getKey();
      if (!all.contains(name)) {
        unknown(name, named.getValue().nameAt(), complaint, all);
      }
    }
  }

  private void unknown(String name, Position at, String complaint, Set<String> all) {
    String guess =
        scope.problems().isFull()
            ? ""
            : Suggestion.of(name, all).map(meant -> "; did you mean \"" + meant + "\"?").orElse("");
    scope.unknownField(at, child(name), complaint + guess);
  }

  private String child(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
