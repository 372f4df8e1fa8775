package io.probelet.agent.config;

import io.probelet.agent.manifest.field.Field;
import io.probelet.agent.manifest.field.Fields;
import io.probelet.agent.policy.HostRules;
import io.probelet.agent.policy.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the profiles of the section {@code policy}. */
final class ProfileFields {
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
        name.required("by which annotations name the profile");
      } else if (!names.add(name.text(""))) {
        name.duplicate("another profile has this name");
      }
      Field hosts = profile.field("hosts");
      profiles.add(
          new Profile(
              name.text(""),
              PolicyFields.names(profile.field("namespaces")),
              hosts.isPresent() ? PolicyFields.hosts(hosts) : HostRules.OWN,
              null,
              List.of()));
      profile.rejectUnknown(Set.of());
    }
    return profiles;
  }
}
