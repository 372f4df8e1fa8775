package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.name.DnsName;
import io.probelet.document.name.QualifiedName;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for sources of variables in a cluster. */
final class EnvSourceRules {
  private static final List<String> SOURCES =
      List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");
  private static final List<String> ENV_FROM = List.of("configMapRef", "secretRef");
  private static final List<String> PATHS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");
  private static final Pattern SUBSCRIPT =
      Pattern.compile("metadata\\.(labels|annotations)\\['(.*)']");
  private static final List<String> RESOURCES =
      List.of(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");
  private static final Pattern HUGE_PAGES = Pattern.compile("(limits|requests)\\.hugepages-.*");
  private static final List<String> CPU_DIVISORS = List.of("1m", "1");
  private static final List<String> BYTE_DIVISORS =
      List.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

  private EnvSourceRules() {}

  static void check(Fields container) {
    for (Field item : container.field("env").items()) {
      Fields variable = item.object();
      if (variable != null) {
        valueFrom(variable.field("valueFrom"));
      }
    }
    for (Field item : container.field("envFrom").items()) {
      Fields from = item.objectOrEmpty();
      if (from != null) {
        envFrom(item, from);
      }
    }
  }

  private static void envFrom(Field item, Fields from) {
    String prefix = from.field("prefix").text("");
    if (!prefix.isEmpty() && !EnvReader.isName(prefix)) {
      from.field("prefix").invalid(EnvReader.NAME_RULE);
    }
    Fields chosen = only(item, from, ENV_FROM);
    if (chosen != null) {
      Field name = chosen.field("name");
      if (name.text("").isEmpty()) {
        name.required("which one");
      } else {
        DnsName.SUBDOMAIN.check(name, name.text(""));
      }
    }
  }

  private static void valueFrom(Field field) {
    Fields source = field.object();
    if (source == null) {
      return;
    }
    Fields chosen = only(field, source, SOURCES);
    if (chosen == null) {
      return;
    }
    if (source.field("fieldRef").isPresent()) {
      fieldRef(chosen);
    } else if (source.field("resourceFieldRef").isPresent()) {
      resourceFieldRef(chosen);
    } else if (!source.field("fileKeyRef").isPresent()) {
      keyRef(chosen);
    }
  }

  /** Returns the single source, null after an error if there is none, or several. */
  private static @Nullable Fields only(Field owner, Fields fields, List<String> names) {
    List<String> given = names.stream().filter(name -> fields.field(name).isPresent()).toList();
    if (given.size() == 1) {
      return fields.field(given.getFirst()).object();
    }
    owner.error(
        Complaint.INVALID_VALUE,
        (given.isEmpty() ? "Invalid value: must specify one of: " : "Invalid value: only one of: ")
            + String.join(", ", names));
    return null;
  }

  private static void fieldRef(Fields reference) {
    Field path = reference.field("fieldPath");
    String version = reference.field("apiVersion").text("");
    if (!version.isEmpty() && !version.equals("v1")) {
      reference.field("apiVersion").unsupported(List.of("v1"));
    }
    String text = path.text("");
    Matcher subscript = SUBSCRIPT.matcher(text);
    if (text.isEmpty()) {
      path.required("a field of the pod");
    } else if (subscript.matches()) {
      String key = subscript.group(2);
      if (!QualifiedName.isValid(key)
          && !(subscript.group(1).equals("annotations")
              && QualifiedName.isValid(key.toLowerCase(Locale.ROOT)))) {
        path.invalid("must have the key of a label or an annotation in its brackets");
      }
    } else if (!PATHS.contains(text)) {
      path.unsupported(PATHS);
    }
  }

  private static void resourceFieldRef(Fields reference) {
    Field resource = reference.field("resource");
    String name = resource.text("");
    if (name.isEmpty()) {
      resource.required("which resource");
    } else if (!RESOURCES.contains(name) && !HUGE_PAGES.matcher(name).matches()) {
      resource.unsupported(RESOURCES);
    }
    Field divisor = reference.field("divisor");
    String amount = divisor.scalar();
    List<String> divisors = name.endsWith(".cpu") ? CPU_DIVISORS : BYTE_DIVISORS;
    if (!amount.isEmpty() && !amount.equals("0") && !divisors.contains(amount)) {
      divisor.unsupported(divisors);
    }
  }

  private static void keyRef(Fields reference) {
    DnsName.SUBDOMAIN.check(reference.field("name"), reference.field("name").text(""));
    Field key = reference.field("key");
    String text = key.text("");
    if (text.isEmpty()) {
      key.required("a key of it");
    } else if (!KEY.matcher(text).matches() || text.equals(".") || text.startsWith("..")) {
      key.invalid("must consist of letters, digits, '-', '_' and '.'");
    }
  }
}
