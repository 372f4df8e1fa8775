package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The API server's rules for fields of a container that Probelet does not use. */
final class ContainerFieldRules {
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");
  private static final List<String> PROC_MOUNTS = List.of("Default", "Unmasked");

  private ContainerFieldRules() {}

  static void check(Fields container, Mode mode, Set<String> volumes, Set<String> claims) {
    oneOf(container.field("imagePullPolicy"), PULL_POLICIES);
    oneOf(container.field("terminationMessagePolicy"), MESSAGE_POLICIES);
    // local processes do not support them, which is reported elsewhere
    if (mode == Mode.PROBES_ONLY) {
      EnvSourceRules.check(container);
    }
    ResourceRules.check(container.field("resources"), claims);
    mounts(container.field("volumeMounts"), volumes);
    security(container.field("securityContext"));
  }

  /** A cluster needs the image to run the container; a prober or a local process does not. */
  static void image(Field field, boolean inCluster) {
    String image = field.text("");
    if (image.isEmpty() && inCluster) {
      field.required("the image to run");
    } else if (!image.strip().equals(image)) {
      field.invalid("must not have leading or trailing whitespace");
    }
  }

  private static void oneOf(Field field, List<String> words) {
    if (!field.text("").isEmpty() && !words.contains(field.text(""))) {
      field.unsupported(words);
    }
  }

  private static void mounts(Field list, Set<String> volumes) {
    Set<String> paths = new HashSet<>();
    for (Field item : list.items()) {
      Fields mount = item.objectOrEmpty();
      if (mount == null) {
        continue;
      }
      Field name = mount.field("name");
      if (name.text("").isEmpty()) {
        name.required("the name of a volume");
      } else if (!volumes.contains(name.text(""))) {
        name.error(
            Complaint.NOT_FOUND,
            "Not found: \"%s\": the pod has no such volume".formatted(name.text("")));
      }
      Field path = mount.field("mountPath");
      if (path.text("").isEmpty()) {
        path.required("where it is mounted");
      } else if (!paths.add(path.text(""))) {
        path.invalid("must be unique");
      }
      descending(mount.field("subPath"));
      descending(mount.field("subPathExpr"));
      if (!mount.field("subPath").text("").isEmpty()
          && !mount.field("subPathExpr").text("").isEmpty()) {
        mount.field("subPathExpr").invalid("must not be set together with subPath");
      }
    }
  }

  private static void descending(Field field) {
    String path = field.text("");
    if (path.startsWith("/")) {
      field.invalid("must be a relative path");
    } else if (List.of(path.split("/", -1)).contains("..")) {
      field.invalid("must not contain '..'");
    }
  }

  private static void security(Field field) {
    PodFieldRules.ids(field, "runAsUser", "runAsGroup");
    Fields context = field.object();
    if (context == null) {
      return;
    }
    oneOf(context.field("procMount"), PROC_MOUNTS);
    if (context.field("privileged").bool(false)
        && !context.field("allowPrivilegeEscalation").bool(true)) {
      context
          .field("allowPrivilegeEscalation")
          .invalid("must not be false if privileged is" + " true");
    }
  }
}
