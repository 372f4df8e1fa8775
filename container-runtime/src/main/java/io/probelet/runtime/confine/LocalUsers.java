package io.probelet.runtime.confine;

import java.util.Optional;

/** The users this machine knows. */
@FunctionalInterface
public interface LocalUsers {
  /**
   * Finds a user.
   *
   * @param user its number
   * @return what is known of it; empty if the machine knows no such user
   */
  Optional<LocalUser> find(int user);

  /**
   * One user.
   *
   * @param group its own group
   * @param home its directory
   */
  record LocalUser(int group, String home) {}
}
