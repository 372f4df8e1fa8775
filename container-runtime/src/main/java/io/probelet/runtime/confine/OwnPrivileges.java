package io.probelet.runtime.confine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Probelet's own privileges, which limit those of its containers.
 *
 * @param effective the capabilities it can use
 * @param bounding the maximum capabilities of its children
 */
public record OwnPrivileges(
    int user, int group, Set<Integer> groups, Set<Capability> effective, Set<Capability> bounding) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int EFFECTIVE = 1;

  /** Keeps unmodifiable copies of the sets. */
  public OwnPrivileges {
    groups = Set.copyOf(groups);
    effective = Set.copyOf(effective);
    bounding = Set.copyOf(bounding);
  }

  /**
   * Reads the privileges of this process.
   *
   * @throws IOException if they cannot be read
   */
  public static OwnPrivileges read() throws IOException {
    return parse(Files.readAllLines(STATUS, StandardCharsets.UTF_8));
  }

  static OwnPrivileges parse(List<String> status) throws IOException {
    try {
      Set<Integer> groups = new HashSet<>();
      values(status, "Groups").forEach(each -> groups.add(id(each)));
      return new OwnPrivileges(
          id(values(status, "Uid").get(EFFECTIVE)),
          id(values(status, "Gid").get(EFFECTIVE)),
          groups,
          Capability.ofMask(values(status, "CapEff").getFirst()),
          Capability.ofMask(values(status, "CapBnd").getFirst()));
    } catch (RuntimeException malformed) {
      throw new IOException(STATUS + " has an unexpected format: " + malformed, malformed);
    }
  }

  private static int id(String decimal) {
    return Integer.parseUnsignedInt(decimal);
  }

  private static List<String> values(List<String> status, String name) {
    for (String line : status) {
      if (line.startsWith(name + ":")) {
        String values = line.substring(name.length() + 1).strip();
        return values.isEmpty() ? List.of() : List.of(values.split("\\s+"));
      }
    }
    return List.of();
  }

  boolean can(Capability capability) {
    return effective.contains(capability);
  }
}
