package io.probelet.runtime.confine;

import io.probelet.process.Account;
import io.probelet.runtime.confine.ConfinementPlan.Enforced;
import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.confine.ConfinementPlan.Refused;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Decides how to enforce the restrictions of a container, or why that is not possible here. It is a
 * function of the manifest and of Probelet's own privileges.
 *
 * <p>The rules of Kubernetes start from an image and the defaults of a runtime. These rules start
 * from Probelet's own user and capabilities. If any capability is dropped, the ambient and
 * inheritable sets are emptied. As in Kubernetes, added capabilities have no effect for users other
 * than root: they are in the bounding set only.
 */
public final class Confiner {
  /** For users that the machine does not know; unlike root's group it owns nothing. */
  static final int NOBODYS_GROUP = 65534;

  private static final int ROOT = 0;

  private final OwnPrivileges own;
  private final IntFunction<Optional<Account>> users;
  private final Optional<Path> setpriv;
  private final Function<Limits, Optional<String>> shortfall;

  /**
   * Creates a decider.
   *
   * @param own Probelet's own privileges
   * @param users finds the machine's users by number; their groups' numbers are ints
   * @param setpriv the program of util-linux, empty if it is not installed
   * @param shortfall why limits cannot be enforced here; empty if they can
   */
  public Confiner(
      OwnPrivileges own,
      IntFunction<Optional<Account>> users,
      Optional<Path> setpriv,
      Function<Limits, Optional<String>> shortfall) {
    this.own = own;
    this.users = users;
    this.setpriv = setpriv;
    this.shortfall = shortfall;
  }

  /**
   * Decides for one container.
   *
   * @return how to enforce the restrictions, or why that is not possible
   */
  public ConfinementPlan plan(Confinement asked) {
    try {
      int user = asked.user() == null ? own.user() : asked.user();
      checkNonRoot(asked, user);
      List<String> options = new ArrayList<>(identity(asked, user));
      boolean sealed = asked.noNewPrivileges();
      if (asked.capabilities().drops()) {
        sealed |= !own.can(Capability.SETPCAP);
        options.addAll(dropped(asked.capabilities(), user));
      }
      checkAdded(asked.capabilities());
      if (sealed) {
        options.add("--no-new-privs");
      }
      if (asked.limits().any()) {
        refuseIf(shortfall.apply(asked.limits()).map(why -> "resources.limits: " + why));
      }
      return new Enforced(words(options), switched(user), asked.limits());
    } catch (CannotException reason) {
      return new Refused(reason.text);
    }
  }

  private void checkNonRoot(Confinement asked, int user) throws CannotException {
    if (asked.nonRoot() && user == ROOT) {
      throw new CannotException(
          asked.user() == null
              ? "securityContext.runAsNonRoot: the container would run as root like Probelet;"
                  + " set runAsUser to another user"
              : "securityContext.runAsNonRoot: runAsUser is 0, which is root");
    }
  }

  private List<String> identity(Confinement asked, int user) throws CannotException {
    boolean otherUser = user != own.user();
    int group = group(asked, user, otherUser);
    boolean otherGroup = group != own.group();
    if (otherUser && !own.can(Capability.SETUID)) {
      throw new CannotException(
          "securityContext.runAsUser: Probelet runs as user %d and cannot start a process as user %d;"
                  .formatted(own.user(), user)
              + " start Probelet as root");
    }
    boolean mayChooseGroups = own.can(Capability.SETGID);
    if ((otherGroup || otherUser) && !mayChooseGroups) {
      throw new CannotException(
          "securityContext.runAsGroup: Probelet runs with group %d and cannot start a process with"
                  .formatted(own.group())
              + " group "
              + group
              + "; start Probelet as root");
    }
    Set<Integer> groups = new TreeSet<>(asked.groups());
    if (!mayChooseGroups) {
      groups.removeAll(own.groups());
      groups.remove(own.group());
      if (!groups.isEmpty()) {
        throw new CannotException(
            "securityContext.supplementalGroups, fsGroup: Probelet has no group %s and may not take it;"
                    .formatted(list(groups))
                + " start Probelet as root");
      }
      return List.of();
    }
    if (!otherUser && !otherGroup && groups.isEmpty()) {
      return List.of();
    }
    List<String> options = new ArrayList<>();
    if (otherUser) {
      options.add("--reuid=" + user);
    }
    options.add("--regid=" + group);
    // Probelet's own groups, for example docker, are not passed on unless the manifest requests
    // them.
    options.add(groups.isEmpty() ? "--clear-groups" : "--groups=" + list(groups).replace(" ", ""));
    return options;
  }

  private int group(Confinement asked, int user, boolean otherUser) {
    if (asked.group() != null) {
      return asked.group();
    }
    return otherUser
        ? users.apply(user).map(Account::gid).map(Math::toIntExact).orElse(NOBODYS_GROUP)
        : own.group();
  }

  private List<String> dropped(CapabilityChange change, int user) throws CannotException {
    List<String> options = new ArrayList<>();
    if (own.can(Capability.SETPCAP)) {
      Set<Capability> kept = change.of(own.bounding());
      Set<Capability> lost = new HashSet<>(own.bounding());
      lost.removeAll(kept);
      List<String> bounds = new ArrayList<>();
      if (change.dropAll()) {
        bounds.add("-all"); // including those unknown to this program
        bounds.addAll(Capability.words("+", kept));
      } else {
        bounds.addAll(Capability.words("-", lost));
      }
      if (!bounds.isEmpty()) {
        options.add("--bounding-set=" + String.join(",", bounds));
      }
    } else if (user == ROOT) {
      throw new CannotException(
          "securityContext.capabilities.drop: Probelet runs as root without the capability"
              + " SETPCAP, so it cannot drop the other capabilities");
    }
    // Without SETPCAP the bounding set stays, but a process without capabilities and without a way
    // to gain any has none.
    options.add("--inh-caps=-all");
    options.add("--ambient-caps=-all");
    return options;
  }

  private void checkAdded(CapabilityChange change) throws CannotException {
    Set<Capability> added = new TreeSet<>(change.addAll() ? Capability.all() : change.add());
    added.removeAll(change.drop());
    added.removeAll(own.effective());
    if (!added.isEmpty()) {
      throw new CannotException(
          "securityContext.capabilities.add: Probelet lacks %s itself, so it cannot add it"
              .formatted(list(added)));
    }
  }

  private List<String> words(List<String> options) throws CannotException {
    if (options.isEmpty()) {
      return List.of();
    }
    Path program =
        setpriv.orElseThrow(() ->
            new CannotException(
                "securityContext: the program setpriv is not installed; install util-linux"));
    List<String> words = new ArrayList<>(List.of(program.toString()));
    words.addAll(options);
    words.add("--");
    return words;
  }

  private @org.jspecify.annotations.Nullable Identity switched(int user) {
    return user == own.user()
        ? null
        : new Identity(user, users.apply(user).map(Account::home).orElse(Account.NO_HOME));
  }

  private static void refuseIf(Optional<String> message) throws CannotException {
    if (message.isPresent()) {
      throw new CannotException(message.get());
    }
  }

  private static String list(Collection<?> some) {
    return some.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** Ends the decision with a refusal. */
  private static final class CannotException extends Exception {
    private static final long serialVersionUID = 1;

    private final String text;

    CannotException(String text) {
      super(text);
      this.text = text;
    }
  }
}
