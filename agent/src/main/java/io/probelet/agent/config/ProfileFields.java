package io.probelet.agent.config;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.annotation.TlsFiles;
import io.probelet.manifest.annotation.TlsReader;
import io.probelet.manifest.policy.HostRules;
import io.probelet.manifest.policy.Profile;
import io.probelet.manifest.probe.HandlerReader.HeaderReader;
import io.probelet.probe.HttpHeader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the profiles of the section {@code policy}. */
final class ProfileFields {
  /** Files are mounted into the agent, perhaps later than the configuration. */
  private static final TlsFiles FILES = new TlsFiles.OnTheNode();

  private ProfileFields() {}

  static List<Profile> read(Field field) {
    List<Profile> profiles = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Field item : field.items()) {
      Fields profile = item.object();
      if (profile == null) {
        continue;
      }
      Field name = profile.field("name");
      if (name.text("").isEmpty()) {
        name.required("the name that annotations use");
      } else if (!names.add(name.text(""))) {
        name.duplicate("this name is already used by another profile");
      }
      Field hosts = profile.field("hosts");
      Field tls = profile.field("tls");
      Field headers = profile.field("headers");
      if (!tls.isPresent() && !headers.isPresent()) {
        item.required("must specify tls, headers or both");
      }
      profiles.add(
          new Profile(
              name.text(""),
              PolicyFields.names(profile.field("namespaces")),
              hosts.isPresent() ? PolicyFields.hosts(hosts) : HostRules.OWN,
              new TlsReader(FILES, true).read(tls),
              headers(headers)));
      profile.rejectUnknown(Set.of());
    }
    return profiles;
  }

  private static List<HttpHeader> headers(Field field) {
    List<HttpHeader> headers = new ArrayList<>();
    for (Field item : field.items()) {
      Fields header = item.object();
      if (header == null) {
        continue;
      }
      String name = HeaderReader.name(header.field("name"));
      Field value = header.field("value");
      Field valueFile = header.field("valueFile");
      Field prefix = header.field("prefix");
      if (value.isPresent() == valueFile.isPresent()) {
        item.error("must specify either value or valueFile");
      }
      if (value.isPresent() && prefix.isPresent()) {
        prefix.forbidden("is only allowed with valueFile");
      }
      Path file = FILES.read(valueFile);
      headers.add(
          file == null
              ? new HttpHeader(name, value.text(""))
              : new HttpHeader(name, new HttpHeader.FromFile(prefix.text(""), file)));
      header.rejectUnknown(Set.of());
    }
    return headers;
  }
}
