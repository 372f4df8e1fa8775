package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.name.DnsName;
import io.probelet.document.name.QualifiedName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The API server's rules for fields of a pod that Probelet does not use. Of affinity, sources of
 * volumes and newer fields it checks only the types.
 */
final class PodFieldRules {
  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
  private static final List<String> SELECTOR_OPERATORS = List.of("Equal", "Exists");
  private static final int MAX_HOST_NAME = 63;
  private static final String ID_RULE = "must be between 0 and 2147483647, inclusive";

  private PodFieldRules() {}

  /**
   * Checks a pod whose values have valid types.
   *
   * @param furtherVolumes volumes that it has besides its own
   */
  static void check(
      Fields metadata, Fields spec, Mode mode, boolean inCluster, Set<String> furtherVolumes) {
    Field prefix = metadata.field("generateName");
    if (!prefix.text("").isEmpty()) {
      DnsName.SUBDOMAIN.check(prefix, prefix.text("").replaceFirst("-$", "a"));
    }
    LabelRules.labels(metadata.field("labels"));
    LabelRules.annotations(metadata.field("annotations").object());
    for (Field finalizer : metadata.field("finalizers").items()) {
      if (!QualifiedName.isValid(finalizer.text("")) || !finalizer.text("").contains("/")) {
        finalizer.invalid("must be a name with a domain, such as example.com/name");
      }
    }
    deadline(spec.field("activeDeadlineSeconds"));
    dns(spec);
    hostName(spec.field("hostname"));
    hostName(spec.field("subdomain"));
    nameOf(spec.field("nodeName"));
    LabelRules.labels(spec.field("nodeSelector"));
    spec.field("tolerations").items().forEach(PodFieldRules::toleration);
    spec.field("hostAliases").items().forEach(PodFieldRules::hostAlias);
    ids(spec.field("securityContext"), "runAsUser", "runAsGroup", "fsGroup");
    sysctls(spec.field("securityContext"));
    Set<String> volumes = volumes(spec.field("volumes"));
    volumes.addAll(furtherVolumes);
    Set<String> claims = names(spec.field("resourceClaims"));
    boolean hostNetwork = spec.field("hostNetwork").bool(false);
    for (String list : List.of("initContainers", "containers")) {
      HostPorts ports = new HostPorts(hostNetwork && list.equals("containers"));
      for (Field item : spec.field(list).items()) {
        Fields container = item.object();
        if (container != null) {
          ContainerFieldRules.image(container.field("image"), inCluster);
          ContainerFieldRules.check(container, mode, volumes, claims);
          ports.check(container.field("ports"));
        }
      }
    }
  }

  private static void deadline(Field field) {
    if (field.isPresent() && (field.int64(1) < 1 || field.int64(1) > Integer.MAX_VALUE)) {
      field.invalid("must be between 1 and 2147483647, inclusive");
    }
  }

  private static void dns(Fields spec) {
    Field policy = spec.field("dnsPolicy");
    String word = policy.text("");
    if (!word.isEmpty() && !DNS_POLICIES.contains(word)) {
      policy.unsupported(DNS_POLICIES);
    } else if (word.equals("None")) {
      Fields config = spec.field("dnsConfig").object();
      if (config == null || config.field("nameservers").items().isEmpty()) {
        spec.field("dnsConfig").required("must name servers when dnsPolicy is None");
      }
    }
  }

  private static void hostName(Field field) {
    String name = field.text("");
    if (name.length() > MAX_HOST_NAME) {
      field.invalid("must be no more than " + MAX_HOST_NAME + " characters");
    } else if (!name.isEmpty()) {
      DnsName.LABEL.check(field, name);
    }
  }

  private static void nameOf(Field field) {
    String name = field.text("");
    if (!name.isEmpty()) {
      DnsName.SUBDOMAIN.check(field, name);
    }
  }

  private static void toleration(Field item) {
    Fields toleration = item.objectOrEmpty();
    if (toleration == null) {
      return;
    }
    Field operator = toleration.field("operator");
    String key = toleration.field("key").text("");
    String word = operator.text("");
    if (key.isEmpty() && !word.equals("Exists")) {
      operator.invalid("must be Exists when there is no key");
    } else if (!key.isEmpty()) {
      LabelRules.qualifiedName(toleration.field("key"));
    }
    switch (word) {
      case "", "Equal" -> LabelRules.value(toleration.field("value"));
      case "Exists" -> {
        if (!toleration.field("value").text("").isEmpty()) {
          toleration.field("value").invalid("must be empty when the operator is Exists");
        }
      }
      default -> operator.unsupported(SELECTOR_OPERATORS);
    }
    Field effect = toleration.field("effect");
    if (!effect.text("").isEmpty() && !EFFECTS.contains(effect.text(""))) {
      effect.unsupported(EFFECTS);
    } else if (toleration.field("tolerationSeconds").isPresent()
        && !effect.text("").equals("NoExecute")) {
      effect.invalid("must be NoExecute when tolerationSeconds is given");
    }
  }

  private static void hostAlias(Field item) {
    Fields alias = item.object();
    if (alias == null) {
      return;
    }
    if (!IpAddress.isValid(alias.field("ip").text(""))) {
      alias.field("ip").invalid("must be an IP address");
    }
    for (Field name : alias.field("hostnames").items()) {
      DnsName.SUBDOMAIN.check(name, name.text(""));
    }
  }

  /** Numbers of users and groups. */
  static void ids(Field securityContext, String... names) {
    Fields context = securityContext.object();
    if (context == null) {
      return;
    }
    for (String name : names) {
      Field id = context.field(name);
      if (id.isPresent() && (id.int64(0) < 0 || id.int64(0) > Integer.MAX_VALUE)) {
        id.invalid(ID_RULE);
      }
    }
  }

  private static void sysctls(Field securityContext) {
    Fields context = securityContext.object();
    if (context == null) {
      return;
    }
    for (Field item : context.field("sysctls").items()) {
      Fields sysctl = item.objectOrEmpty();
      if (sysctl != null
          && !sysctl
              .field("name")
              .text("")
              .matches("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?")) {
        sysctl.field("name").invalid("must be a name such as kernel.shm_rmid_forced");
      }
    }
  }

  private static Set<String> volumes(Field list) {
    Set<String> names = new HashSet<>();
    for (Field item : list.items()) {
      Fields volume = item.objectOrEmpty();
      if (volume == null) {
        continue;
      }
      Field name = volume.field("name");
      if (name.text("").isEmpty()) {
        name.required("the volume's name");
      } else {
        DnsName.LABEL.check(name, name.text(""));
        if (!names.add(name.text(""))) {
          name.duplicate("another volume has this name");
        }
      }
      List<String> sources =
          volume.names().stream()
              .filter(source -> !source.equals("name") && volume.field(source).isPresent())
              .toList();
      if (sources.size() > 1) {
        volume.field(sources.getLast()).forbidden("may not specify more than 1 volume type");
      }
    }
    return names;
  }

  private static Set<String> names(Field list) {
    Set<String> names = new HashSet<>();
    for (Field item : list.items()) {
      Fields fields = item.object();
      if (fields != null) {
        names.add(fields.field("name").text(""));
      }
    }
    return names;
  }
}
