package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.runtime.confine.Capability;
import io.probelet.runtime.confine.CapabilityChange;
import io.probelet.runtime.confine.Confinement;
import io.probelet.runtime.confine.Limits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the restrictions of containers that run as local processes, and rejects those that cannot
 * be enforced on a process. Conditions of the machine, such as available control groups, are
 * checked when the container starts.
 */
final class SecurityReader {
  private static final String CONTEXT = "securityContext";
  private static final String NON_ROOT = "runAsNonRoot";
  private static final String ALL = "ALL";
  private static final String LOCALHOST = "Localhost";
  private static final String RUNTIME_DEFAULT = "RuntimeDefault";
  private static final List<String> PROFILES = List.of(LOCALHOST, RUNTIME_DEFAULT, "Unconfined");
  private static final List<String> GROUP_POLICIES = List.of("Merge", "Strict");

  private final @Nullable Integer podUser;
  private final @Nullable Integer podGroup;
  private final @Nullable Boolean podNonRoot;
  private final List<Integer> groups;

  private SecurityReader(
      @Nullable Integer podUser,
      @Nullable Integer podGroup,
      @Nullable Boolean podNonRoot,
      List<Integer> groups) {
    this.podUser = podUser;
    this.podGroup = podGroup;
    this.podNonRoot = podNonRoot;
    this.groups = groups;
  }

  /** Reads the pod's settings for all of its containers. */
  static SecurityReader of(Fields spec) {
    if (!spec.field("hostUsers").bool(true)) {
      spec.field("hostUsers").forbidden("must be true: local processes use this machine's users");
    }
    if (spec.field("runtimeClassName").isPresent()) {
      spec.field("runtimeClassName")
          .warning(
              Complaint.NO_EFFECT,
              "has no effect: the containers run as local processes without a sandbox");
    }
    LimitsReader.refuse(spec.field("resources"));
    Fields context = spec.field(CONTEXT).objectOrEmpty();
    if (context == null) {
      return new SecurityReader(null, null, null, List.of());
    }
    List<Integer> groups = new ArrayList<>();
    for (Field item : context.field("supplementalGroups").items()) {
      Integer group = id(item);
      if (group != null) {
        groups.add(group);
      }
    }
    Integer volumes = id(context.field("fsGroup"));
    if (volumes != null) {
      groups.add(volumes);
    }
    Field policy = context.field("supplementalGroupsPolicy");
    if (policy.isPresent() && !GROUP_POLICIES.contains(policy.text(""))) {
      policy.unsupported(GROUP_POLICIES);
    }
    Field sysctls = context.field("sysctls");
    if (!sysctls.items().isEmpty()) {
      sysctls.forbidden("they would change this machine as a whole");
    }
    SecurityReader reader =
        new SecurityReader(
            id(context.field("runAsUser")),
            id(context.field("runAsGroup")),
            truth(context.field(NON_ROOT)),
            List.copyOf(groups));
    refuseProfiles(context);
    context.rejectUnknown(Set.of("fsGroupChangePolicy", "seLinuxChangePolicy"));
    return reader;
  }

  /** Reads the restrictions of one container; its own settings override the pod's. */
  Confinement read(Fields container) {
    Limits limits = LimitsReader.read(container.field("resources"));
    Fields context = container.field(CONTEXT).objectOrEmpty();
    if (context == null) {
      return Confinement.NONE;
    }
    Integer user = id(context.field("runAsUser"));
    Integer group = id(context.field("runAsGroup"));
    Boolean nonRoot = truth(context.field(NON_ROOT));
    Integer finalUser = user != null ? user : podUser;
    boolean finalNonRoot =
        Objects.requireNonNullElse(nonRoot != null ? nonRoot : podNonRoot, false);
    if (finalNonRoot && finalUser != null && finalUser == 0) {
      context.field(NON_ROOT).forbidden("runAsUser is 0, which is root");
    }
    CapabilityChange capabilities = capabilities(context.field("capabilities"), finalUser);
    boolean sealed = !context.field("allowPrivilegeEscalation").bool(true);
    if (context.field("privileged").bool(false)) {
      context
          .field("privileged")
          .forbidden("a local process cannot have more privileges than Probelet");
    }
    if (context.field("readOnlyRootFilesystem").bool(false)) {
      context
          .field("readOnlyRootFilesystem")
          .forbidden(
              "a local process uses this machine's file system and cannot be prevented from"
                  + " writing");
    }
    Field procMount = context.field("procMount");
    if (procMount.isPresent() && !procMount.text("").equals("Unmasked")) {
      procMount.warning(Complaint.NO_EFFECT, "has no effect: a local process sees all of /proc");
    }
    refuseProfiles(context);
    context.rejectUnknown(Set.of());
    return new Confinement(
        finalUser,
        group != null ? group : podGroup,
        finalNonRoot,
        groups,
        sealed,
        capabilities,
        limits);
  }

  private static CapabilityChange capabilities(Field field, @Nullable Integer user) {
    Fields change = field.objectOrEmpty();
    if (change == null) {
      return CapabilityChange.NONE;
    }
    Set<Capability> add = new HashSet<>();
    Set<Capability> drop = new HashSet<>();
    boolean addAll = read(change.field("add"), add);
    boolean dropAll = read(change.field("drop"), drop);
    change.rejectUnknown(Set.of());
    if (user != null && user != 0 && (addAll || !add.isEmpty())) {
      change.field("add").warning("have no effect for users other than root, as in Kubernetes");
    }
    return new CapabilityChange(addAll, add, dropAll, drop);
  }

  /** Whether the list contains ALL. */
  private static boolean read(Field list, Set<Capability> into) {
    boolean all = false;
    for (Field item : list.items()) {
      int errors = item.errors();
      String name = item.text("");
      if (name.toUpperCase(Locale.ROOT).equals(ALL)) {
        all = true;
      } else if (item.errors() == errors) {
        Capability.of(name)
            .ifPresentOrElse(
                into::add,
                () -> item.invalid("must be ALL or a capability of Linux, such as NET_RAW"));
      }
    }
    return all;
  }

  private static void refuseProfiles(Fields context) {
    profile(
        context.field("seccompProfile"),
        "there is no container runtime with a default profile; no system call is filtered");
    profile(
        context.field("appArmorProfile"),
        "there is no container runtime with a default profile; the process runs unconfined");
    for (String name : List.of("seLinuxOptions", "windowsOptions")) {
      if (context.field(name).isPresent()) {
        context.field(name).forbidden("cannot be applied to a local process");
      }
    }
  }

  private static void profile(Field field, String withoutDefault) {
    Fields profile = field.object();
    if (profile == null) {
      return;
    }
    Field type = profile.field("type");
    String word = type.text("");
    switch (word) {
      case LOCALHOST -> field.forbidden("profiles cannot be applied to local processes");
      case RUNTIME_DEFAULT ->
          field.warning(Complaint.NO_EFFECT, "has no effect: " + withoutDefault);
      default -> {
        if (!PROFILES.contains(word)) {
          type.unsupported(PROFILES);
        }
      }
    }
  }

  private static @Nullable Boolean truth(Field field) {
    return field.isPresent() ? Boolean.valueOf(field.bool(false)) : null;
  }

  private static @Nullable Integer id(Field field) {
    if (!field.isPresent()) {
      return null;
    }
    int errors = field.errors();
    int id = field.int32(0);
    if (field.errors() != errors) {
      return null;
    }
    if (id < 0) {
      field.invalid("must be between 0 and 2147483647, inclusive");
      return null;
    }
    return id;
  }
}
