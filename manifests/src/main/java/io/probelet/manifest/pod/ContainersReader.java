package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.probe.DeclaredProbes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads all containers of a pod and checks that their names differ. */
final class ContainersReader {
  private final ContainerReader reader;
  private final Map<String, String> pathsByName = new HashMap<>();

  ContainersReader(ContainerReader reader) {
    this.reader = reader;
  }

  /** Returns the init containers in order, including sidecars. */
  List<ReadContainer> init(Field list) {
    return read(list, true);
  }

  /** Returns the regular containers in order. */
  List<ReadContainer> regular(Field list) {
    int errors = list.errors();
    List<ReadContainer> containers = read(list, false);
    if (list.errors() == errors && containers.isEmpty()) {
      list.required("a pod needs at least one container");
    }
    return containers;
  }

  /** Ephemeral containers are added to running pods; a manifest cannot contain them. */
  void ephemeral(Field list) {
    for (Field item : list.items()) {
      Fields container = item.object();
      if (container != null) {
        DeclaredProbes.forbid(container, "cannot be set for an Ephemeral Container");
      }
    }
    if (!list.items().isEmpty()) {
      list.warning("ephemeral containers are neither started nor probed");
    }
  }

  private List<ReadContainer> read(Field list, boolean init) {
    List<ReadContainer> containers = new ArrayList<>();
    for (Field item : list.items()) {
      Fields fields = item.objectOrEmpty();
      if (fields == null) {
        continue;
      }
      ReadContainer container = reader.read(fields, init);
      containers.add(container);
      Field name = fields.field("name");
      if (!container.name().isEmpty()) {
        String earlier = pathsByName.putIfAbsent(container.name(), item.path());
        if (earlier != null) {
          name.duplicate(earlier + " has this name");
        }
      }
    }
    return containers;
  }
}
